import type { Mappings } from './read-mapping.js';
import type { MappingSettings } from './settings.js';

const positions =
  'add.headers=op,source.ts_ms,source.lsn,source.sequence (MySQL: source.file,source.pos) on ExtractNewRecordState. A flattened delete is a bare tombstone, and only headers survive on it. Without them, events of one key on several partitions are ordered by timestamps alone.';

/** What is allowed and does not do what it seems to: said at every start. */
export function warningsOf(mappings: Mappings): string[] {
  if (!some(mappings, ({ recordFormat, truncatePolicy }) => recordFormat === 'flat' && truncatePolicy !== 'ignore')) return [];
  return [
    'ossian.truncate.policy has no effect on flattened records: ExtractNewRecordState drops truncates. Have the topic written as envelopes, or set the policy to "ignore" and clear the source yourself after a TRUNCATE.',
  ];
}

/** What Debezium's side should have set for all of this to work: said by `validate`. */
export function adviceOn(mappings: Mappings): string[] {
  const advice: string[] = [];
  if (some(mappings, ({ recordFormat }) => recordFormat === 'flat')) {
    advice.push(`Flattened records carry no position of the source unless Debezium adds it: set ${positions}`);
  } else if (some(mappings, ({ recordFormat }) => recordFormat === 'auto')) {
    advice.push(`Should the topics be flattened, set ${positions}`);
  }
  if (some(mappings, ({ recordFormat, truncatePolicy }) => truncatePolicy !== 'ignore' && recordFormat !== 'plain')) {
    advice.push(
      'Debezium sends a TRUNCATE only with skipped.operations=none (it skips them by default), and flattening drops it: without it the documents of a truncated table stay.',
    );
  }
  return advice;
}

function some({ connector, byTopic }: Mappings, holds: (mapping: MappingSettings) => boolean): boolean {
  return [connector, ...byTopic.values()].some(holds);
}
