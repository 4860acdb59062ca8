// Child of crash.integration.test.ts: writes numbered rows for ever and prints each number once its commit is acknowledged.
import { createLogger } from '@ossian/shared';
import { openDatabase } from '../storage/open-database.js';

const database = await openDatabase({ dataDir: process.argv[2], logger: createLogger('crash-writer', 'error') });
await database.pool.query('CREATE TABLE IF NOT EXISTS crash_rows (number integer PRIMARY KEY, part integer, text text)');
const { rows } = await database.pool.query<{ next: number }>('SELECT coalesce(max(number), -1) + 1 AS next FROM crash_rows');
for (let number = rows[0]!.next; ; number += 2) {
  await database.transaction(async (transaction) => {
    await transaction.query('INSERT INTO crash_rows VALUES ($1, 0, $2)', [number, 'x'.repeat(2000)]);
    await transaction.query('INSERT INTO crash_rows VALUES ($1, 1, $2)', [number + 1, 'y'.repeat(2000)]);
  });
  process.stdout.write(`${number}\n`);
}
