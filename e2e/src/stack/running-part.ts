import type { SupervisedProcess } from '../processes/supervised-process.js';
import type { Supervisor } from '../processes/supervisor-client.js';
import type { Progress } from './run-command.js';

/** What every part is started with. */
export interface PartContext {
  supervisor: Supervisor;
  runFolder: string;
  progress: Progress;
}

/** A part that is ready: `start` again gives a new process on the same data and port. */
export interface StartablePart {
  /** How others reach it. */
  address: string;
  logFile: string;
  start: () => Promise<SupervisedProcess>;
  /** Asks for an orderly stop. */
  stopSignal: NodeJS.Signals;
}
