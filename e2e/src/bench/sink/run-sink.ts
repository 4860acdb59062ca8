import { addressesFromEnvironment, type Scene } from '../../harness/scene.js';
import { SinkProcess } from '../../harness/sink-process.js';
import { lastLines } from '../../processes/process-error.js';
import { waitUntil } from '../../stack/index.js';
import { BenchError } from '../bench-error.js';
import type { Measurement } from '../run/contender.js';
import { cpuSeconds, usedSince } from '../run/cpu-seconds.js';
import type { TopicRun } from './topic-run.js';
import { StoragelessBackend } from './storageless-backend.js';

const longest = 300_000;

/** Lets a sink with its standard settings deliver the whole topic to a backend without storage. */
export async function runSink(scene: Scene, { topic, records, round, signal }: TopicRun): Promise<Measurement> {
  let cpuBefore: number | undefined;
  const backend = await StoragelessBackend.start(() => (cpuBefore = cpuSeconds(sink.pid)));
  const name = `${scene.id}-bench-${round}`;
  const { supervisor, kafka, folder } = scene;
  const sink = await SinkProcess.start({ supervisor, kafka, folder, name, config: config(name, topic, backend.url) });
  try {
    await waitUntil(
      () => Promise.resolve(backend.events >= records || !sink.running || signal.aborted),
      `${records} events`,
      longest,
    );
    signal.throwIfAborted();
    const cpu = usedSince(cpuBefore, cpuSeconds(sink.pid));
    if (backend.events !== records) {
      throw new BenchError(`${backend.events} events came of ${records} records:\n${lastLines(sink.logFile, 15)}`);
    }
    return { rows: records, seconds: backend.seconds, cpu: { client: cpu } };
  } finally {
    await sink.stop();
    await backend.close();
    await kafka.deleteGroup(sink.group);
  }
}

function config(name: string, topic: string, url: string): Record<string, string> {
  const json = 'org.apache.kafka.connect.json.JsonConverter';
  return {
    name,
    'bootstrap.servers': addressesFromEnvironment().kafka,
    topics: topic,
    'key.converter': json,
    'key.converter.schemas.enable': 'false',
    'value.converter': json,
    'value.converter.schemas.enable': 'false',
    'ossian.url': url,
    'ossian.api.key': 'a-backend-without-storage-asks-for-no-key',
    'ossian.corpus': 'bench',
    'ossian.text.fields': 'body',
    'ossian.title.field': 'title',
    'ossian.metadata.fields': 'category,product,updated_at',
  };
}
