import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { FaultyProxy } from './faulty-proxy.js';

describe('FaultyProxy', () => {
  let backend: Server;
  let bodies: string[];
  let proxy: FaultyProxy;
  beforeEach(async () => {
    bodies = [];
    backend = createServer((request, response) => {
      let body = '';
      request.on('data', (chunk: Buffer) => (body += chunk.toString()));
      request.on('end', () => {
        bodies.push(body);
        response.writeHead(200, { 'content-type': 'application/json' }).end('{"results":[]}');
      });
    });
    await new Promise<void>((resolve) => backend.listen(0, '127.0.0.1', resolve));
    proxy = await FaultyProxy.start(`http://127.0.0.1:${(backend.address() as AddressInfo).port}`);
  });
  afterEach(async () => {
    await proxy.close();
    backend.closeAllConnections();
    await new Promise((resolve) => backend.close(resolve));
  });
  const send = (...ids: string[]): Promise<Response> =>
    fetch(`${proxy.url}/v1/corpora/c/events`, { method: 'POST', body: JSON.stringify({ events: ids.map((id) => ({ id })) }) });

  it('answers itself on cue, and the backend does not see the request', async () => {
    proxy.next({ kind: 'answer', status: 429, headers: { 'retry-after': '1' } }, { kind: 'answer', status: 413, body: '<html>' });
    const [first, second, third] = [await send('a'), await send('a'), await send('a', 'b')];
    expect([first.status, first.headers.get('retry-after'), second.status, await second.text()]).toEqual([
      429,
      '1',
      413,
      '<html>',
    ]);
    expect([third.status, await third.text()]).toEqual([200, '{"results":[]}']);
    expect(bodies).toEqual(['{"events":[{"id":"a"},{"id":"b"}]}']);
    expect(proxy.redelivered).toBe(0);
    expect(proxy.requests.map(({ fault, status, eventIds }) => [fault, status, eventIds])).toEqual([
      ['answer', 429, ['a']],
      ['answer', 413, ['a']],
      [undefined, 200, ['a', 'b']],
    ]);
  });

  it('cuts the connection before or after the backend has acted, and counts what was passed on twice', async () => {
    proxy.next({ kind: 'cut', when: 'before' }, { kind: 'cut', when: 'after' });
    await expect(send('a')).rejects.toThrow('fetch failed');
    expect(bodies).toHaveLength(0);
    await expect(send('a', 'b')).rejects.toThrow('fetch failed');
    expect(bodies).toHaveLength(1);
    expect((await send('b', 'c')).status).toBe(200);
    expect(proxy.redelivered).toBe(1);
    expect(Object.fromEntries(proxy.deliveries)).toEqual({ a: 1, b: 2, c: 1 });
  });

  it('misbehaves only on events, and until it is told to stop', async () => {
    proxy.always({ kind: 'answer', status: 503 });
    expect((await fetch(`${proxy.url}/v1/corpora/c`)).status).toBe(200);
    expect([(await send('a')).status, (await send('a')).status]).toEqual([503, 503]);
    proxy.always(undefined);
    expect((await send('a')).status).toBe(200);
  });

  it('breaks the connection where the backend is away', async () => {
    backend.closeAllConnections();
    await new Promise((resolve) => backend.close(resolve));
    await expect(send('a')).rejects.toThrow('fetch failed');
  });
});
