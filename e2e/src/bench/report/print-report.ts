import type { Print } from '../benchmark.js';
import { formatTable } from './format-table.js';
import type { Report } from './report.js';

/** Prints the table and what belongs to it. @param surroundings machine, versions and load, line by line. */
export function printReport(report: Report, surroundings: readonly string[], print: Print): void {
  print(`\n${report.title}\n`);
  print(formatTable(report.columns, report.rows));
  print('');
  for (const line of [...report.notes, ...surroundings]) print(line);
}
