import { closeSync, fstatSync, openSync, readSync } from 'node:fs';

const tailBytes = 16_384;

/** The last lines of a log file, or a note that there is none. */
export function lastLines(file: string, lines = 25): string {
  try {
    const descriptor = openSync(file, 'r');
    try {
      const { size } = fstatSync(descriptor);
      const buffer = Buffer.alloc(Math.min(size, tailBytes));
      readSync(descriptor, buffer, 0, buffer.length, size - buffer.length);
      const all = buffer.toString('utf8').trimEnd().split('\n');
      return all.slice(-lines).join('\n') || '(empty)';
    } finally {
      closeSync(descriptor);
    }
  } catch {
    return '(not there)';
  }
}

/** A process that did not start, ended by itself, or was not ready in time. Names its log files and shows their ends. */
export class ProcessError extends Error {
  override readonly name = 'ProcessError';
  readonly logFiles: readonly string[];
  constructor(problem: string, logFiles: readonly string[]) {
    super([problem, ...logFiles.map((file) => `--- last lines of ${file}\n${lastLines(file)}`)].join('\n'));
    this.logFiles = logFiles;
  }
  static is(error: unknown): error is ProcessError {
    return error instanceof ProcessError;
  }
}
