import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from '@jest/globals';
import { articleLines, recordLine } from '../harness/record-lines.js';
import type { LocalScene } from '../harness/local-scene.js';
import { localTest } from '../harness/local-test.js';
import type { ServerProcess } from '../harness/server-process.js';
import { TinyDisk, whyNoTinyDisk } from '../harness/tiny-disk.js';
import { waitUntil } from '../stack/index.js';

const skip = whyNoTinyDisk();
const mebibyte = 1024 * 1024;
const numbers = Array.from({ length: 60 }, (_, index) => index + 1);
/** About 25 kB of words that no compression makes small. */
const bodyOf = (number: number): string =>
  `Article ${number}. ${Array.from({ length: 2000 }, () => Math.random().toString(36).slice(2)).join(' ')}`;

async function serverOnTinyDisk(scene: LocalScene): Promise<{ disk: TinyDisk; server: ServerProcess }> {
  const disk = await TinyDisk.mount(scene.supervisor, join(scene.folder, 'disk'), 192);
  const server = await scene.server({ launcher: disk.launcher, environment: { OSSIAN_DATA_DIR: join(disk.folder, 'data') } });
  return { disk, server };
}

localTest(
  'S5, V1: a full disk is 503 that says so, dead-letters nothing, and when there is room again everything arrives',
  async (scene) => {
    const { disk, server } = await serverOnTinyDisk(scene);
    const corpus = await server.corpus('docs');
    const config = scene.sinkConfig(server, 'docs', { 'errors.tolerance': 'all', 'errors.deadletterqueue.topic.name': 'dlq' });
    await scene.deliver({ config, records: articleLines('The first article, from before.') });
    disk.fill();

    const records = numbers.map((number) => recordLine(number, { id: number + 1 }, { id: number + 1, body: bodyOf(number + 1) }));
    const sink = await scene.startDelivery({ config, records });
    const refused = async (): Promise<boolean> => {
      const answer = await fetch(`${server.url}/v1/corpora/docs/events`, {
        method: 'POST',
        headers: { authorization: `Bearer ${server.key}`, 'content-type': 'application/json' },
        body: JSON.stringify({
          events: [
            {
              id: 'probe',
              op: 'upsert',
              document: { source: 'probe', key: 'id=1', sections: [{ name: 'body', text: bodyOf(0) }] },
            },
          ],
        }),
      });
      if (answer.status !== 503) return false;
      expect(answer.headers.get('retry-after')).toMatch(/^\d+$/);
      expect(answer.headers.get('content-type')).toMatch(/^application\/problem\+json/);
      expect(((await answer.json()) as { detail: string }).detail).toMatch(/disk is full.*make room/);
      return true;
    };
    await waitUntil(refused, 'the full disk to be told');
    await waitUntil(() => Promise.resolve(scene.logOf(sink).includes('disk is full')), 'the sink to say why it waits');
    expect(await corpus.search('first article')).not.toEqual([]);
    expect(sink.exit).toBeUndefined();

    disk.makeRoom();
    expect(await sink.exited).toMatchObject({ code: 0 });
    expect(existsSync(sink.deadLetters)).toBe(false);
    const keys = (await corpus.documents('shop.public.articles')).map(({ key }) => key);
    expect(new Set(keys)).toEqual(new Set([0, ...numbers].map((number) => `id=${number + 1}`)));
    await server.kill();
    await server.start();
    expect(await corpus.documents('shop.public.articles')).toHaveLength(numbers.length + 1);
  },
  { skip },
);

localTest(
  "V1: a disk without room for the database's log ends the server, which says what to do; started with room it has all that it acknowledged",
  async (scene) => {
    const { disk, server } = await serverOnTinyDisk(scene);
    const corpus = await server.corpus('docs');
    // Room for tables, but not for the next 16 MiB segment of the write-ahead log.
    disk.fill(12 * mebibyte);
    const acknowledged = new Set<string>();
    let refused: unknown;
    for (let number = 1; refused === undefined && number <= 500; number += 1) {
      const document = { source: 'articles', key: `id=${number}`, sections: [{ name: 'body', text: bodyOf(number) }] };
      const sent = server.client.sendEvents('docs', [{ id: `event-${number}`, op: 'upsert', document }]);
      await sent.then(
        ([result]) => result?.outcome === 'applied' && acknowledged.add(`id=${number}`),
        (error: unknown) => (refused = error),
      );
    }
    expect(refused).toMatchObject({
      problem: { status: 503, detail: expect.stringMatching(/disk is full.*make room/) as unknown },
    });
    await waitUntil(() => Promise.resolve(!server.running), 'the server to end');
    expect(JSON.stringify(server.logs())).toMatch(
      /the embedded database has stopped.*No space left on device; make room on its disk/,
    );

    await expect(server.start()).rejects.toThrow(
      /ended by itself \(exit code 2\)[\s\S]*cannot be opened.*see that its disk has room/,
    );
    disk.makeRoom();
    await server.start();
    const found = (await corpus.documents('articles')).map(({ key }) => key);
    expect(acknowledged.size).toBeGreaterThan(5);
    expect([...acknowledged].filter((key) => !found.includes(key))).toEqual([]);
    expect(
      (await server.client.sendEvents('docs', [{ id: 'later', op: 'delete', document: { source: 'articles', key: 'id=1' } }]))[0],
    ).toMatchObject({ outcome: 'applied' });
  },
  { skip },
);
