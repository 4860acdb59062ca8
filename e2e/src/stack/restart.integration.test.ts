import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Source } from '../harness/source.js';
import { ConnectClient } from './connect-client.js';
import { KafkaClient } from './kafka-client.js';
import { type Stack, startStack } from './index.js';
import { TestDatabase } from './test-database.js';

const suite = process.env['OSSIAN_TEST_KAFKA'] === undefined ? describe.skip : describe;

suite('a streaming stack of its own', () => {
  let stack: Stack;
  let source: Source;
  beforeAll(async () => {
    stack = await startStack({ parts: ['kafka', 'connect', 'source-postgres'] });
    const database = await TestDatabase.create(stack.address('source-postgres'), 'restarts');
    source = new Source(database, 'restarts', new ConnectClient(stack.address('connect')));
    await source.query('create table t (id int primary key, body text); insert into t values (1, $$one$$)');
    await source.stream({ tables: ['t'] });
  }, 120_000);
  afterAll(async () => {
    await source.close();
    await stack.stop();
  }, 60_000);

  it.each(['connect', 'kafka', 'source-postgres'] as const)(
    'goes on where it was after %s was killed and started again',
    async (part) => {
      await source.query('insert into t select max(id) + 1, $1 from t', [part]);
      await source.settled();
      await stack.kill(part);
      await stack.restart(part);
      await source.query('insert into t select max(id) + 1, $1 from t', [`after ${part}`]);
      await source.settled(120_000);
      const kafka = await KafkaClient.connect(stack.address('kafka'));
      const records = await kafka.consumeAll([source.topic('t')]);
      await kafka.close();
      const ids = records.map(({ value }) => (JSON.parse(String(value)) as { after: { id: number } }).after.id);
      const rows = await source.query<{ id: number }>('select id from t order by id');
      // Records may come twice after a kill, and none may be missing.
      expect([...new Set(ids)]).toEqual(rows.map(({ id }) => id));
    },
    180_000,
  );
});
