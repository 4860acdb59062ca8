import type { MappingSettings } from '../config/settings.js';
import { readChange } from '../debezium/read-change.js';
import { mapChange } from '../deliver/map/map-change.js';
import type { MappedRecord } from '../deliver/mapped-record.js';
import type { SinkRecord } from '../record/sink-record.js';

/**
 * From a decoded record to the event that is sent, or the kind by which it is ignored. Pure: the same record and settings
 * give the same event at every redelivery.
 *
 * @throws RecordError where the record is bad (tolerance decides), with its identity where it has one
 * @throws FatalError where a policy says that the task must stop
 */
export function mapRecord(record: SinkRecord, settings: MappingSettings): MappedRecord {
  return mapChange(record.coordinates, readChange(record, settings), settings);
}
