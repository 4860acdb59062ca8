import { createServer, type Server } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import { BackendProblem, ForeignAnswer, OssianClient } from './client.js';

let server: Server | undefined;
afterEach(() => {
  server?.close();
});

async function answering(status: number, headers: Record<string, string>, body: string): Promise<OssianClient> {
  server = createServer((_request, response) => {
    response.writeHead(status, headers).end(body);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return new OssianClient({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/base`, apiKey: 'k' });
}
const problem = JSON.stringify({ title: 'Too many requests', status: 429, code: 'rate_limited', detail: 'wait' });

describe('OssianClient', () => {
  it('throws BackendProblem for our problem+json, with Retry-After', async () => {
    const client = await answering(
      429,
      { 'content-type': 'application/problem+json; charset=utf-8', 'retry-after': '7' },
      problem,
    );
    const error = await client.corpus('c').catch((caught: unknown) => caught);
    expect(BackendProblem.is(error) && [error.problem.code, error.retryAfter]).toEqual(['rate_limited', '7']);
  });
  it.each([
    ['a proxy page', 400, { 'content-type': 'text/html' }, '<html>bad gateway</html>'],
    ['a proxy page with status 200', 200, { 'content-type': 'text/html' }, '<html>login</html>'],
    ['json of another service', 404, { 'content-type': 'application/json' }, '{"error":"no route"}'],
    ['problem+json without our code', 403, { 'content-type': 'application/problem+json' }, '{"title":"no","status":403}'],
    ['a redirect', 302, { location: 'http://127.0.0.1:1/' }, ''],
    ['json that is no object', 200, { 'content-type': 'application/json' }, '[]'],
  ])('throws ForeignAnswer for %s', async (_title, status, headers, body) => {
    const client = await answering(status, headers, body);
    const error = await client.corpus('c').catch((caught: unknown) => caught);
    expect(ForeignAnswer.is(error) && error.status).toBe(status);
  });
  it('takes a 200 whose results are not in our form as foreign', async () => {
    const client = await answering(200, { 'content-type': 'application/json' }, '{"results":[{"id":"a","outcome":"fine"}]}');
    await expect(client.sendEvents('c', [])).rejects.toBeInstanceOf(ForeignAnswer);
  });
});
