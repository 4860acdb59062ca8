import type { PositionInput } from '@ossian/shared';
import { percentEncode } from '../../record/percent-encoding.js';
import type { SourcePosition } from '../../record/change.js';
import type { Coordinates } from '../../record/consumed-record.js';

/**
 * The id of a record's event: the same at every redelivery, and never that of another record (the timestamp tells a
 * re-created topic from the old one). The source's position is not in it: every row of a snapshot shares one.
 */
export function eventId(connector: string, { topic, partition, offset, timestamp }: Coordinates): string {
  return [connector, topic, partition, offset, timestamp].map((part) => percentEncode(String(part))).join(':');
}

/** The event's place, as DESIGN 4 asks: integers as decimal text. */
export function eventPosition(connector: string, coordinates: Coordinates, at: SourcePosition): PositionInput {
  return {
    connector,
    topic: coordinates.topic,
    partition: coordinates.partition,
    offset: String(coordinates.offset),
    timestamp: String(coordinates.timestamp),
    ...(at.position === undefined ? {} : { source_position: at.position }),
    ...(at.timestamp === undefined ? {} : { source_timestamp: at.timestamp }),
    snapshot: at.snapshot,
  };
}
