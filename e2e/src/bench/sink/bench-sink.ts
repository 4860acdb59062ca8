import type { Benchmark } from '../benchmark.js';
import { articleRows } from '../records/article-rows.js';
import { debeziumMessages } from '../records/debezium-messages.js';
import { compareResults } from '../run/compare-results.js';
import { takeTurns } from '../run/take-turns.js';
import { runBareConsumer } from './run-bare-consumer.js';
import { runSink } from './run-sink.js';

const partitions = 4;
/** Below the broker's limit of 1 MB for what goes to one partition at once. */
const slice = 1000;

/** How fast the sink reads, maps and delivers, against the fastest that its Kafka client can read. */
export const sinkBenchmark: Benchmark = {
  name: 'sink',
  compares: 'the sink, delivering to a backend without storage, with a bare KafkaJS consumer that parses JSON',
  standard: { records: 50_000, rounds: 3, updates: 0 },
  small: { records: 10_000, rounds: 2, updates: 0 },
  async run(scene, { records, rounds }, controls) {
    const { print, signal } = controls;
    const topic = await scene.topic('public.articles', partitions);
    const messages = debeziumMessages(articleRows(records));
    for (let from = 0; from < messages.length; from += slice)
      await scene.kafka.produce(topic, messages.slice(from, from + slice));
    const bytes = messages.reduce((sum, { key, value }) => sum + key.length + Buffer.byteLength(value), 0) / records;
    print(`${records} envelopes of ${Math.round(bytes)} bytes lie in ${partitions} partitions`);
    const bare = 'bare KafkaJS consumer, JSON.parse';
    const contenders = [
      { name: bare, run: (round: number) => runBareConsumer(scene, { topic, records, round, signal }) },
      { name: 'ossian-sink', against: bare, run: (round: number) => runSink(scene, { topic, records, round, signal }) },
    ];
    return {
      title: `sink: ${records} Debezium envelopes of 1 kB text (${Math.round(bytes)} bytes) in ${partitions} partitions, ${rounds} rounds`,
      ...compareResults('records', await takeTurns(contenders, rounds, controls)),
      notes: [
        'The sink has its standard settings; the backend without storage answers `applied` and leaves out all else. It runs in this process.',
        'Both are timed from the first records in hand to the end of the last (at the backend: first request to last answer), each in a new',
        'process that has to warm up; CPU is that process in that time. With few records the warming up is most of it.',
      ],
    };
  },
};
