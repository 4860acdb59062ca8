import { connect } from 'node:net';
import { expect } from '@jest/globals';
import type { EventInput } from '@ossian/shared';
import { localTest } from '../harness/local-test.js';
import type { ServerProcess } from '../harness/server-process.js';
import { waitUntil } from '../stack/index.js';

const batchSize = 8;
const textOf = (number: number): string => `Article ${number} tells about subject ${number % 17} in ${number} words.`;
const article = (number: number): EventInput => ({
  id: `event-${number}`,
  op: 'upsert',
  document: { source: 'articles', key: `id=${number}`, sections: [{ name: 'body', text: textOf(number) }] },
});
/** Passes validation and fails in the database, inside the transaction of its batch: it is longer than a row of an index. */
const failing = (number: number): EventInput => ({
  id: `failing-${number}`,
  op: 'upsert',
  document: { source: 'articles', key: Array.from({ length: 4000 }, () => Math.floor(Math.random() * 36).toString(36)).join('') },
});

/** What every caller was told, over all lives of the server. */
class Load {
  readonly acknowledged = new Set<number>();
  readonly left = new Set<number>();
  rejected = 0;
  searched = 0;
  #next = 0;

  batch(): number[] {
    this.#next += batchSize;
    return Array.from({ length: batchSize }, (_, index) => this.#next + index);
  }

  /** Sends batches with a fault in the middle until the server is gone. */
  async write(server: ServerProcess, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const numbers = this.batch();
      const events = numbers.flatMap((number, index) => (index === 4 ? [failing(number), article(number)] : [article(number)]));
      const results = await server.client.sendEvents('docs', events, { signal }).catch(() => []);
      for (const { id, outcome } of results) {
        if (outcome === 'applied') this.acknowledged.add(Number(id.split('-')[1]));
        if (outcome === 'rejected') this.rejected += 1;
      }
    }
  }

  /** Asks and searches meanwhile. */
  async read(server: ServerProcess, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const found = await server.client
        .search('docs', { query: 'subject 3', leg: 'vector', readers: ['*'] }, { signal })
        .catch(() => undefined);
      if (found !== undefined) this.searched += 1;
    }
  }

  /** A client that sends a whole batch, or half of it, and is gone before the answer. */
  async leave(server: ServerProcess, signal: AbortSignal): Promise<void> {
    for (let whole = true; !signal.aborted; whole = !whole) {
      const numbers = this.batch();
      numbers.forEach((number) => this.left.add(number));
      const body = JSON.stringify({ events: numbers.map(article) });
      const head = [
        'POST /v1/corpora/docs/events HTTP/1.1',
        'Host: ossian',
        `Authorization: Bearer ${server.key}`,
        'Content-Type: application/json',
        `Content-Length: ${Buffer.byteLength(body)}`,
      ].join('\r\n');
      await new Promise<void>((resolve) => {
        const socket = connect(Number(new URL(server.url).port), '127.0.0.1');
        socket.on('error', () => resolve()).on('close', () => resolve());
        socket.write(`${head}\r\n\r\n${whole ? body : body.slice(0, body.length / 2)}`);
        setTimeout(() => socket.destroy(), 5 + Math.random() * 300);
      });
    }
  }
}

localTest(
  '16, V1: on the embedded database nothing that was acknowledged is missing after kill -9, whatever failed, left or was embedded meanwhile',
  async (scene) => {
    const server = await scene.server();
    const corpus = await server.corpus('docs');
    const load = new Load();
    let embeddedMeanwhile = 0;
    for (let life = 0; life < 2; life += 1) {
      if (life > 0) await server.start();
      const killed = new AbortController();
      const before = load.acknowledged.size;
      const { signal } = killed;
      const callers = [
        load.write(server, signal),
        load.write(server, signal),
        load.read(server, signal),
        load.leave(server, signal),
      ];
      await waitUntil(
        () => Promise.resolve(load.acknowledged.size >= before + 8 * batchSize),
        'some batches to be acknowledged',
        60_000,
      );
      const { chunks, embeddings_pending: pending } = await corpus.statistics();
      if (pending > 0 && pending < chunks) embeddedMeanwhile += 1;
      await server.kill();
      killed.abort();
      await Promise.all(callers);
    }
    expect(embeddedMeanwhile).toBeGreaterThan(0);
    expect(load.rejected).toBeGreaterThan(0);
    expect(load.searched).toBeGreaterThan(0);

    await server.start();
    const documents = await corpus.documents();
    const found = new Map(documents.map(({ key, sections }) => [Number(key.slice(3)), sections?.[0]?.text]));
    expect([...load.acknowledged].filter((number) => found.get(number) !== textOf(number))).toEqual([]);
    // Every event has left all of its trace or none, and each batch is there whole or not at all.
    const counts = new Map<number, number>();
    for (const number of found.keys()) {
      const batch = Math.floor(number / batchSize);
      counts.set(batch, (counts.get(batch) ?? 0) + 1);
    }
    expect([...counts.values()].filter((count) => count !== batchSize)).toEqual([]);
    expect(await corpus.statistics()).toMatchObject({ documents: found.size, chunks: found.size, events: found.size });
    expect(load.left.size).toBeGreaterThan(batchSize);
    await corpus.embedded();
    const hits = await corpus.search('Article about subject 3', 'vector');
    expect(hits.length).toBeGreaterThan(0);
  },
);
