import { readFileSync } from 'node:fs';

/** One line that a product logged: pino's fields. Lines that are not JSON have only `msg`. */
export interface LogLine {
  level?: number;
  msg?: string;
  [field: string]: unknown;
}

/** All lines of a log file; empty where it is not there yet. */
export function readLogLines(file: string): LogLine[] {
  return readText(file)
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map(parseLine);
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return '';
    throw error;
  }
}

function parseLine(line: string): LogLine {
  try {
    return JSON.parse(line) as LogLine;
  } catch {
    return { msg: line };
  }
}
