import type { EventResult } from '@ossian/shared';
import type { Scene } from '../../harness/scene.js';
import type { ServerProcess } from '../../harness/server-process.js';
import { BenchError } from '../bench-error.js';
import type { Measurement } from '../run/contender.js';
import { cpuSeconds, usedSince } from '../run/cpu-seconds.js';
import { readPostgresCpu, usedBetween } from '../run/postgres-cpu.js';
import { batchSize, type Flow, workThrough } from './event-batches.js';
import { holdEmbeddingBack } from './hold-embedding-back.js';

export interface ServerIngestOptions extends Flow {
  readonly storage: 'postgres' | 'embedded';
  /** `beside`: as a server runs. `held back`: the embedding worker waits for a lock. */
  readonly embedding: 'beside' | 'held back';
}

/** Sends the batches to a server of its own with an empty database. */
export async function runServerIngest(
  scene: Scene,
  bodies: readonly string[],
  { storage, embedding, ...flow }: ServerIngestOptions,
): Promise<Measurement> {
  const server = await scene.server({ storage });
  const { name } = await scene.corpus(server);
  const database = storage === 'postgres' ? scene.database(server) : undefined;
  const release = embedding === 'held back' && database !== undefined ? await holdEmbeddingBack(database) : undefined;
  try {
    const [cpuBefore, postgresBefore] = [cpuSeconds(server.pid), database && (await readPostgresCpu(database))];
    let applied = 0;
    const seconds = await workThrough(bodies, flow, async (body) => {
      const count = await send(server, name, body);
      applied += count;
    });
    const cpuAfter = cpuSeconds(server.pid);
    const postgres = usedBetween(postgresBefore, database && (await readPostgresCpu(database)));
    const { documents, chunks, embeddings_pending: pending } = await server.client.corpus(name);
    if (release !== undefined && pending !== chunks)
      throw new BenchError(`${chunks - pending} vectors were made in spite of the lock`);
    if (documents !== applied) throw new BenchError(`${applied} events were applied, but ${documents} documents are there`);
    return { rows: applied, seconds, cpu: { server: usedSince(cpuBefore, cpuAfter), Postgres: postgres } };
  } finally {
    await release?.();
    await server.kill();
  }
}

/** @returns how many were applied. @throws BenchError where one was not. */
async function send(server: ServerProcess, corpus: string, body: string): Promise<number> {
  const answer = await server.client.request<{ results: EventResult[] }>('POST', `v1/corpora/${corpus}/events`, body);
  const other = answer.results.find(({ outcome }) => outcome !== 'applied');
  if (other !== undefined) throw new BenchError(`an event of a batch of ${batchSize} was ${JSON.stringify(other)}`);
  return answer.results.length;
}
