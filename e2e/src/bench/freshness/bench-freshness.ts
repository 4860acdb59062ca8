import { sleep } from '@ossian/shared';
import type { Scene } from '../../harness/scene.js';
import { seededRandom } from '../../harness/seeded-random.js';
import type { Benchmark, BenchOptions, Controls } from '../benchmark.js';
import { articleRows } from '../records/article-rows.js';
import type { Cell } from '../report/format-table.js';
import { percentile } from '../report/percentile.js';
import { type Freshness, type FreshnessScene, measureUpdate } from './measure-update.js';
import { TopicWatch } from './topic-watch.js';

/** How long it takes from a commit in the source database until the text is found, against the part of it that is Debezium's. */
export const freshnessBenchmark: Benchmark = {
  name: 'freshness',
  compares:
    'the time from a commit in the source Postgres until its text is found, with the time until Debezium has it in the topic',
  standard: { records: 1000, rounds: 1, updates: 100 },
  small: { records: 500, rounds: 1, updates: 30 },
  async run(scene, options, controls) {
    const stage = await openStage(scene, options.records, controls);
    try {
      const measured = await measureUpdates(stage, options, controls);
      return {
        title: `freshness: milliseconds from the commit of a row, ${measured.length} updates one by one in ${options.records} rows`,
        columns: ['until', 'p50', 'p99', 'longest', 'ratio of p50', 'ratio of p99'],
        rows: [
          rowOf('the record is in the topic (Debezium)', 'topic', measured),
          rowOf('its text is found by the lexical leg', 'lexical', measured),
          rowOf('its text is found by the vector leg', 'vector', measured),
        ],
        notes: [
          "Debezium polls every 50 ms; the sink's linger is its standard of 50 ms. Each leg is asked again 5 ms after its last answer,",
          'so a time is late by up to that and one search. The searches take CPU from what they wait for.',
        ],
      };
    } finally {
      await stage.watch.close();
    }
  },
};

async function openStage(scene: Scene, records: number, { print, signal }: Controls): Promise<FreshnessScene> {
  const source = await scene.source('create table articles (id bigint primary key, title text, body text)');
  const rows = articleRows(records);
  await source.query('insert into articles select * from unnest($1::bigint[], $2::text[], $3::text[])', [
    rows.map(({ id }) => id),
    rows.map(({ title }) => title),
    rows.map(({ body }) => body),
  ]);
  await source.stream({ tables: ['articles'] });
  const server = await scene.server();
  const corpus = await scene.corpus(server);
  const topics = [source.topic('articles')];
  const config = { 'ossian.text.fields': 'body', 'ossian.title.field': 'title' };
  const sink = await scene.sink({ server, corpus, topics, config });
  await sink.caughtUp();
  while ((await corpus.statistics()).embeddings_pending > 0) {
    signal.throwIfAborted();
    await sleep(200);
  }
  print(`${records} rows are streamed, delivered and embedded`);
  return { source, corpus, watch: await TopicWatch.start(scene, source.topic('articles')) };
}

/** Characters: one chunk, which the embedding model reads whole. */
const updateLength = 500;

/** The first one warms up what has not run yet and is left out. */
async function measureUpdates(
  stage: FreshnessScene,
  { records, updates }: BenchOptions,
  { print, signal }: Controls,
): Promise<Freshness[]> {
  const random = seededRandom(11);
  const texts = articleRows(updates + 1, 2);
  const measured: Freshness[] = [];
  for (const [index, { body }] of texts.entries()) {
    signal.throwIfAborted();
    const word = `freshword${index}x${Math.floor(random() * 1e9).toString(36)}`;
    const id = 1 + Math.floor(random() * records);
    const freshness = await measureUpdate(stage, id, `The ${word} is new. ${body.slice(0, updateLength)}`, word);
    if (index > 0) measured.push(freshness);
    if (index > 0 && index % 10 === 0) print(`${index} of ${updates} updates`);
    // At any time of Debezium's and the sink's own intervals.
    await sleep(50 + random() * 200);
  }
  return measured;
}

function rowOf(name: string, until: keyof Freshness, measured: readonly Freshness[]): Cell[] {
  const at = (place: keyof Freshness, percent: number): number =>
    percentile(
      measured.map((one) => one[place]),
      percent,
    );
  const ratio = (percent: number): Cell => (until === 'topic' ? undefined : at(until, percent) / at('topic', percent));
  return [name, at(until, 50), at(until, 99), at(until, 100), ratio(50), ratio(99)];
}
