import type { EventInput } from '@ossian/shared';
import type { ConnectorSettings } from '../config/settings.js';
import { convertRecord } from '../convert/convert-record.js';
import { identityAtBest } from '../debezium/identity-at-best.js';
import { skipEvent } from '../deliver/map/skip-event.js';
import { RecordError } from '../errors/record-error.js';
import type { ConsumedRecord } from '../record/consumed-record.js';
import type { SinkRecord } from '../record/sink-record.js';

/**
 * The event that tells the backend that a document is behind its row, for a record that is dead-lettered or skipped at any
 * stage; undefined where the record has no identity. A value that cannot be read does not hide the key.
 */
export function skipRecord(record: ConsumedRecord, reason: string, settings: ConnectorSettings): EventInput | undefined {
  const decoded = decodeAtBest(record, settings);
  const known = decoded && identityAtBest(decoded, settings.mapping(record.topic));
  return known && skipEvent(settings.name, record, known.identity, reason, known.at);
}

function decodeAtBest(record: ConsumedRecord, settings: ConnectorSettings): SinkRecord | undefined {
  return decode(record, settings) ?? decode({ ...record, value: null }, settings);
}

function decode(record: ConsumedRecord, settings: ConnectorSettings): SinkRecord | undefined {
  try {
    return convertRecord(record, settings);
  } catch (error) {
    if (RecordError.is(error)) return undefined;
    throw error;
  }
}
