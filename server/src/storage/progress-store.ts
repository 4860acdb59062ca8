import type { Progress } from '@ossian/shared';
import type { Transaction } from './database.js';

const latest = ['connector', 'committed', '"end"', 'reported_at']
  .map(
    (column) =>
      `${column} = CASE WHEN excluded.reported_at >= progress.reported_at THEN excluded.${column} ELSE progress.${column} END`,
  )
  .join(', ');

/**
 * Keeps the latest report of each partition; a report that comes late only ever moves the time forward. A time in the future, by a
 * sender's wrong clock, counts as now: else it would stand for good.
 */
export async function writeProgress(transaction: Transaction, sourceId: string, progress: Progress): Promise<void> {
  // One row for each partition, in one order for every server; the last of a repeated one.
  const partitions = [...new Map(progress.partitions.map((entry) => [`${entry.partition} ${entry.topic}`, entry])).values()];
  await transaction.query(
    `INSERT INTO progress (source_id, topic, partition, connector, committed, "end", reported_at, caught_up_at)
     SELECT $1::bigint, told.topic, told.partition, $3, told.committed, told."end", least($4::timestamptz, clock_timestamp()),
            CASE WHEN told.committed >= told."end" THEN least($4::timestamptz, clock_timestamp()) END
     FROM json_to_recordset($2::json) AS told(topic text, partition integer, committed numeric, "end" numeric)
     ORDER BY told.topic COLLATE "C", told.partition
     ON CONFLICT (source_id, topic, partition) DO UPDATE SET
       ${latest}, caught_up_at = greatest(progress.caught_up_at, excluded.caught_up_at)`,
    [sourceId, JSON.stringify(partitions), progress.connector, progress.at],
  );
}
