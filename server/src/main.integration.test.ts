import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, it } from '@jest/globals';
import { type CorpusStatistics, type EventInput, OssianClient } from '@ossian/shared';
import { runCommand, type ServerProcess, startServerProcess } from './testing/server-process.js';

const folder = mkdtempSync(join(tmpdir(), 'ossian-main-'));
const running: ServerProcess[] = [];
afterEach(async () => {
  for (const server of running.splice(0)) await server.end('SIGKILL');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function serve(env: Record<string, string>): Promise<ServerProcess> {
  const server = await startServerProcess({ OSSIAN_LOG_LEVEL: 'warn', ...env });
  running.push(server);
  return server;
}
const article = (number: number, text: string): EventInput => ({
  id: `event-${number}-${text}`,
  op: 'upsert',
  document: { source: 'articles', key: `id=${number}`, sections: [{ name: 'body', text }] },
});

describe('ossian-server', () => {
  it('tells its version, and every environment variable in its help', async () => {
    const version = await runCommand(['--version'], {});
    expect(version).toMatchObject({ code: 0, stdout: '0.1.0\n' });
    const help = await runCommand(['--help'], {});
    expect(help.stdout).toMatch(/DATABASE_URL +a Postgres with pgvector/);
    expect(help.stdout).toMatch(/keys/);
  });

  it('ends with 2 and one line for each fault, never a stack', async () => {
    const taken = createServer();
    await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
    const port = String((taken.address() as { port: number }).port);
    writeFileSync(join(folder, 'file'), '');
    const faults: [Record<string, string>, RegExp][] = [
      [{ PORT: 'x', OSSIAN_LOG_LEVEL: 'loud' }, /^ossian-server: PORT: .*\nossian-server: OSSIAN_LOG_LEVEL: .*\n$/],
      [{ DATABASE_URL: 'postgres://u:pw@127.0.0.1:9/x' }, /^ossian-server: the database at 127.0.0.1:9\/x cannot be used: .*\n$/],
      [{ OSSIAN_DATA_DIR: join(folder, 'file', 'below') }, /^ossian-server: the data folder .* OSSIAN_DATA_DIR .*\n$/],
      [
        { OSSIAN_DATA_DIR: join(folder, 'port'), PORT: port, OSSIAN_LOG_LEVEL: 'warn' },
        /^ossian-server: port \d+ on 127.0.0.1 is in use.*\n$/,
      ],
    ];
    for (const [env, stderr] of faults) {
      const ended = await runCommand([], env);
      expect(ended).toMatchObject({ code: 2, stderr: expect.stringMatching(stderr) as unknown });
    }
    taken.close();
  });

  it('makes an admin key for a new folder, once; keys are administered while it runs and while it does not', async () => {
    const env = { OSSIAN_DATA_DIR: join(folder, 'keys') };
    const server = await serve(env);
    const firstKey = /osk_[\w-]{43}/.exec(server.stdout())![0];
    const client = new OssianClient({ url: server.url, apiKey: firstKey });
    await client.putCorpus('docs');
    const made = await runCommand(['keys', 'create', '--name', 'sink', '--scope', 'ingest', '--corpus', 'docs'], env);
    expect(made).toMatchObject({ code: 0, stdout: expect.stringMatching(/^osk_[\w-]{43}\n$/) as unknown });
    const sink = new OssianClient({ url: server.url, apiKey: made.stdout.trim() });
    expect(await sink.sendEvents('docs', [article(1, 'one')])).toMatchObject([{ outcome: 'applied' }]);
    const listed = await runCommand(['keys', 'list', '--json'], env);
    const sinkId = (JSON.parse(listed.stdout) as { id: string; name: string }[]).find(({ name }) => name === 'sink')!.id;
    expect(await runCommand(['keys', 'revoke', sinkId], env)).toMatchObject({ code: 0 });
    await expect(sink.sendEvents('docs', [article(2, 'two')])).rejects.toMatchObject({ problem: { status: 401 } });
    expect(await server.end('SIGTERM')).toBe(0);

    const afterwards = await runCommand(['keys', 'create', '--name', 'later', '--scope', 'ask'], env);
    const again = await serve(env);
    expect(again.stdout()).not.toContain('osk_');
    const later = new OssianClient({ url: again.url, apiKey: afterwards.stdout.trim() });
    expect(await later.corpus('docs')).toMatchObject({ documents: 1 });
    const second = await runCommand([], { ...env, OSSIAN_LOG_LEVEL: 'warn' });
    expect(second).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(`process ${again.child.pid}, serving at ${again.url}`) as unknown,
    });
  });

  it('says how to make a key where none can be used, and what a scope may be', async () => {
    const env = { OSSIAN_DATA_DIR: join(folder, 'keyless') };
    const first = await serve(env);
    expect(first.stdout()).not.toContain('There is no key');
    const listed = await runCommand(['keys', 'list', '--json'], env);
    for (const { id } of JSON.parse(listed.stdout) as { id: string }[]) await runCommand(['keys', 'revoke', id], env);
    await first.end('SIGTERM');
    const again = await serve(env);
    expect(again.stdout()).toContain('npx ossian-server keys create --name admin --scope admin');
    const wrong = await runCommand(['keys', 'create', '--name', 'x', '--scope', 'everything'], env);
    expect(wrong).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/--scope takes ingest, ask, memory, admin/) as unknown,
    });
  });

  it('finishes the requests it has before it ends', async () => {
    const server = await serve({ OSSIAN_DATA_DIR: join(folder, 'ending'), OSSIAN_BOOTSTRAP_KEY: 'bootstrap-key-4711' });
    const client = new OssianClient({ url: server.url, apiKey: 'bootstrap-key-4711' });
    await client.putCorpus('docs');
    const text = 'word '.repeat(20_000);
    const sent = client.sendEvents(
      'docs',
      [1, 2, 3, 4, 5].map((number) => article(number, `${number} ${text}`.slice(0, 4000))),
    );
    await new Promise((resolve) => setTimeout(resolve, 20));
    const ended = server.end('SIGTERM');
    expect((await sent).map(({ outcome }) => outcome)).toEqual(Array.from({ length: 5 }, () => 'applied'));
    expect(await ended).toBe(0);
  });
});

describe('the embedded database under load', () => {
  it('V1: misses nothing that was acknowledged after kill -9, whatever failed, went away or was embedded meanwhile', async () => {
    const env = { OSSIAN_DATA_DIR: join(folder, 'killed'), OSSIAN_BOOTSTRAP_KEY: 'bootstrap-key-4711' };
    const acknowledged = new Set<string>();
    let sentSoFar = 0;
    for (let round = 0; round < 3; round++) {
      const server = await serve(env);
      const client = new OssianClient({ url: server.url, apiKey: env.OSSIAN_BOOTSTRAP_KEY });
      await client.putCorpus('docs');
      const killed = new AbortController();
      const write = async (writer: number): Promise<void> => {
        while (!killed.signal.aborted) {
          const first = (sentSoFar += 10) + writer * 1_000_000;
          const events = Array.from({ length: 10 }, (_, index) =>
            article(first + index, `Article ${first + index} of round ${round}.`),
          );
          // An event that the database itself refuses, and a caller that goes away in mid-request.
          const failing = {
            ...article(first, 'x'),
            id: `bad-${first}`,
            position: { topic: 't', partition: 2 ** 40, offset: '1', timestamp: '1' },
          };
          const away = new AbortController();
          const leaves = writer === 0;
          if (leaves) setTimeout(() => away.abort(), 15);
          const signal = leaves ? away.signal : killed.signal;
          const results = await client.sendEvents('docs', leaves ? events : [...events, failing], { signal }).catch(() => []);
          results.forEach((result, index) => {
            if (result.outcome === 'applied') acknowledged.add(`id=${first + index}`);
          });
          if (!leaves) await client.search('docs', { query: 'article', limit: 3 }, { signal }).catch(() => undefined);
        }
      };
      const writers = [0, 1, 2].map(write);
      await new Promise((resolve) => setTimeout(resolve, 2500));
      await server.end('SIGKILL');
      killed.abort();
      await Promise.all(writers);
    }
    const server = await serve(env);
    const client = new OssianClient({ url: server.url, apiKey: env.OSSIAN_BOOTSTRAP_KEY });
    const found = new Set<string>();
    for (let cursor: string | null = ''; cursor !== null;) {
      const page = await client.documents('docs', { limit: '200', ...(cursor === '' ? {} : { cursor }) });
      for (const document of page.documents) if (document.chunks === 1) found.add(document.key);
      cursor = page.next_cursor;
    }
    expect(acknowledged.size).toBeGreaterThan(50);
    expect([...acknowledged].filter((key) => !found.has(key))).toEqual([]);
    const statistics: CorpusStatistics = await client.corpus('docs');
    expect(statistics).toMatchObject({ documents: found.size, chunks: found.size });
    expect(statistics.events).toBe(found.size);
  });
});
