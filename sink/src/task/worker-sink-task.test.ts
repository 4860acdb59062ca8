import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createLogger } from '@ossian/shared';
import { Backend } from '../deliver/backend.js';
import { FatalError } from '../errors/fatal-error.js';
import { OutageError } from '../errors/outage-error.js';
import type { DeadLetterQueue } from '../errors/reporters/dead-letter.js';
import type { ConsumedRecord } from '../record/consumed-record.js';
import { type BackendDouble, misbehaviours, startBackendDouble } from '../testing/backend-double.js';
import { connectorSettings } from '../testing/connector-settings.js';
import { MemorySource } from '../testing/memory-source.js';
import { row, rows, until } from '../testing/row-records.js';
import type { TaskTimings } from './task-ports.js';
import { WorkerSinkTask } from './worker-sink-task.js';

class MemoryDeadLetters implements DeadLetterQueue {
  readonly letters: ConsumedRecord[] = [];
  attempts = 0;
  /** The first attempts that fail, and how. */
  faults: Error[] = [];
  write(letters: readonly ConsumedRecord[]): Promise<void> {
    this.attempts += 1;
    const fault = this.faults.shift();
    if (fault) return Promise.reject(fault);
    this.letters.push(...letters);
    return Promise.resolve();
  }
  close(): Promise<void> {
    return Promise.resolve();
  }
  get offsets(): string[] {
    return this.letters.map(({ partition, offset }) => `${partition}:${offset}`);
  }
}

const dlq = { 'errors.tolerance': 'all', 'errors.deadletterqueue.topic.name': 'dlq' };
const poison = (offset: number, changes: Partial<ConsumedRecord> = {}) => row(offset, null, changes);

let backend: BackendDouble;
beforeEach(async () => {
  backend = await startBackendDouble();
});
afterEach(() => backend.close());

function startTask(changes: Record<string, string> = {}, timings: Partial<TaskTimings> = {}) {
  const settings = connectorSettings({ 'ossian.url': backend.url, ...changes });
  const source = new MemorySource();
  const deadLetters = new MemoryDeadLetters();
  const task = new WorkerSinkTask({
    settings,
    task: 0,
    source,
    backend: new Backend(settings.delivery),
    deadLetters: settings.tolerance.deadLetterTopic === undefined ? undefined : deadLetters,
    logger: createLogger('test', 'silent'),
    timings: { commitInterval: 10, progressInterval: 50, stopBound: 1_000, ...timings },
  });
  const ended = task.run();
  return { task, source, deadLetters, ended };
}
const partitions = (count: number) => Array.from({ length: count }, (_, partition) => ({ topic: 't', partition, offset: 0n }));
const ids = (partition: number, count: number) =>
  Array.from({ length: count }, (_, offset) => `test:t:${partition}:${offset}:1764550000000`);
const ofPartition = (partition: number) => backend.applied.filter((id) => id.startsWith(`test:t:${partition}:`));

describe('a task', () => {
  it('S3: delivers each partition in order, one batch of it in flight, partitions beside one another', async () => {
    backend.delay = 15;
    const { task, source, ended } = startTask({ 'batch.max.events': '20' });
    source.assign(...partitions(4));
    for (let partition = 0; partition < 4; partition += 1) source.give(rows(200, { partition }));
    await until(() => backend.applied.length === 800, 'all delivered');
    for (let partition = 0; partition < 4; partition += 1) expect(ofPartition(partition)).toEqual(ids(partition, 200));
    expect([...backend.mostInFlight.values()]).toEqual([1, 1, 1, 1]);
    expect(backend.batches.every(({ events }) => events.length <= 20)).toBe(true);
    task.stop();
    await ended;
  });

  it('S1: commits only what has ended, and all of it at the stop', async () => {
    const { task, source, ended } = startTask();
    source.assign(...partitions(1));
    backend.always = (events) =>
      events.some(({ id }) => id.includes(':7:')) ? misbehaviours.problem(500, 'internal') : undefined;
    source.give(rows(20));
    await until(() => task.status().waits.some(({ records }) => records === 1), 'only the one record waits');
    await until(() => source.committed() === 7n, 'committed up to it');
    expect(task.status()).toMatchObject({ state: 'RUNNING' });
    expect(task.status().trace).toMatch(/waiting since .* at t-0 offset 7, attempt \d+: 500 internal/);
    expect(ofPartition(0)).toEqual(ids(0, 7));
    backend.always = undefined;
    await until(() => backend.applied.length === 20, 'the rest');
    task.stop();
    const status = await ended;
    expect(source.committed()).toBe(20n);
    expect(status).toMatchObject({ state: 'STOPPED', trace: undefined, counts: { consumed: 20, delivered: 20 } });
  });

  it('S5: goes through 429 in both forms, 503, a proxy’s HTML 400 and 413, a redirect, closed connections and a hang; nothing is dead-lettered', async () => {
    const { task, source, deadLetters, ended } = startTask({
      ...dlq,
      'request.timeout.ms': '1000',
      'retry.backoff.max.ms': '1500',
    });
    const began = Date.now();
    backend.next(
      misbehaviours.tooManyRequestsForSeconds('1'),
      misbehaviours.tooManyRequestsUntilDate(began + 3_000),
      misbehaviours.unavailable,
      misbehaviours.proxyPage(400),
      misbehaviours.proxyPage(413),
      misbehaviours.redirects,
      misbehaviours.answersForOtherEvents,
      misbehaviours.closesTheConnection,
      misbehaviours.closesInTheMiddle,
      misbehaviours.hangs,
    );
    source.assign(...partitions(1));
    source.give(rows(10));
    await until(() => backend.applied.length === 10, 'all delivered', 30_000);
    const [first, second, third] = backend.batches.map(({ at }) => at);
    expect(second! - first!).toBeGreaterThanOrEqual(990);
    expect(third! - second!).toBeGreaterThanOrEqual(100);
    expect(third! - second!).toBeLessThan(1_900);
    // Whole each time, but after the hang: halved.
    expect(backend.batches.map(({ events }) => events.length)).toEqual([10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 5, 5]);
    expect(ofPartition(0)).toEqual(ids(0, 10));
    expect(deadLetters.attempts).toBe(0);
    task.stop();
    await ended;
    expect(source.committed()).toBe(10n);
  });

  it.each([
    [401, 'unauthorized'],
    [403, 'forbidden'],
  ])('S6: %s stops it FAILED, with nothing dead-lettered and the last delivered offset committed', async (status, code) => {
    const { source, deadLetters, ended } = startTask({ ...dlq, 'batch.max.events': '5' });
    source.assign(...partitions(1));
    source.give(rows(5));
    await until(() => backend.applied.length === 5, 'the first batch');
    backend.always = () => misbehaviours.problem(status, code);
    source.give([...rows(3, {}, 5), poison(8)]);
    const end = await ended;
    expect(end).toMatchObject({ state: 'FAILED', error: { code } });
    expect(end.trace).toContain(String(status));
    expect(source.committed()).toBe(5n);
    expect(deadLetters.attempts).toBe(0);
    expect(end.counts).toMatchObject({ consumed: 5, delivered: 5, dead_lettered: 0 });
  });

  it.each([
    [401, 'unauthorized', /set ossian\.api\.key/],
    [403, 'forbidden', /scope ingest/],
    [404, 'corpus_not_found', /create the corpus/],
  ])('S6: asks the backend at its start: %s fails it before any record comes, with the remedy', async (status, code, remedy) => {
    backend.question = misbehaviours.problem(status, code);
    const { source, ended } = startTask();
    const end = await ended;
    expect(end).toMatchObject({ state: 'FAILED', error: { code }, trace: expect.stringMatching(remedy) });
    expect(backend.batches).toEqual([]);
    expect(source.commits).toEqual([]);
  });

  it('S5: an outage at its start is only waited for, and a source that has ended waits with it', async () => {
    backend.question = misbehaviours.unavailable;
    const { task, source, ended } = startTask();
    source.assign(...partitions(1));
    source.end();
    await until(() => backend.questions > 2, 'asked again');
    expect(task.status()).toMatchObject({ state: 'RUNNING', trace: expect.stringMatching(/waiting since .*503 database_away/) });
    backend.question = undefined;
    expect(await ended).toMatchObject({ state: 'STOPPED', trace: undefined });
  });

  it('S6: a key that is revoked while nothing comes fails it at the next report', async () => {
    const { task, source, ended } = startTask();
    source.assign(...partitions(1));
    await until(() => backend.progress.length > 0, 'a report');
    expect(task.status().state).toBe('RUNNING');
    backend.question = misbehaviours.problem(401, 'unauthorized');
    backend.report = misbehaviours.problem(401, 'unauthorized');
    expect(await ended).toMatchObject({ state: 'FAILED', error: { code: 'unauthorized' } });
  });

  it('S1: tolerance none stops at the first bad record: what stands before it is delivered and committed, nothing after it', async () => {
    const { source, ended } = startTask();
    source.assign(...partitions(1));
    source.give([...rows(3), poison(3), ...rows(3, {}, 4)]);
    const end = await ended;
    expect(end.state).toBe('FAILED');
    expect(end.trace).toMatch(/bad record t-0 offset 3 \(TASK_PUT\): .*errors\.tolerance is none/);
    expect(ofPartition(0)).toEqual(ids(0, 3));
    expect(source.committed()).toBe(3n);
  });

  it('a bad record with an identity ends when the DLQ and the backend have answered: its skip stands in its place', async () => {
    const { task, source, deadLetters, ended } = startTask(dlq);
    deadLetters.faults = Array.from({ length: 3 }, () => new OutageError('broker away'));
    source.assign(...partitions(1));
    source.give([row(0, 'a'), poison(1), row(2, 'c')]);
    await until(() => source.committed() === 3n, 'committed');
    expect(backend.batches[0]?.events.map(({ op }) => op)).toEqual(['upsert', 'skip', 'upsert']);
    expect(backend.batches[0]?.events[1]).toMatchObject({ document: { source: 't', key: 'id=1' }, position: { offset: '1' } });
    expect(deadLetters.offsets).toEqual(['0:1']);
    expect(deadLetters.attempts).toBe(4);
    task.stop();
    expect((await ended).counts).toMatchObject({ consumed: 3, delivered: 2, dead_lettered: 1 });
  });

  it('a dead letter has no other headers than the record where the context headers are switched off', async () => {
    const { task, source, deadLetters, ended } = startTask({ ...dlq, 'errors.deadletterqueue.context.headers.enable': 'false' });
    source.assign(...partitions(1));
    source.give([poison(0, { headers: [{ name: 'own', value: null }] })]);
    await until(() => deadLetters.letters.length === 1, 'a letter');
    expect(deadLetters.letters[0]?.headers).toEqual([{ name: 'own', value: null }]);
    task.stop();
    await ended;
  });

  it('S1: while the DLQ is away the record is held, and the status says so', async () => {
    const { task, source, deadLetters, ended } = startTask(dlq);
    deadLetters.faults = Array.from({ length: 1_000 }, () => new OutageError('Kafka cannot be reached'));
    source.assign(...partitions(1));
    source.give([row(0, 'a'), poison(1), row(2, 'c')]);
    await until(() => deadLetters.attempts > 3, 'some attempts');
    await until(() => source.committed() === 1n, 'committed up to it');
    expect(task.status().trace).toMatch(/offset 1.*the dead letter queue is away: Kafka cannot be reached/);
    task.stop();
    const end = await ended;
    expect(end.counts).toMatchObject({ dead_lettered: 0 });
    expect(source.committed()).toBe(1n);
  });

  it('a rejected event is dead-lettered, and its skip comes before anything else of its partition', async () => {
    const { task, source, deadLetters, ended } = startTask({ ...dlq, 'batch.max.events': '3' });
    backend.rejects = (event) => event.op === 'upsert' && event.id.includes(':1:');
    source.assign(...partitions(1));
    source.give(rows(6));
    await until(() => source.committed() === 6n, 'committed');
    const ops = backend.batches.map(({ events }) => events.map(({ op, id }) => `${op} ${id.split(':')[3]}`));
    expect(ops).toEqual([['upsert 0', 'upsert 1', 'upsert 2'], ['skip 1'], ['upsert 3', 'upsert 4', 'upsert 5']]);
    expect(deadLetters.letters[0]?.headers.map(({ name, value }) => [name, Buffer.from(value ?? []).toString()])).toContainEqual([
      '__ossian.error.code',
      'refused',
    ]);
    task.stop();
    expect((await ended).counts).toMatchObject({ consumed: 6, delivered: 5, dead_lettered: 1 });
  });

  it('a rejected skip counts as answered', async () => {
    const { task, source, deadLetters, ended } = startTask(dlq);
    backend.rejects = (event) => event.op === 'skip';
    source.assign(...partitions(1));
    source.give([poison(0), row(1, 'b')]);
    await until(() => source.committed() === 2n, 'committed');
    expect(deadLetters.offsets).toEqual(['0:0']);
    task.stop();
    await ended;
  });

  it('under tolerance all without a DLQ a bad record is skipped, and the backend is told', async () => {
    const { task, source, ended } = startTask({ 'errors.tolerance': 'all', 'errors.log.enable': 'true' });
    source.assign(...partitions(1));
    source.give([poison(0), row(1, 'b')]);
    await until(() => source.committed() === 2n, 'committed');
    expect(backend.batches[0]?.events.map(({ op }) => op)).toEqual(['skip', 'upsert']);
    task.stop();
    expect((await ended).counts).toMatchObject({ consumed: 2, delivered: 1, skipped: 1, dead_lettered: 0 });
  });

  it('a single event over the 413 is as rejected', async () => {
    const { task, source, deadLetters, ended } = startTask(dlq);
    backend.always = (events) =>
      events.some(({ op, id }) => op === 'upsert' && id.includes(':2:')) ? misbehaviours.problem(413, 'too_large') : undefined;
    source.assign(...partitions(1));
    source.give(rows(4));
    await until(() => source.committed() === 4n, 'committed');
    expect(deadLetters.offsets).toEqual(['0:2']);
    task.stop();
    expect((await ended).counts).toMatchObject({ consumed: 4, delivered: 3, dead_lettered: 1 });
  });

  it('S1: after a rebalance the old generation’s work ends nothing, and one batch of a partition is in flight', async () => {
    backend.delay = 60;
    const { task, source, ended } = startTask();
    source.assign(...partitions(1));
    source.give(rows(10));
    await until(() => backend.batches.length === 1, 'under way');
    source.assign({ topic: 't', partition: 0, offset: 0n }, { topic: 't', partition: 1, offset: 0n });
    source.give(rows(10));
    await until(() => source.committed() === 10n, 'committed in the new generation');
    expect(source.commits.every(({ generation }) => generation === 2)).toBe(true);
    expect(backend.mostInFlight.get('t-0')).toBe(1);
    task.stop();
    const duplicate = backend.batches[0]?.events.length;
    expect((await ended).counts).toMatchObject({ consumed: 10, delivered: 10, outcomes: { duplicate } });
  });

  it('S3: a partition that comes back after a crash of the consumer waits for what it still had under way', async () => {
    backend.delay = 60;
    const { task, source, ended } = startTask();
    source.assign(...partitions(1));
    source.give(rows(10));
    await until(() => backend.batches.length === 1, 'under way');
    source.listener?.revoked();
    source.assign({ topic: 't', partition: 1, offset: 0n });
    source.assign(...partitions(2));
    source.give(rows(12));
    await until(() => source.committed() === 12n, 'committed in the new generation');
    expect(backend.mostInFlight.get('t-0')).toBe(1);
    task.stop();
    await ended;
  });

  it('gives back what it has not ended: the sums stay true', async () => {
    backend.always = () => misbehaviours.unavailable;
    const { task, source, ended } = startTask();
    source.assign(...partitions(1));
    source.give(rows(10));
    await until(() => backend.batches.length > 1, 'tried');
    source.assign();
    expect(task.status().counts.consumed).toBe(0);
    expect(task.status().waits).toEqual([]);
    source.assign(...partitions(1));
    source.give(rows(4));
    task.stop();
    // The source gives everything back once more as it leaves the group: that counts once.
    expect((await ended).counts).toMatchObject({ consumed: 0, delivered: 0 });
    expect(source.commits).toEqual([]);
  });

  it('counts a record that has ended behind one that has not: each that was consumed has ended in one way', async () => {
    backend.always = () => misbehaviours.problem(404, 'corpus_not_found');
    const { source, ended } = startTask();
    source.assign(...partitions(1));
    source.give([row(0, 'a'), row(1, null, { key: null, value: null }), row(2, null, { key: null, value: null })]);
    expect((await ended).counts).toMatchObject({ consumed: 2, delivered: 0, ignored: 2 });
  });

  it('paused delivers nothing; resumed goes on', async () => {
    const { task, source, ended } = startTask();
    source.assign(...partitions(1));
    task.pause();
    expect(task.status().state).toBe('PAUSED');
    expect([...source.paused]).toEqual(['t-0']);
    source.give(rows(5));
    await new Promise((resolve) => setTimeout(resolve, 60));
    expect(backend.batches).toEqual([]);
    task.resume();
    await until(() => backend.applied.length === 5, 'delivered');
    expect([...source.paused]).toEqual([]);
    task.stop();
    await ended;
  });

  it('pauses a partition of which more is fetched than is delivered, and only that', async () => {
    backend.always = (events) => (events[0]?.position?.partition === 0 ? misbehaviours.unavailable : undefined);
    const { task, source, ended } = startTask({ 'batch.max.events': '10' });
    source.assign(...partitions(2));
    const heavy = 'x'.repeat(100_000);
    source.give(rows(200, { partition: 0 }, 0, heavy));
    source.give(rows(30, { partition: 1 }));
    await until(() => ofPartition(1).length === 30, 'the other partition goes on');
    expect([...source.paused]).toEqual(['t-0']);
    backend.always = undefined;
    await until(() => ofPartition(0).length === 200, 'the rest');
    expect([...source.paused]).toEqual([]);
    task.stop();
    await ended;
  });

  it('reports progress on reaching the end: what is committed, and where the log ends', async () => {
    const { task, source, ended } = startTask();
    source.assign(...partitions(2));
    source.give(rows(5, { partition: 1 }));
    await until(
      () => backend.progress.some((report) => report.partitions.some(({ committed }) => committed === '5')),
      'a report',
    );
    const report = backend.progress.find(({ partitions: list }) => list.some(({ committed }) => committed === '5'));
    expect(report).toMatchObject({ source: 't', connector: 'test' });
    expect(report?.partitions).toContainEqual({ topic: 't', partition: 1, committed: '5', end: '5' });
    task.stop();
    await ended;
  });

  it('stops within its bound although a request hangs, and does not commit past it', async () => {
    backend.always = () => misbehaviours.hangs;
    const { task, source, ended } = startTask({}, { stopBound: 50 });
    source.assign(...partitions(1));
    source.give(rows(3));
    await until(() => backend.batches.length === 1, 'under way');
    const began = Date.now();
    task.stop();
    expect(await ended).toMatchObject({ state: 'STOPPED', counts: { consumed: 0, delivered: 0 } });
    expect(Date.now() - began).toBeLessThan(1_000);
    expect(source.commits).toEqual([]);
  });

  it('fails as its source fails, with its reason', async () => {
    const { source, ended } = startTask();
    await source.listening;
    source.end(new FatalError('offset_out_of_range', 'the committed offset 5 of t-0 is gone'));
    expect(await ended).toMatchObject({ state: 'FAILED', trace: 'the committed offset 5 of t-0 is gone' });
  });

  it('ends by itself when its source has ended and every record has', async () => {
    const { source, ended } = startTask({ 'linger.ms': '60000' });
    source.assign(...partitions(1));
    source.give(rows(5));
    source.end();
    expect(await ended).toMatchObject({ state: 'STOPPED', counts: { consumed: 5, delivered: 5 } });
  });
});
