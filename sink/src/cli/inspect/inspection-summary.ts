import type { Inspection } from './inspect-record.js';
import { place } from './describe-inspection.js';

interface Tally {
  count: number;
  /** `topic/partition@offset` of the first one. */
  first: string;
  /** What it says and what to do, where there is something to do. */
  message?: string;
}

/** Counts verdicts by kind, with the first example of each. */
export class InspectionSummary {
  records = 0;
  readonly #kinds = new Map<string, Tally>();
  readonly #missing = new Map<string, Tally>();

  add(inspection: Inspection): void {
    this.records += 1;
    const first = place(inspection.at);
    const message = 'message' in inspection ? inspection.message : undefined;
    count(this.#kinds, kindOf(inspection), { count: 1, first, ...(message === undefined ? {} : { message }) });
    if (inspection.verdict !== 'event') return;
    for (const column of inspection.missingColumns) count(this.#missing, column, { count: 1, first });
  }

  toJSON(): Record<string, unknown> {
    return {
      records: this.records,
      kinds: Object.fromEntries(this.#kinds),
      missing_columns: Object.fromEntries(this.#missing),
    };
  }

  toString(): string {
    const lines = [`${this.records} ${this.records === 1 ? 'record' : 'records'}`];
    for (const [kind, tally] of [...this.#kinds].sort(([one], [other]) => (one < other ? -1 : 1))) {
      lines.push(
        `  ${String(tally.count).padStart(7)}  ${kind}${tally.message === undefined ? '' : `  (first: ${tally.first})`}`,
      );
      if (tally.message !== undefined) lines.push(`           ${tally.message}`);
    }
    for (const [column, tally] of this.#missing) {
      lines.push(`  ${String(tally.count).padStart(7)}  without the configured column "${column}"  (first: ${tally.first})`);
    }
    return lines.join('\n');
  }
}

function count(tallies: Map<string, Tally>, name: string, first: Tally): void {
  const tally = tallies.get(name);
  if (tally) tally.count += 1;
  else tallies.set(name, first);
}

function kindOf(inspection: Inspection): string {
  if (inspection.verdict === 'ignored') return `ignored: ${inspection.reason}`;
  if (inspection.verdict === 'refused') return `refused: ${inspection.code}`;
  if (inspection.verdict === 'stops') return `stops the task: ${inspection.code}`;
  const { event } = inspection;
  return event.op === 'delete' ? `delete: ${event.reason ?? 'deleted'}` : event.op;
}
