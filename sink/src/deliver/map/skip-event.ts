import type { EventInput } from '@ossian/shared';
import type { RowIdentity, SourcePosition } from '../../record/change.js';
import type { Coordinates } from '../../record/consumed-record.js';
import { eventId, eventPosition } from './event-id.js';

const longestReason = 4096;

/** Tells the backend that a document is behind its row, because a record of it was dead-lettered or skipped. */
export function skipEvent(
  connector: string,
  coordinates: Coordinates,
  identity: RowIdentity,
  reason: string,
  at: SourcePosition,
): EventInput {
  return {
    id: eventId(connector, coordinates),
    op: 'skip',
    document: { source: identity.source, key: identity.key },
    reason: reason.slice(0, longestReason),
    position: eventPosition(connector, coordinates, at),
  };
}
