import type { EventInput } from '@ossian/shared';
import type { ConnectorSettings } from '../../config/settings.js';
import type { IgnoredKind } from '../../record/ignored-kind.js';
import { FatalError } from '../../errors/fatal-error.js';
import type { Stage } from '../../errors/stage.js';
import type { ConsumedRecord, Coordinates } from '../../record/consumed-record.js';
import { prepareRecord } from '../../task/prepare-record.js';

/** What the sink would do with one record. */
export type Inspection = { readonly at: Coordinates } & (
  | { readonly verdict: 'event'; readonly event: EventInput; readonly missingColumns: readonly string[] }
  | { readonly verdict: 'ignored'; readonly reason: IgnoredKind | 'other_topic' }
  | {
      readonly verdict: 'refused';
      readonly code: string;
      readonly stage: Stage;
      readonly message: string;
      readonly document: { readonly source: string; readonly key: string } | undefined;
    }
  | { readonly verdict: 'stops'; readonly code: string; readonly message: string }
);

/** Judges a record as the running task would, but sends nothing. */
export function inspectRecord(record: ConsumedRecord, settings: ConnectorSettings): Inspection {
  const { topic, partition, offset, timestamp } = record;
  const at = { topic, partition, offset, timestamp };
  if (!settings.readsTopic(topic)) return { at, verdict: 'ignored', reason: 'other_topic' };
  try {
    const prepared = prepareRecord(record, settings);
    if (prepared.kind === 'ignored') return { at, verdict: 'ignored', reason: prepared.reason };
    if (prepared.kind === 'event') {
      return { at, verdict: 'event', event: prepared.event, missingColumns: prepared.missingColumns };
    }
    const { code, stage, message } = prepared.error;
    const document = prepared.skip?.op === 'skip' ? prepared.skip.document : undefined;
    return { at, verdict: 'refused', code, stage, message, document };
  } catch (error) {
    if (FatalError.is(error)) return { at, verdict: 'stops', code: error.code, message: error.message };
    throw error;
  }
}
