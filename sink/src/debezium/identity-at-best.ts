import type { MappingSettings } from '../config/settings.js';
import { RecordError } from '../errors/record-error.js';
import type { RowIdentity, SourcePosition } from '../record/change.js';
import { isValueObject, type SinkRecord } from '../record/sink-record.js';
import { isEnvelope, structOf } from './envelope.js';
import { rowIdentity } from './row-identity.js';
import { positionOfFlattened, positionOfSource } from './source-position.js';

/** Identity and position of a bad record, as far as they can be told; undefined where it has no identity. */
export function identityAtBest(
  record: SinkRecord,
  settings: MappingSettings,
): { identity: RowIdentity; at: SourcePosition } | undefined {
  const value = isValueObject(record.value) ? record.value : undefined;
  const envelope = value !== undefined && isEnvelope(value);
  const row = envelope ? (structOf(value, 'after') ?? structOf(value, 'before')) : value;
  const at = envelope ? positionOfSource(structOf(value, 'source') ?? {}) : positionOfFlattened(value, record.headers);
  try {
    return { identity: rowIdentity(record, row, settings), at };
  } catch (error) {
    if (RecordError.is(error)) return undefined;
    throw error;
  }
}
