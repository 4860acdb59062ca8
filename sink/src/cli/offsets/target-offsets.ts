import { FatalError } from '../../errors/fatal-error.js';
import type { PartitionState } from '../../source/kafka-offsets.js';
import type { PartitionOffset } from '../../source/record-source.js';

/** Where offsets are to go: an end of the log, an offset, or a time (milliseconds since 1970). */
export type OffsetTarget =
  | { readonly kind: 'earliest' }
  | { readonly kind: 'latest' }
  | { readonly kind: 'offset'; readonly offset: bigint }
  | { readonly kind: 'time'; readonly at: number };

/** @throws FatalError (`command`) that says what `--to` takes. */
export function parseTarget(text: string): OffsetTarget {
  if (text === 'earliest' || text === 'latest') return { kind: text };
  if (/^\d{1,19}$/.test(text)) return { kind: 'offset', offset: BigInt(text) };
  const at = /^\d{4}-\d\d-\d\d/.test(text) ? parseTime(text) : Number(/^@(\d{1,15})$/.exec(text)?.[1]);
  if (Number.isNaN(at)) {
    throw new FatalError(
      'command',
      `--to ${text} is none of earliest, latest, an offset (42), a time (2026-03-01T08:00:00Z) or @milliseconds`,
    );
  }
  return { kind: 'time', at };
}

/** JavaScript takes 2026-02-30 for 2 March: a day that the month has not is no time. */
function parseTime(text: string): number {
  const [date = ''] = text.split('T');
  const isDay = !Number.isNaN(Date.parse(date)) && new Date(`${date}T00:00:00Z`).toISOString().startsWith(date);
  return isDay ? Date.parse(text) : Number.NaN;
}

/** One partition's move. */
export interface OffsetMove extends PartitionOffset {
  readonly from: bigint | undefined;
  /** Offsets that will be read again (at most: a log has gaps). */
  readonly replayed: bigint;
  /** Offsets that will never be read. */
  readonly passedOver: bigint;
}

/** @throws FatalError (`command`) where an offset lies outside a partition's log. */
export function planMoves(
  states: readonly PartitionState[],
  target: OffsetTarget,
  atTime: readonly PartitionOffset[],
): OffsetMove[] {
  return states.map((state) => {
    const { topic, partition, committed, log } = state;
    const offset = targetOf(state, target, atTime);
    const from = committed ?? log.low;
    // A committed offset outside the log stands for the end of it that is nearest.
    const standing = from < log.low ? log.low : from > log.high ? log.high : from;
    const replayed = standing > offset ? standing - offset : 0n;
    return { topic, partition, offset, from: committed, replayed, passedOver: offset > standing ? offset - standing : 0n };
  });
}

function targetOf({ topic, partition, log }: PartitionState, target: OffsetTarget, atTime: readonly PartitionOffset[]): bigint {
  if (target.kind === 'earliest') return log.low;
  if (target.kind === 'latest') return log.high;
  if (target.kind === 'time') return atTime.find((at) => at.topic === topic && at.partition === partition)?.offset ?? log.high;
  if (target.offset < log.low || target.offset > log.high) {
    throw new FatalError(
      'command',
      `offset ${target.offset} is outside ${topic}-${partition}, which holds ${log.low} to ${log.high}`,
    );
  }
  return target.offset;
}
