import { expect, it } from '@jest/globals';
import { isCoveredBy } from '../corpus/clear.js';
import { isBefore, type StoredPosition } from '../corpus/position.js';
import { describeEachDatabase } from '../testing/test-databases.js';
import { clearDocuments, readClears, writeClear } from './clear-store.js';
import { positionToColumns } from './stored-position.js';

const numbers = [1n, 2n];
/** Every position of a small source, with a clock that does not always go with its positions. */
const positions = [0, 1].flatMap((partition) =>
  [false, true].flatMap((snapshot) =>
    numbers.flatMap((offset) =>
      numbers.flatMap((timestamp) =>
        [null, ...numbers].flatMap((sourcePosition) =>
          (sourcePosition === null ? [null] : numbers).map((sourceTimestamp): StoredPosition => {
            return { topic: 't', partition, offset, timestamp, sourcePosition, sourceTimestamp, snapshot };
          }),
        ),
      ),
    ),
  ),
);

describeEachDatabase('clears in SQL', (getDatabase) => {
  let count = 0;
  async function createSource(): Promise<{ corpusId: string; sourceId: string }> {
    const { rows } = await getDatabase().pool.query<{ corpusId: string; sourceId: string }>(
      `WITH corpus AS (INSERT INTO corpora (name) VALUES ($1) RETURNING id)
       INSERT INTO sources (corpus_id, name) SELECT id, 's' FROM corpus RETURNING corpus_id::text AS "corpusId", id::text AS "sourceId"`,
      [`corpus-${++count}`],
    );
    return rows[0]!;
  }

  it('V3: a clear removes the documents that the rule says stand before it, and gives them its position', async () => {
    const { corpusId, sourceId } = await createSource();
    const documents = positions.map((position, key) => ({ key: String(key), ...positionToColumns(position) }));
    for (const clear of positions) {
      await getDatabase().transaction(async (transaction) => {
        await transaction.query('DELETE FROM documents WHERE corpus_id = $1', [corpusId]);
        await transaction.query(
          `INSERT INTO documents (corpus_id, source_id, live, key, topic, partition, "offset", "timestamp", source_position, source_timestamp, snapshot)
           SELECT $1, $2, true, d.* FROM json_to_recordset($3::json) AS d(key text, topic text, partition integer, "offset" numeric,
             "timestamp" numeric, source_position numeric, source_timestamp numeric, snapshot boolean)`,
          [corpusId, sourceId, JSON.stringify(documents)],
        );
        const removed = await clearDocuments(transaction, sourceId, clear, []);
        const { rows } = await transaction.query<{ key: string; offset: string; source_position: string | null }>(
          'SELECT key, "offset"::text, source_position::text FROM documents WHERE corpus_id = $1 AND NOT live ORDER BY key::int',
          [corpusId],
        );
        const before = positions.flatMap((position, key) => (isBefore(position, clear) ? [{ key, position }] : []));
        expect(rows).toEqual(
          before.map(({ key, position }) => {
            const source_position = (clear.sourcePosition ?? position.sourcePosition)?.toString() ?? null;
            return { key: String(key), offset: clear.offset.toString(), source_position };
          }),
        );
        expect(removed).toHaveLength(before.length);
      });
    }
  });

  it('remembers a clear, and forgets those that the rule says it covers', async () => {
    for (const added of positions.filter((_position, index) => index % 7 === 0)) {
      const { sourceId } = await createSource();
      await getDatabase().transaction(async (transaction) => {
        await transaction.query(
          `INSERT INTO clears (source_id, topic, partition, "offset", "timestamp", source_position, source_timestamp, snapshot)
           SELECT $1, d.* FROM json_to_recordset($2::json) AS d(topic text, partition integer, "offset" numeric,
             "timestamp" numeric, source_position numeric, source_timestamp numeric, snapshot boolean)`,
          [sourceId, JSON.stringify(positions.map(positionToColumns))],
        );
        await writeClear(transaction, sourceId, added);
        const kept = (await readClears(transaction, [sourceId])).get(sourceId);
        expect(kept).toEqual([...positions.filter((position) => !isCoveredBy(position, added)), added]);
      });
    }
  });
});
