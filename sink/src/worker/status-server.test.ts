import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import { ConfigurationError } from '../config/configuration-error.js';
import type { TaskStatus } from '../task/task-status.js';
import { readWorkerFile } from './read-worker-file.js';
import { startStatusServer, type StatusServer } from './status-server.js';

const counts = { consumed: 3, delivered: 2, ignored: 1, dead_lettered: 0, skipped: 0, requests: 1, retries: 0 };
const tables = { outcomes: { applied: 2 }, ignored_kinds: { heartbeat: 1 }, refusals: {}, missing_columns: {} };
const running: TaskStatus = {
  id: 0,
  state: 'RUNNING',
  trace: 'waiting since 2026-12-01T08:00:00.000Z at t-0 offset 9007199254740993: 503',
  error: undefined,
  waits: [],
  counts: { ...counts, ...tables },
  partitions: [
    { topic: 't', partition: 0, committed: 9007199254740993n, position: 9007199254740994n, end: 9007199254740999n, lag: 6n },
  ],
};
const failed: TaskStatus = { ...running, id: 0, state: 'FAILED', trace: 'unauthorized: the key was refused' };

let server: StatusServer | undefined;
afterEach(() => server?.close());
const serve = async (
  statuses: Record<string, TaskStatus>,
): Promise<(path: string, method?: string) => Promise<[number, unknown]>> => {
  const connectors = Object.entries(statuses).map(([name, status]) => ({ name, status: () => [status] }));
  const { url } = (server = await startStatusServer({ host: '127.0.0.1', port: 0 }, '1.2.3', connectors));
  return async (path, method = 'GET') => {
    const response = await fetch(url + path, { method });
    return [response.status, await response.json()];
  };
};

describe('the status of a worker', () => {
  it("is served on Connect's paths, with exact offsets and what a task waits for", async () => {
    const get = await serve({ articles: running, 'a/b': failed });
    expect(await get('/')).toEqual([200, { version: '1.2.3', commit: null, kafka_cluster_id: null }]);
    expect(await get('/connectors')).toEqual([200, ['articles', 'a/b']]);
    expect(await get('/connectors/articles/status')).toMatchObject([
      200,
      {
        name: 'articles',
        type: 'sink',
        connector: { state: 'RUNNING' },
        tasks: [{ id: 0, state: 'RUNNING', trace: expect.stringContaining('offset 9007199254740993') as unknown, counts }],
      },
    ]);
    const [, status] = await get('/connectors/articles/tasks/0/status');
    expect(status).toMatchObject({ partitions: [{ committed: '9007199254740993', position: '9007199254740994', lag: '6' }] });
    expect(await get('/connectors/a%2Fb/status')).toMatchObject([200, { tasks: [{ state: 'FAILED' }] }]);
    expect(await get('/connectors?expand=status')).toMatchObject([200, { articles: { status: { name: 'articles' } } }]);
  });
  it('answers what is not there, cannot be read or would change something in Connect’s own error form', async () => {
    const get = await serve({ articles: running });
    expect(await get('/connectors/other/status')).toEqual([
      404,
      { error_code: 404, message: 'No status found for connector other' },
    ]);
    expect(await get('/connectors/articles/tasks/7/status')).toMatchObject([404, { error_code: 404 }]);
    expect(await get('/connectors/%E0%A4%A/status')).toMatchObject([400, { error_code: 400 }]);
    expect(await get('/connectors/articles/restart', 'POST')).toMatchObject([405, { error_code: 405 }]);
  });
  it('is healthy while each connector has a task that runs', async () => {
    expect((await (await serve({ articles: running }))('/health'))[0]).toBe(200);
    await server?.close();
    expect((await (await serve({ articles: running, other: failed }))('/health'))[0]).toBe(503);
  });
  it('says what to do where its address is taken', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    const { port } = taken.address() as AddressInfo;
    await expect(startStatusServer({ host: '127.0.0.1', port }, '1', [])).rejects.toThrow(
      /another process has it; give another address/,
    );
    taken.close();
  });
});

describe('readWorkerFile', () => {
  const read = (text: string) => readWorkerFile({ path: 'worker.properties', text });
  it('takes the first listener, and loopback on 8083 by default', () => {
    expect(read('listeners=http://0.0.0.0:9000,https://x:1')).toEqual({
      listener: { host: '0.0.0.0', port: 9000 },
      isListenerConfigured: true,
    });
    expect(read('listeners=http://:9000').listener.host).toBe('0.0.0.0');
    expect(readWorkerFile(undefined)).toEqual({ listener: { host: '127.0.0.1', port: 8083 }, isListenerConfigured: false });
  });
  it('lists every fault', () => {
    const error = ((): unknown => {
      try {
        return read('listeners=https://x:1\nrest.port=8');
      } catch (caught) {
        return caught;
      }
    })();
    expect(ConfigurationError.is(error) && error.message).toMatch(/rest\.port.*\n.*listeners/s);
  });
});
