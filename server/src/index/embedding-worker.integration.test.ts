import { createHash } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createLogger } from '@ossian/shared';
import type { Embedder } from '../models/embedder.js';
import type { Database } from '../storage/database.js';
import { registerModel } from '../storage/embedding-model-store.js';
import { removeOrphanVectors } from '../storage/embedding-orphan-store.js';
import { countWaiting, leaseTexts, storeVectors } from '../storage/embedding-store.js';
import { readStatistics } from '../storage/statistics-store.js';
import { describeEachDatabase } from '../testing/test-databases.js';
import { startEmbeddingWorker, type EmbeddingWorker, type EmbeddingWorkerSettings } from './embedding-worker.js';

const logger = createLogger('test', 'silent');
const settings: Partial<EmbeddingWorkerSettings> = { poll: 30, retry: 5, longestBackoff: 30, stop: 200, tidy: 3_600_000 };
const hashOf = (text: string): Buffer => createHash('sha256').update(text, 'utf8').digest();

interface FakeEmbedder extends Embedder {
  /** Every text it was asked for, in order. */
  readonly asked: string[];
  broken: boolean;
  delay: number;
}

/** Two dimensions; texts that hold "poison" make their whole call fail. */
function fakeEmbedder(id = 'fake-1'): FakeEmbedder {
  const fake: FakeEmbedder = {
    id,
    dimension: 2,
    batchSize: 4,
    asked: [],
    broken: false,
    delay: 0,
    embed: async (texts, signal) => {
      fake.asked.push(...texts);
      for (let waited = 0; waited < fake.delay; waited += 5) {
        signal?.throwIfAborted();
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
      if (fake.broken || texts.some((text) => text.includes('poison'))) throw new Error('cannot embed that');
      return texts.map((text) => Float32Array.of(Math.cos(text.length), Math.sin(text.length)));
    },
    close: () => Promise.resolve(),
  };
  return fake;
}

describeEachDatabase('the embedding worker', (getDatabase) => {
  let database: Database;
  let corpusId: string;
  let documentId: string;
  const workers: EmbeddingWorker[] = [];

  const start = (embedder: Embedder, more: Partial<EmbeddingWorkerSettings> = {}): EmbeddingWorker => {
    const worker = startEmbeddingWorker({ database, embedder, logger, settings: { ...settings, ...more } });
    workers.push(worker);
    return worker;
  };
  const addChunks = async (texts: readonly string[]): Promise<void> => {
    await database.pool.query(
      `INSERT INTO chunks (corpus_id, document_id, ordinal, section, start_at, end_at, text, embedded_text, embedded_hash, lexical, lexical_length)
       SELECT $1, $2, (SELECT coalesce(max(ordinal), 0) FROM chunks) + added.at, 'body', 0, 1, added.text, added.text, added.hash, '', 0
       FROM unnest($3::text[], $4::bytea[]) WITH ORDINALITY AS added(text, hash, at)`,
      [corpusId, documentId, texts, texts.map(hashOf)],
    );
  };
  const embedded = async (model = 'fake-1'): Promise<string[]> => {
    const { rows } = await database.pool.query<{ text: string }>(
      `SELECT DISTINCT chunk.embedded_text AS text FROM chunks AS chunk JOIN embeddings AS embedding ON embedding.hash = chunk.embedded_hash
       JOIN embedding_models AS model ON model.id = embedding.model_id WHERE model.name = $1 ORDER BY text`,
      [model],
    );
    return rows.map((row) => row.text);
  };

  beforeEach(async () => {
    database = getDatabase();
    await database.pool.query('DELETE FROM corpora');
    await database.pool.query('DELETE FROM embedding_models');
    const corpus = await database.pool.query<{ id: string }>(`INSERT INTO corpora (name) VALUES ('test') RETURNING id`);
    corpusId = corpus.rows[0]!.id;
    const document = await database.pool.query<{ id: string }>(
      `WITH source AS (INSERT INTO sources (corpus_id, name) VALUES ($1, 's') RETURNING id)
       INSERT INTO documents (corpus_id, source_id, key, live) SELECT $1, id, 'id=1', true FROM source RETURNING id`,
      [corpusId],
    );
    documentId = document.rows[0]!.id;
  });
  afterEach(async () => {
    await Promise.all(workers.splice(0).map((worker) => worker.stop()));
  });

  const pending = async (): Promise<number> =>
    (await readStatistics(database, { corpus: { id: corpusId, name: 'c' }, readers: { kind: 'all' } })).embeddings_pending;

  it('embeds what was there before it started and what comes later, each text once', async () => {
    await addChunks(['one', 'two', 'one']);
    const embedder = fakeEmbedder();
    const worker = start(embedder);
    await worker.idle();
    expect(await embedded()).toEqual(['one', 'two']);
    await addChunks(['three', 'two', 'four', 'five', 'six', 'seven']);
    worker.wake();
    await worker.idle();
    expect(await embedded()).toEqual(['five', 'four', 'one', 'seven', 'six', 'three', 'two']);
    expect(embedder.asked).toEqual(['one', 'two', 'three', 'four', 'five', 'six', 'seven']);
    expect(await pending()).toBe(0);
  });

  it('reports what is pending, and never embeds again what a replaced document still says', async () => {
    const embedder = fakeEmbedder();
    const worker = start(embedder);
    await worker.idle();
    await worker.stop();
    await addChunks(['kept', 'gone']);
    expect(await pending()).toBe(2);
    await database.pool.query(`DELETE FROM chunks WHERE text = 'gone'`);
    await start(embedder).idle();
    await database.pool.query('DELETE FROM chunks');
    await addChunks(['kept', 'new']);
    await start(embedder).idle();
    expect(embedder.asked).toEqual(['kept', 'new']);
  });

  it('two workers on one queue embed each text once', async () => {
    const texts = Array.from({ length: 60 }, (_, index) => `text ${index}`);
    const [left, right] = [fakeEmbedder(), fakeEmbedder()];
    left.delay = right.delay = 5;
    const pair = [start(left), start(right)];
    await Promise.all(pair.map((worker) => worker.idle()));
    await addChunks([...texts, ...texts]);
    pair.forEach((worker) => worker.wake());
    await Promise.all(pair.map((worker) => worker.idle()));
    expect([...left.asked, ...right.asked].sort()).toEqual([...texts].sort());
    expect(left.asked.length).toBeGreaterThan(0);
    expect(right.asked.length).toBeGreaterThan(0);
  });

  it('leaves a leased text alone until the lease of a worker that died has expired', async () => {
    const model = await database.transaction((transaction) => registerModel(transaction, 'fake-1', 2));
    await addChunks(['left behind', 'another']);
    const dead = await database.transaction((transaction) => leaseTexts(transaction, model.id, 1, 400));
    expect(dead.texts.map((text) => text.text)).toEqual(['left behind']);
    const embedder = fakeEmbedder();
    const worker = start(embedder);
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(embedder.asked).toEqual(['another']);
    await worker.idle();
    expect(await embedded()).toEqual(['another', 'left behind']);
  });

  it('sets a text aside that cannot be embedded, shows it, and goes on with the others', async () => {
    const embedder = fakeEmbedder();
    await addChunks(['poison', 'a', 'b', 'c', 'd', 'e']);
    await start(embedder).idle();
    expect(await embedded()).toEqual(['a', 'b', 'c', 'd', 'e']);
    const { rows } = await database.pool.query<{ error: string; failures: number }>(
      'SELECT error, failures FROM embedding_leases',
    );
    expect(rows).toEqual([{ error: 'Error: cannot embed that', failures: 3 }]);
    const model = await database.transaction((transaction) => registerModel(transaction, 'fake-1', 2));
    expect(await database.transaction((transaction) => countWaiting(transaction, model.id))).toEqual({ queued: 0, setAside: 1 });
  });

  it('waits while the embedder is away, blames no text, and catches up', async () => {
    const embedder = fakeEmbedder();
    embedder.broken = true;
    await addChunks(['a', 'b', 'c']);
    const worker = start(embedder);
    await new Promise((resolve) => setTimeout(resolve, 300));
    const { rows } = await database.pool.query('SELECT 1 FROM embedding_leases WHERE failures > 0 OR set_aside');
    expect(rows).toHaveLength(0);
    embedder.broken = false;
    await worker.idle();
    expect(await embedded()).toEqual(['a', 'b', 'c']);
  });

  it('stops within its time in the middle of a batch, and gives the texts back', async () => {
    const embedder = fakeEmbedder();
    embedder.delay = 60_000;
    await addChunks(['a', 'b']);
    const worker = start(embedder);
    while (embedder.asked.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    const started = performance.now();
    await worker.stop();
    expect(performance.now() - started).toBeLessThan(2000);
    const next = fakeEmbedder();
    await start(next).idle();
    expect(next.asked).toEqual(['a', 'b']);
  });

  it('V8: another model gets vectors of its own, and answers only when all are there', async () => {
    await addChunks(['a', 'b', 'poison']);
    await start(fakeEmbedder()).idle();
    const activeModel = async (): Promise<string[]> => {
      const { rows } = await database.pool.query<{ name: string }>('SELECT name FROM embedding_models WHERE active');
      return rows.map((row) => row.name);
    };
    await Promise.all(workers.splice(0).map((worker) => worker.stop()));
    const second = fakeEmbedder('fake-2');
    second.broken = true;
    const worker = start(second);
    await new Promise((resolve) => setTimeout(resolve, 150));
    expect(await activeModel()).toEqual(['fake-1']);
    second.broken = false;
    await worker.idle();
    expect(await activeModel()).toEqual(['fake-2']);
    expect(await embedded('fake-2')).toEqual(['a', 'b']);
    await expect(database.transaction((transaction) => registerModel(transaction, 'fake-2', 3))).rejects.toThrow('3 dimensions');
  });

  describe('orphans', () => {
    it('removes vectors that no chunk needs, slice by slice, and only those', async () => {
      await addChunks(['kept', 'old 1', 'old 2', 'old 3']);
      await start(fakeEmbedder()).idle();
      await database.pool.query(`DELETE FROM chunks WHERE text LIKE 'old%'`);
      let removed = 0;
      let cursor: Awaited<ReturnType<typeof removeOrphanVectors>>['next'];
      do {
        const slice = await database.transaction((transaction) => removeOrphanVectors(transaction, cursor, 2));
        removed += slice.removed;
        cursor = slice.next;
      } while (cursor);
      expect(removed).toBe(3);
      const { rows } = await database.pool.query('SELECT 1 FROM embeddings');
      expect(rows).toHaveLength(1);
    });

    it('the worker removes them in quiet times', async () => {
      await addChunks(['kept', 'old']);
      const worker = start(fakeEmbedder(), { tidy: 20, tidySlice: 1 });
      await worker.idle();
      await database.pool.query(`DELETE FROM chunks WHERE text = 'old'`);
      const count = async (): Promise<number> => (await database.pool.query('SELECT 1 FROM embeddings')).rows.length;
      for (let tries = 0; tries < 100 && (await count()) > 1; tries += 1) await new Promise((resolve) => setTimeout(resolve, 20));
      expect(await count()).toBe(1);
      expect(await embedded()).toEqual(['kept']);
    });

    it('a text that comes back after its vector was removed is embedded again', async () => {
      const embedder = fakeEmbedder();
      await addChunks(['back']);
      const worker = start(embedder);
      await worker.idle();
      await database.pool.query('DELETE FROM chunks');
      await database.transaction((transaction) => removeOrphanVectors(transaction, undefined, 10));
      await addChunks(['back']);
      worker.wake();
      await worker.idle();
      expect(embedder.asked).toEqual(['back', 'back']);
      expect(await embedded()).toEqual(['back']);
    });
  });

  it('finds vectors by the index of their model', async () => {
    const model = await database.transaction((transaction) => registerModel(transaction, 'fake-1', 2));
    const vectors = Array.from({ length: 400 }, (_, index) => ({
      hash: hashOf(`v${index}`),
      vector: Float32Array.of(Math.cos(index), Math.sin(index)),
    }));
    await database.transaction((transaction) => storeVectors(transaction, model.id, vectors));
    const plan = await database.transaction(async (transaction) => {
      await transaction.query('SET LOCAL enable_seqscan = off');
      return transaction.query<{ 'QUERY PLAN': string }>(
        `EXPLAIN SELECT hash FROM embeddings WHERE model_id = ${model.id} ORDER BY vector::vector(2) <=> '[1,0]' LIMIT 5`,
      );
    });
    expect(plan.rows.map((row) => row['QUERY PLAN']).join('\n')).toContain(`embeddings_vector_${model.id}`);
  });
});
