import type { StoredPosition } from '../corpus/position.js';

/** A position as JSON and as columns: integers are decimal text, so that nothing rounds them. */
export interface PositionColumns {
  topic: string | null;
  partition: number | null;
  offset: string | null;
  timestamp: string | null;
  source_position: string | null;
  source_timestamp: string | null;
  snapshot: boolean;
}

const noPosition: PositionColumns = {
  topic: null,
  partition: null,
  offset: null,
  timestamp: null,
  source_position: null,
  source_timestamp: null,
  snapshot: false,
};

/** The columns of a position, for a SELECT: numerics as text under either database. */
export function selectPosition(alias: string): string {
  return `${alias}.topic, ${alias}.partition, ${alias}."offset"::text AS "offset", ${alias}."timestamp"::text AS "timestamp",
    ${alias}.source_position::text AS source_position, ${alias}.source_timestamp::text AS source_timestamp, ${alias}.snapshot`;
}

export function positionToColumns(position: StoredPosition | null): PositionColumns {
  if (position === null) return noPosition;
  return {
    topic: position.topic,
    partition: position.partition,
    offset: position.offset.toString(),
    timestamp: position.timestamp.toString(),
    source_position: position.sourcePosition?.toString() ?? null,
    source_timestamp: position.sourceTimestamp?.toString() ?? null,
    snapshot: position.snapshot,
  };
}

export function positionFromColumns(columns: PositionColumns): StoredPosition | null {
  const { topic, partition, offset, timestamp } = columns;
  if (topic === null || partition === null || offset === null || timestamp === null) return null;
  return {
    topic,
    partition,
    offset: BigInt(offset),
    timestamp: BigInt(timestamp),
    sourcePosition: columns.source_position === null ? null : BigInt(columns.source_position),
    sourceTimestamp: columns.source_timestamp === null ? null : BigInt(columns.source_timestamp),
    snapshot: columns.snapshot,
  };
}

/** For a jsonb column: null where there is none. */
export function positionToJson(position: StoredPosition | null): PositionColumns | null {
  return position === null ? null : positionToColumns(position);
}

export function positionFromJson(json: PositionColumns | null): StoredPosition | null {
  return json === null ? null : positionFromColumns(json);
}
