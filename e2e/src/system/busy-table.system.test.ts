import { expect } from '@jest/globals';
import {
  busyTable,
  compareCorpusWithTable,
  deadLetterConfig,
  fillBusyTable,
  readDeadLetters,
  seededRandom,
  startBusyWriters,
  testSeed,
} from '../harness/index.js';
import { systemTest } from '../harness/system-test.js';
import { waitUntil } from '../stack/index.js';

const title = '13: twelve writers change rows while a first, a blocking and an incremental snapshot are taken';

systemTest(
  `${title}, and the corpus ends as the table`,
  async (scene) => {
    const source = await scene.source(busyTable);
    await fillBusyTable(source);
    const topic = source.topic('articles');
    const server = await scene.server();
    const corpus = await scene.corpus(server);
    const writers = startBusyWriters(source, 12, seededRandom(testSeed('13')));
    const letters = await scene.topic('dlq');

    // The first snapshot, then two more by signal; the sink reads meanwhile.
    await waitUntil(() => Promise.resolve(writers.committed > 50), 'the writers');
    await source.stream({ tables: ['articles'], partitions: 4 });
    const config = { 'ossian.text.fields': 'body', 'ossian.title.field': 'title', 'ossian.unavailable.policy': 'keep' };
    const sink = await scene.sink({ server, corpus, topics: [topic], config: { ...config, ...deadLetterConfig(letters) } });
    await waitUntil(async () => (await corpus.statistics()).documents > 0, 'the first documents');
    for (const type of ['blocking', 'incremental']) {
      const before = await countSnapshotRows(type);
      // One transaction changes a row first, and commits when that has been read as it was before.
      await source.database.transaction(async (client) => {
        await client.query('update articles set title = $1 where id = 0', [`Open during ${type}`]);
        await source.signal('execute-snapshot', { 'data-collections': ['public.articles'], type });
        await waitUntil(async () => (await countSnapshotRows(type)) > before + 250, `the ${type} snapshot`);
      });
      const later = writers.committed + 100;
      await waitUntil(() => Promise.resolve(writers.committed > later), 'the writers');
      // The row itself tells it too: the next snapshot must not hide a change that was lost.
      await source.settled();
      await waitUntil(async () => (await titleOfRow0()) === `Open during ${type}`, 'the change that was open', 30_000);
    }
    await writers.stop();
    await source.settled();
    await sink.caughtUp();
    await corpus.embedded(120_000);

    expect(await readDeadLetters(scene.kafka, letters)).toEqual([]);
    expect(
      await compareCorpusWithTable(corpus, source, { table: 'articles', textFields: ['body'], titleField: 'title' }),
    ).toEqual([]);

    async function titleOfRow0(): Promise<string | null | undefined> {
      return (await corpus.documents()).find(({ key }) => key === 'id=0')?.title;
    }
    async function countSnapshotRows(type: string): Promise<number> {
      const records = await scene.kafka.consumeAll([topic]);
      const mark =
        type === 'incremental'
          ? /"snapshot":"incremental"/
          : /"snapshot":"(true|first|first_in_data_collection|last|last_in_data_collection)"/;
      return records.filter(({ value }) => mark.test(String(value))).length;
    }
  },
  240_000,
);
