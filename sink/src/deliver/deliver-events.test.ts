import { describe, expect, it } from '@jest/globals';
import { BackendProblem, type EventResult, ForeignAnswer } from '@ossian/shared';
import type { OutgoingEvent } from './backend.js';
import { deliverEvents, type DeliveryItem, type DeliveryPorts, type Wait } from './deliver-events.js';
import { RequestTimeout } from './request-timeout.js';

const item = (offset: number, partition = 0): DeliveryItem => ({
  coordinates: { topic: 't', partition, offset: BigInt(offset), timestamp: 0n },
  event: { id: `${partition}:${offset}`, text: '{}', bytes: 2 },
});
const items = (count: number, partition = 0): DeliveryItem[] =>
  Array.from({ length: count }, (_, offset) => item(offset, partition));
const problem = (status: number, retryAfter: string | null = null) =>
  new BackendProblem({ title: 'no', status, code: `code_${status}`, detail: 'the double' }, retryAfter);

/** Sends go to `answer`, which throws or lets them pass; time stands still but for the waits. */
function setUp(
  answer: (ids: string[], request: number) => Error | undefined,
  changes: Partial<DeliveryPorts<DeliveryItem>> = {},
) {
  const sent: string[][] = [];
  const settled: [string, string][] = [];
  const waits: Wait[] = [];
  const stop = new AbortController();
  let now = 0;
  const ports: DeliveryPorts<DeliveryItem> = {
    backend: {
      sendEvents: (events: readonly OutgoingEvent[]): Promise<readonly EventResult[]> => {
        const ids = events.map(({ id }) => id);
        sent.push(ids);
        const fault = answer(ids, sent.length);
        return fault ? Promise.reject(fault) : Promise.resolve(ids.map((id) => ({ id, outcome: 'applied' })));
      },
      readKeyAgain: () => false,
    },
    settings: { retryBackoff: 100, retryBackoffMax: 10_000, corpus: 'kb', url: 'http://backend' },
    stop: stop.signal,
    kill: new AbortController().signal,
    settle: (part, results) => {
      part.forEach(({ event }, index) => settled.push([event?.id ?? '', results[index]?.outcome ?? 'none']));
      return Promise.resolve();
    },
    waiting: (wait) => void waits.push(wait),
    foreign: { since: undefined },
    now: () => now,
    sleep: (milliseconds) => {
      now += milliseconds;
      return Promise.resolve();
    },
    random: () => 0.999,
    ...changes,
  };
  return { ports, sent, settled, waits, stop };
}
const sizes = (sent: string[][]): number[] => sent.map(({ length }) => length);

describe('a batch', () => {
  it('is sent whole, and ended by its results', async () => {
    const { ports, sent, settled } = setUp(() => undefined);
    await deliverEvents(ports, items(5));
    expect(sizes(sent)).toEqual([5]);
    expect(settled.map(([, outcome]) => outcome)).toEqual(Array(5).fill('applied'));
  });
  it.each([503, 429, 502])('S5: that meets %s is sent whole again, without end', async (status) => {
    const { ports, sent, settled } = setUp((_ids, request) => (request <= 40 ? problem(status) : undefined));
    await deliverEvents(ports, items(4));
    expect(sizes(sent)).toEqual(Array(41).fill(4));
    expect(settled).toHaveLength(4);
  });
  it.each([400, 413])(
    'is split only when the backend refuses the batch itself (%s), to isolate the one record',
    async (status) => {
      const { ports, sent, settled, waits } = setUp((ids) => (ids.includes('0:2') ? problem(status) : undefined));
      await deliverEvents(ports, items(8));
      expect(sizes(sent)).toEqual([8, 4, 2, 2, 1, 1, 4]);
      expect(settled.filter(([, outcome]) => outcome === 'rejected')).toEqual([['0:2', 'rejected']]);
      expect(settled).toHaveLength(8);
      expect(waits).toEqual([]);
    },
  );
  it('S3: is ended in topic order also when it was split', async () => {
    const { ports, settled } = setUp((ids) => (ids.length > 2 ? problem(413) : undefined));
    await deliverEvents(ports, items(9));
    expect(settled.map(([id]) => id)).toEqual(items(9).map(({ event }) => event?.id));
  });
  it.each([
    ['a timeout', () => new RequestTimeout(10)],
    ['a 500', () => problem(500)],
  ])(
    'is halved on the next try after %s, down to the single record, which is retried without end and never rejected',
    async (_name, fault) => {
      let poison = 0;
      const { ports, sent, settled, waits } = setUp((ids) => (ids.includes('0:3') && (poison += 1) <= 30 ? fault() : undefined));
      await deliverEvents(ports, items(4));
      expect(sizes(sent).slice(0, 5)).toEqual([4, 2, 2, 1, 1]);
      expect(sent.slice(5).every(([id]) => id === '0:3')).toBe(true);
      expect(settled.map(([, outcome]) => outcome)).toEqual(Array(4).fill('applied'));
      expect(waits.at(-1)).toMatchObject({ coordinates: { topic: 't', partition: 0, offset: 3n }, records: 1 });
    },
  );
  it("that mixes partitions is parted by partition first, so that none waits for another's record", async () => {
    const { ports, settled, stop } = setUp((ids) => (ids.includes('0:1') ? problem(500) : undefined), {
      sleep: () => new Promise((resolve) => setTimeout(resolve, 1)),
    });
    const delivery = deliverEvents(ports, [...items(2, 0), ...items(2, 1)]);
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(settled.map(([id]) => id).sort()).toEqual(['0:0', '1:0', '1:1']);
    stop.abort();
    await expect(delivery).rejects.toThrow('stopped');
  });
  it('carries records without an event: they end with it, and are not sent', async () => {
    const { ports, sent, settled } = setUp(() => undefined);
    const silent = { coordinates: item(1).coordinates, event: undefined };
    await deliverEvents(ports, [item(0), silent, item(2)]);
    expect(sent).toEqual([['0:0', '0:2']]);
    expect(settled).toEqual([
      ['0:0', 'applied'],
      ['', 'none'],
      ['0:2', 'applied'],
    ]);
  });
});

describe('waits', () => {
  it('follow Retry-After, capped by retry.backoff.max.ms', async () => {
    const { ports, waits } = setUp((_ids, request) => [problem(429, '2'), problem(429, '3600')][request - 1]);
    await deliverEvents(ports, items(1));
    expect(waits.map(({ milliseconds }) => milliseconds)).toEqual([2_000, 10_000]);
  });
  it('grow from retry.backoff.ms with full jitter, capped', async () => {
    const { ports, waits } = setUp((_ids, request) => (request <= 9 ? problem(503) : undefined));
    await deliverEvents(ports, items(1));
    expect(waits.map(({ milliseconds }) => milliseconds)).toEqual([99, 199, 399, 799, 1598, 3196, 6393, 9990, 9990]);
  });
  it('end at the stop, with nothing settled', async () => {
    const { ports, settled, stop } = setUp(() => problem(503), {
      sleep: () => {
        stop.abort();
        return Promise.resolve();
      },
    });
    await expect(deliverEvents(ports, items(3))).rejects.toThrow('stopped');
    expect(settled).toEqual([]);
  });
});

describe('answers that are not the backend’s', () => {
  it('S5: foreign answers with an outage between them are not for five minutes on end', async () => {
    // The longest wait is 10 s: 25 of each kind are more than four minutes.
    const { ports, settled } = setUp((_ids, request) => {
      if (request > 75) return undefined;
      const away = new TypeError('fetch failed', { cause: Object.assign(new Error('connect'), { code: 'ECONNREFUSED' }) });
      return request > 25 && request <= 50 ? away : new ForeignAnswer(404, 'text/html', '10');
    });
    await deliverEvents(ports, items(1));
    expect(settled).toHaveLength(1);
  });
  it('S5: fail the task after 5 minutes, and settle nothing', async () => {
    const { ports, settled, waits } = setUp(() => new ForeignAnswer(400, 'text/html', null));
    await expect(deliverEvents(ports, items(3))).rejects.toMatchObject({ code: 'foreign_answers' });
    const waited = waits.reduce((sum, { milliseconds }) => sum + milliseconds, 0);
    expect(waited).toBeGreaterThanOrEqual(5 * 60_000);
    expect(waited).toBeLessThan(5 * 60_000 + 10_000);
    expect(settled).toEqual([]);
  });
  it('are forgotten as soon as the backend itself answers', async () => {
    const { ports, settled } = setUp((_ids, request) => {
      if (request > 120) return undefined;
      return request % 10 === 0 ? problem(503) : new ForeignAnswer(302, null, null);
    });
    await deliverEvents(ports, items(1));
    expect(settled).toHaveLength(1);
  });
});

describe('a refused key', () => {
  it('S6: is read again once; the new one goes on', async () => {
    let key = 'old';
    const { ports, sent, settled } = setUp(() => (key === 'old' ? problem(401) : undefined));
    ports.backend.readKeyAgain = () => {
      key = 'new';
      return true;
    };
    await deliverEvents(ports, items(2));
    expect(sizes(sent)).toEqual([2, 2]);
    expect(settled).toHaveLength(2);
  });
  it('S6: that is refused again ends the task, with nothing settled and the corpus and remedy named', async () => {
    const { ports, sent, settled } = setUp(() => problem(401));
    ports.backend.readKeyAgain = () => true;
    await expect(deliverEvents(ports, items(2))).rejects.toThrow(/401 code_401.*ossian\.api\.key.*corpus kb at http:\/\/backend/);
    expect(sizes(sent)).toEqual([2, 2]);
    expect(settled).toEqual([]);
  });
  it.each([403, 404, 409])('S6: %s ends the task at once, with nothing settled', async (status) => {
    const { ports, sent, settled } = setUp(() => problem(status));
    await expect(deliverEvents(ports, items(2))).rejects.toMatchObject({ name: 'FatalError', code: `code_${status}` });
    expect(sizes(sent)).toEqual([2]);
    expect(settled).toEqual([]);
  });
});
