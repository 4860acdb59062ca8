import type { Feature, SourceOptions } from './change-record.js';

/**
 * Which features go together on how many partitions. Left out are the stated limits (DESIGN section 7): truncates over several
 * partitions where a record may lack a source position, that is without them, or beside incremental snapshots.
 */
export const configurations: readonly SourceOptions[] = [
  ...[1, 2, 3, 4].flatMap((partitions) => [
    withPositions(partitions, 'key', 'truncate'),
    withPositions(partitions, 'key', 'truncate', 'blank', 're-created'),
    withPositions(partitions, 'snapshot', 'open-transaction', 'truncate', 'key', 'blank'),
    withPositions(partitions, 'snapshot', 'incremental', 'open-transaction', 'key', 're-created'),
    withPositions(partitions, 'snapshot', 'lagging-snapshot', 'open-transaction', 'blank'),
    withPositions(partitions, 're-sent', 'key', 'truncate', 'blank'),
    { ...withPositions(partitions, 'key', 'blank', 'snapshot', 're-created'), flat: true },
    { ...withPositions(partitions, 'key', 'blank', 'snapshot', 're-created'), lsn: false },
  ]),
  { ...withPositions(1, 'key', 'truncate', 'snapshot', 'incremental', 'blank', 're-created'), lsn: false },
  withPositions(1, 'key', 'truncate', 'snapshot', 'incremental', 'open-transaction', 'blank', 're-created'),
];

function withPositions(partitions: number, ...features: Feature[]): SourceOptions {
  return { partitions, features, lsn: true, flat: false };
}
