import { describe, expect, it } from '@jest/globals';
import { BackendProblem, ForeignAnswer } from '@ossian/shared';
import { RequestTimeout } from './request-timeout.js';
import { judgeFault } from './verdict.js';

const now = Date.parse('2026-03-01T08:00:00Z');
const ours = (status: number, retryAfter: string | null = null) =>
  judgeFault(new BackendProblem({ title: 'no', status, code: 'a_code', detail: 'what to do' }, retryAfter), now);
const foreign = (status: number, retryAfter: string | null = null) =>
  judgeFault(new ForeignAnswer(status, 'text/html', retryAfter), now);
const network = (code: string, message = `connect ${code}`) =>
  judgeFault(new TypeError('fetch failed', { cause: Object.assign(new Error(message), { code }) }), now);

describe('the verdict on what the backend answers (DESIGN 3.4)', () => {
  it.each([401])('S6: %s is a refused key, whoever says it', (status) => {
    expect(ours(status).kind).toBe('unauthorized');
    expect(foreign(status).kind).toBe('unauthorized');
  });
  it('S6: 403 ends the task, whoever says it', () => {
    expect(ours(403)).toMatchObject({ kind: 'fail', code: 'a_code', message: expect.stringContaining('scope ingest') });
    expect(foreign(403)).toMatchObject({ kind: 'fail', code: 'forbidden' });
  });
  it.each([400, 413])('%s of ours parts the batch', (status) => {
    expect(ours(status)).toMatchObject({ kind: 'split', code: 'a_code' });
  });
  it.each([404, 405, 406, 409, 410, 415, 422, 451])(
    '%s of ours is a misconfiguration and ends the task with what to do',
    (status) => {
      expect(ours(status)).toMatchObject({ kind: 'fail', code: 'a_code', message: expect.stringContaining('ossian.corpus') });
    },
  );
  it.each([408, 425, 429, 500, 501, 502, 503, 504, 507, 599])(
    'S5: %s is an outage, whoever says it, without a limit',
    (status) => {
      expect(ours(status)).toMatchObject({ kind: 'wait', foreign: false });
      expect(foreign(status)).toMatchObject({ kind: 'wait', foreign: false });
    },
  );
  it.each([408, 500, 504])('%s may come of too much at once: halve', (status) => {
    expect(ours(status)).toMatchObject({ halve: true });
  });
  it.each([425, 429, 502, 503])('%s has nothing to do with the batch: whole again', (status) => {
    expect(ours(status)).toMatchObject({ halve: false });
  });
  it.each([200, 204, 301, 302, 307, 400, 404, 413, 418])(
    'S5: %s that is not ours (a proxy) is an outage with a limit',
    (status) => {
      expect(foreign(status)).toMatchObject({ kind: 'wait', foreign: true });
    },
  );
  it.each(['ECONNREFUSED', 'ECONNRESET', 'ENOTFOUND', 'ETIMEDOUT', 'UND_ERR_SOCKET', 'DEPTH_ZERO_SELF_SIGNED_CERT'])(
    'S5: %s is an outage, named',
    (code) => {
      expect(network(code)).toMatchObject({ kind: 'wait', foreign: false, halve: false, reason: expect.stringContaining(code) });
    },
  );
  it('S5: a timeout is an outage, and halves', () => {
    expect(judgeFault(new RequestTimeout(30_000), now)).toMatchObject({ kind: 'wait', halve: true, foreign: false });
  });
  it('takes Retry-After in both forms', () => {
    expect(ours(429, '7')).toMatchObject({ retryAfter: 7_000 });
    expect(ours(503, 'Sun, 01 Mar 2026 08:00:30 GMT')).toMatchObject({ retryAfter: 30_000 });
    expect(ours(503, 'Sun, 01 Mar 2026 07:00:00 GMT')).toMatchObject({ retryAfter: 0 });
    expect(ours(503, 'soon')).toMatchObject({ retryAfter: undefined });
    expect(foreign(429, '3')).toMatchObject({ retryAfter: 3_000 });
  });
  it('S10: what fetch itself refuses does not show the key', () => {
    const verdict = judgeFault(new TypeError('Headers.append: "Bearer top secret" is an invalid header value.'), now);
    expect(verdict.kind).toBe('fail');
    expect(JSON.stringify(verdict)).not.toContain('secret');
  });
});
