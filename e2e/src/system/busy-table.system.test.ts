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
    const snapshots: string[] = [];
    for (const type of ['blocking', 'incremental']) {
      const before = await countSnapshotRows(type);
      const pause = writers.committed + 100;
      await source.signal('execute-snapshot', { 'data-collections': ['public.articles'], type });
      await waitUntil(async () => (await countSnapshotRows(type)) > before + 250, `the ${type} snapshot`);
      await waitUntil(() => Promise.resolve(writers.committed > pause), 'the writers');
      snapshots.push(type);
    }
    await writers.stop();
    await source.settled();
    await sink.caughtUp();
    await corpus.embedded(120_000);

    expect(snapshots).toEqual(['blocking', 'incremental']);
    expect(await readDeadLetters(scene.kafka, letters)).toEqual([]);
    expect(
      await compareCorpusWithTable(corpus, source, { table: 'articles', textFields: ['body'], titleField: 'title' }),
    ).toEqual([]);

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
