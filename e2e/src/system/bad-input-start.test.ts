import { cpSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect } from '@jest/globals';
import type { EventInput } from '@ossian/shared';
import { articleLines, recordLine } from '../harness/record-lines.js';
import type { LocalScene } from '../harness/local-scene.js';
import { localTest, localTestOnEachStorage } from '../harness/local-test.js';
import { runProgram } from '../harness/run-program.js';
import { serverProgram } from '../harness/server-process.js';
import { TcpGate } from '../harness/tcp-gate.js';
import { waitUntil } from '../stack/index.js';

const article = (number: number): EventInput => ({
  id: `event-${number}`,
  op: 'upsert',
  document: { source: 'articles', key: `id=${number}`, sections: [{ name: 'body', text: `The text of article ${number}.` }] },
});

localTest(
  'bad input: a database that cannot be reached ends the start with one line that says what to do, without the password',
  async () => {
    const ended = await runProgram('server', [], { DATABASE_URL: 'postgres://ossian:secret-word@127.0.0.1:9/kb', PORT: '0' });
    expect(ended).toMatchObject({ code: 2, stdout: '' });
    expect(ended.stderr).toMatch(
      /^ossian-server: the database at 127\.0\.0\.1:9\/kb cannot be used: .*ECONNREFUSED.*; is it running.*\n$/,
    );
  },
);

localTest(
  'bad input, S5: a database that goes away is 503 and not ready; the sink waits, says why, and delivers when it is back',
  async (scene) => {
    const database = await scene.database();
    const gate = await TcpGate.before(database.url);
    scene.atEnd(() => gate.end());
    const server = await scene.server({ databaseUrl: gate.url });
    const corpus = await server.corpus('docs');
    const config = scene.sinkConfig(server, 'docs', { 'errors.tolerance': 'all', 'errors.deadletterqueue.topic.name': 'dlq' });
    await scene.deliver({ config, records: articleLines('From before.') });
    await gate.close();
    const ready = await fetch(`${server.url}/health/ready`);
    expect(ready.status).toBe(503);
    await expect(server.client.sendEvents('docs', [article(1)])).rejects.toMatchObject({
      problem: { status: 503, code: 'database_unavailable' },
      retryAfter: expect.stringMatching(/^\d+$/) as unknown,
    });
    const sink = await scene.startDelivery({
      config,
      records: [1, 2].map((id) => recordLine(id, { id: id + 1 }, { id, title: 'T', body: 'Later.' })),
    });
    await waitUntil(() => Promise.resolve(scene.logOf(sink).includes('database_unavailable')), 'the sink to say why it waits');
    await gate.open();
    expect(await sink.exited).toMatchObject({ code: 0 });
    expect((await corpus.statistics()).sources[0]).toMatchObject({ source: 'shop.public.articles', documents: 3 });
  },
  { postgres: true },
);

localTest(
  'bad input: a second server on the same data folder ends with one line that names the first, which goes on unharmed',
  async (scene) => {
    const folder = join(scene.folder, 'shared-data');
    const first = await scene.server({ environment: { OSSIAN_DATA_DIR: folder } });
    const corpus = await first.corpus('docs');
    await first.client.sendEvents('docs', [article(1)]);
    const second = await runProgram('server', [], { OSSIAN_DATA_DIR: folder, PORT: '0' });
    expect(second).toMatchObject({ code: 2, stdout: '' });
    expect(second.stderr).toBe(
      `ossian-server: the data folder ${folder} is in use by process ${first.pid}, serving at ${first.url}; ` +
        'stop that server, use another OSSIAN_DATA_DIR, or set DATABASE_URL to share one database between servers\n',
    );
    expect(await first.client.sendEvents('docs', [article(2)])).toMatchObject([{ outcome: 'applied' }]);
    await first.kill();
    // The lock of a server that was killed is taken over.
    await first.start();
    expect((await corpus.documents()).map(({ key }) => key).sort()).toEqual(['id=1', 'id=2']);
  },
);

/** A build of the server with one migration more than this one: its bin. */
function newerServer(scene: LocalScene): string {
  const here = dirname(dirname(serverProgram));
  const there = join(scene.folder, 'newer', 'server');
  mkdirSync(there, { recursive: true });
  for (const part of ['bin', 'dist', 'package.json']) cpSync(join(here, part), join(there, part), { recursive: true });
  symlinkSync(join(here, 'weights'), join(there, 'weights'));
  symlinkSync(join(here, 'node_modules'), join(there, 'node_modules'));
  symlinkSync(join(dirname(here), 'node_modules'), join(dirname(there), 'node_modules'));
  writeFileSync(join(there, 'dist', 'storage', 'migrations', '9001_later.sql'), 'CREATE TABLE of_a_later_version (id bigint);');
  return join(there, 'bin', 'ossian-server.js');
}

localTestOnEachStorage(
  'bad input: a database that a newer server has written is refused by name and left as it was',
  async (scene, storage) => {
    const place: Record<string, string> =
      storage === 'postgres' ? { DATABASE_URL: (await scene.database()).url } : { OSSIAN_DATA_DIR: join(scene.folder, 'data') };
    const newer = await scene.server({ program: newerServer(scene), environment: place });
    await newer.corpus('docs');
    await newer.client.sendEvents('docs', [article(1)]);
    await newer.stop();
    const older = await runProgram('server', [], { ...place, PORT: '0' });
    expect(older).toMatchObject({ code: 2, stdout: '' });
    expect(older.stderr).toMatch(
      /^ossian-server: the database has schema version 9001 and this ossian-server knows \d+: .*start that version, or use another database\n$/,
    );
    await newer.start();
    expect(await (await newer.corpus('docs')).documents()).toMatchObject([{ key: 'id=1' }]);
  },
);
