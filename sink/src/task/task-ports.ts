import type { Logger } from '@ossian/shared';
import type { ConnectorSettings } from '../config/settings.js';
import type { Backend } from '../deliver/backend.js';
import type { DeadLetterQueue } from '../errors/reporters/dead-letter.js';
import type { RecordSource } from '../source/record-source.js';

/** What a task works with. */
export interface TaskPorts {
  readonly settings: ConnectorSettings;
  readonly task: number;
  readonly source: RecordSource;
  readonly backend: Backend;
  readonly deadLetters: DeadLetterQueue | undefined;
  readonly logger: Logger;
  readonly timings?: Partial<TaskTimings>;
  readonly now?: () => number;
}

/** Milliseconds. */
export interface TaskTimings {
  readonly commitInterval: number;
  readonly progressInterval: number;
  /** How long a stop waits for requests that are under way. */
  readonly stopBound: number;
}
