// A program of its own: reads a topic with KafkaJS as its guide shows it and parses each value, and nothing else.
// It prints one line of JSON: BareConsumerResult.
import { Kafka, logLevel } from 'kafkajs';

export interface BareConsumerResult {
  readonly records: number;
  /** From the first batch in hand to the end of the last. */
  readonly seconds: number;
  /** User and system, in the same time. */
  readonly cpuSeconds: number;
}

const [bootstrap = '', topic = '', groupId = '', wanted = '0'] = process.argv.slice(2);
const kafka = new Kafka({ clientId: 'ossian-bench', brokers: [bootstrap], logLevel: logLevel.NOTHING });
// The sink's own wait for a fetch: without it KafkaJS waits up to 5 s.
const consumer = kafka.consumer({ groupId, maxWaitTimeInMs: 200 });
let [records, started] = [0, 0];
let cpuBefore = process.cpuUsage();

await consumer.connect();
await consumer.subscribe({ topics: [topic], fromBeginning: true });
const { seconds, user, system } = await new Promise<{ seconds: number; user: number; system: number }>((resolve, reject) => {
  consumer.on('consumer.crash', ({ payload }) => reject(payload.error));
  const run = consumer.run({
    eachBatch: ({ batch }) => {
      if (records === 0) [started, cpuBefore] = [performance.now(), process.cpuUsage()];
      for (const { value } of batch.messages) {
        const envelope = JSON.parse(value?.toString() ?? 'null') as { after?: unknown } | null;
        if (envelope?.after !== undefined) records += 1;
      }
      if (records >= Number(wanted)) resolve({ seconds: (performance.now() - started) / 1000, ...process.cpuUsage(cpuBefore) });
      return Promise.resolve();
    },
  });
  run.catch(reject);
});
await consumer.disconnect();
const result: BareConsumerResult = { records, seconds, cpuSeconds: (user + system) / 1e6 };
process.stdout.write(`${JSON.stringify(result)}\n`);
