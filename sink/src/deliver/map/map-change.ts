import type { MappingSettings } from '../../config/settings.js';
import { FatalError } from '../../errors/fatal-error.js';
import type { Change } from '../../record/change.js';
import type { Coordinates } from '../../record/consumed-record.js';
import type { MappedRecord } from '../mapped-record.js';
import { eventId, eventPosition } from './event-id.js';
import { mapRow } from './map-row.js';

/**
 * The event of a change.
 *
 * @throws RecordError where the row is refused; FatalError (`truncated`) where `ossian.truncate.policy` is `fail`
 */
export function mapChange(coordinates: Coordinates, change: Change, settings: MappingSettings): MappedRecord {
  if (change.kind === 'ignored') return change;
  const id = eventId(settings.connectorName, coordinates);
  const position = eventPosition(settings.connectorName, coordinates, change.at);
  if (change.kind === 'row') return mapRow(change, { id, position }, settings);
  if (change.kind === 'delete') {
    const { identity, movedTo, reason } = change;
    const document = { ...identity, ...(movedTo === undefined ? {} : { moved_to: movedTo }) };
    return { kind: 'event', event: { id, op: 'delete', document, reason, position }, missingColumns: [] };
  }
  if (settings.truncatePolicy === 'ignore') return { kind: 'ignored', reason: 'truncate' };
  if (settings.truncatePolicy === 'clear') {
    return { kind: 'event', event: { id, op: 'clear', document: { source: change.source }, position }, missingColumns: [] };
  }
  const { topic, partition, offset } = coordinates;
  throw new FatalError(
    'truncated',
    `The table of ${topic} was truncated (partition ${partition}, offset ${offset}), and ossian.truncate.policy is "fail". Set it to "clear" to remove the table's documents, or to "ignore" to keep them, and restart the task.`,
  );
}
