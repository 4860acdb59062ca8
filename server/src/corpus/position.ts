import type { Position } from '@ossian/shared';

/**
 * Where an event stands, or where a document last stood. Times are milliseconds since 1970. `sourceTimestamp` is the one that came
 * with `sourcePosition`: the two are remembered together, and both are null where no event ever had a source position.
 */
export interface StoredPosition {
  readonly topic: string;
  readonly partition: number;
  readonly offset: bigint;
  readonly timestamp: bigint;
  readonly sourcePosition: bigint | null;
  readonly sourceTimestamp: bigint | null;
  /** True where it is a snapshot's reading of a row. */
  readonly snapshot: boolean;
}

/** An event's position as the rules read it. */
export function readPosition(position: Position): StoredPosition {
  const sourcePosition = position.source_position == null ? null : BigInt(position.source_position);
  const timestamp = BigInt(position.timestamp);
  return {
    topic: position.topic,
    partition: position.partition,
    offset: BigInt(position.offset),
    timestamp,
    sourcePosition,
    sourceTimestamp:
      sourcePosition === null ? null : position.source_timestamp == null ? timestamp : BigInt(position.source_timestamp),
    snapshot: position.snapshot,
  };
}

/** Whether `event` stands before `remembered`: the four rules of DESIGN section 4, "Ordered: position decides". */
export function isBefore(event: StoredPosition, remembered: StoredPosition | null): boolean {
  if (remembered === null) return false;
  const samePartition = event.topic === remembered.topic && event.partition === remembered.partition;
  // Rule 1: a transaction that was open at the snapshot has lower source positions and comes after it.
  if (samePartition && (event.snapshot || remembered.snapshot)) return isBeforeInPartition(event, remembered);
  // Rule 2: the source's own order, unless its clock says that its positions began anew.
  if (event.sourcePosition !== null && remembered.sourcePosition !== null && event.sourcePosition !== remembered.sourcePosition) {
    return (
      event.sourcePosition < remembered.sourcePosition &&
      (event.sourceTimestamp ?? event.timestamp) <= (remembered.sourceTimestamp ?? remembered.timestamp)
    );
  }
  if (samePartition) return isBeforeInPartition(event, remembered);
  // Rule 4.
  return event.timestamp < remembered.timestamp;
}

/** Rule 3: a re-created topic has lower offsets and later timestamps. */
function isBeforeInPartition(event: StoredPosition, remembered: StoredPosition): boolean {
  return event.offset < remembered.offset && event.timestamp <= remembered.timestamp;
}

/** Whether both are the position of one and the same record. */
export function isSamePosition(event: StoredPosition, remembered: StoredPosition | null): boolean {
  return (
    remembered !== null &&
    event.topic === remembered.topic &&
    event.partition === remembered.partition &&
    event.offset === remembered.offset &&
    event.timestamp === remembered.timestamp
  );
}

/** Whether both are records of one and the same change: a connector that was killed sends what it had sent again. */
export function isSameChange(event: StoredPosition, remembered: StoredPosition | null): boolean {
  if (isSamePosition(event, remembered)) return true;
  return (
    remembered !== null &&
    event.sourcePosition !== null &&
    event.topic === remembered.topic &&
    event.partition === remembered.partition &&
    event.sourcePosition === remembered.sourcePosition &&
    event.sourceTimestamp === remembered.sourceTimestamp
  );
}

/** The position to remember after an event: a part that the event lacks never erases the remembered one. */
export function advancePosition(event: StoredPosition | null, remembered: StoredPosition | null): StoredPosition | null {
  if (event === null || remembered === null || event.sourcePosition !== null) return event ?? remembered;
  return { ...event, sourcePosition: remembered.sourcePosition, sourceTimestamp: remembered.sourceTimestamp };
}

/** The end of the year 9999: beyond, Date writes a form that Postgres does not read. Microseconds sent as milliseconds are beyond it. */
const latestTime = 253_402_300_799_999n;

/**
 * Since when a document is behind its row: the event's source timestamp, else its record timestamp, else its arrival. A time that no
 * calendar has is as good as none.
 */
export function timeOfEvent(position: Position | undefined, arrival: Date): Date {
  for (const text of [position?.source_timestamp, position?.timestamp]) {
    if (text == null) continue;
    const milliseconds = BigInt(text);
    if (milliseconds >= 0n && milliseconds <= latestTime) return new Date(Number(milliseconds));
  }
  return arrival;
}
