import type { Logger, Progress } from '@ossian/shared';
import type { Backend } from '../deliver/backend.js';
import { judgeFault } from '../deliver/verdict.js';
import type { PartitionOffset, RecordSource, TopicPartition } from '../source/record-source.js';

export interface ProgressPorts {
  readonly connector: string;
  /** The source (part of a corpus) of a topic. */
  readonly sourceOf: (topic: string) => string;
  readonly backend: Pick<Backend, 'sendProgress'>;
  readonly source: Pick<RecordSource, 'endOffsets'>;
  readonly logger: Logger;
  readonly now: () => number;
  /** The backend will not have it, as it would not have events: key or corpus are not right any more. */
  readonly refused: () => void;
}

/**
 * Tells the backend how far this task has come in each source: what is committed, and where the logs end now. Nothing hangs
 * on one report, so one that fails is logged and left to the next.
 */
export async function reportProgress(
  ports: ProgressPorts,
  committed: readonly PartitionOffset[],
  signal: AbortSignal,
): Promise<void> {
  if (committed.length === 0) return;
  // Taken before the ends are asked for: everything up to this moment is below them.
  const at = new Date(ports.now()).toISOString();
  try {
    const ends = new Map((await ports.source.endOffsets(committed)).map((entry) => [nameOf(entry), entry.offset]));
    const sources = new Map<string, Progress['partitions']>();
    for (const entry of committed) {
      const end = ends.get(nameOf(entry));
      if (end === undefined) continue;
      const source = ports.sourceOf(entry.topic);
      const partition = { topic: entry.topic, partition: entry.partition, committed: String(entry.offset), end: String(end) };
      sources.set(source, [...(sources.get(source) ?? []), partition]);
    }
    for (const [source, partitions] of sources) {
      await ports.backend.sendProgress({ source, connector: ports.connector, partitions, at }, signal);
    }
  } catch (error) {
    if (signal.aborted) return;
    if (['fail', 'unauthorized'].includes(judgeFault(error, ports.now()).kind)) ports.refused();
    ports.logger.debug({ err: error }, 'progress could not be reported');
  }
}

function nameOf({ topic, partition }: TopicPartition): string {
  return `${topic}/${partition}`;
}
