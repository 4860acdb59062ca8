import type { EventInput } from '@ossian/shared';
import type { ConnectorSettings } from '../config/settings.js';
import { convertRecord } from '../convert/convert-record.js';
import { identityAtBest } from '../debezium/identity-at-best.js';
import { readChange } from '../debezium/read-change.js';
import { noPosition } from '../debezium/source-position.js';
import { mapChange } from '../deliver/map/map-change.js';
import { skipEvent } from '../deliver/map/skip-event.js';
import type { MappedRecord } from '../deliver/mapped-record.js';
import { RecordError } from '../errors/record-error.js';
import type { ConsumedRecord } from '../record/consumed-record.js';
import type { SinkRecord } from '../record/sink-record.js';

export type PreparedRecord =
  | MappedRecord
  /** Tolerance decides. `skip` tells the backend that the record's document is behind, where it has an identity. */
  | { readonly kind: 'bad'; readonly error: RecordError; readonly skip: EventInput | undefined };

/**
 * What becomes of one record before anything is sent: convert → classify → map. Pure.
 *
 * @throws FatalError where the configuration says that such a record ends the task.
 */
export function prepareRecord(record: ConsumedRecord, settings: ConnectorSettings): PreparedRecord {
  const mapping = settings.mapping(record.topic);
  let converted: SinkRecord | undefined;
  try {
    converted = convertRecord(record, settings);
    return mapChange(record, readChange(converted, mapping), mapping);
  } catch (error) {
    if (!RecordError.is(error)) throw error;
    return { kind: 'bad', error, skip: skipFor(record, converted, error, settings) };
  }
}

function skipFor(
  record: ConsumedRecord,
  converted: SinkRecord | undefined,
  error: RecordError,
  settings: ConnectorSettings,
): EventInput | undefined {
  const known = converted ?? convertWithoutValue(record, settings);
  const best = known && identityAtBest(known, settings.mapping(record.topic));
  const identity = error.identity ?? best?.identity;
  if (identity === undefined) return undefined;
  return skipEvent(settings.name, record, identity, error.code, best?.at ?? noPosition);
}

/** A value that cannot be decoded leaves the key, which still says which document is behind. */
function convertWithoutValue(record: ConsumedRecord, settings: ConnectorSettings): SinkRecord | undefined {
  if (record.key === null) return undefined;
  try {
    return convertRecord({ ...record, value: null }, settings);
  } catch (error) {
    if (RecordError.is(error)) return undefined;
    throw error;
  }
}
