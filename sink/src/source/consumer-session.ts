import { type Logger, sleep } from '@ossian/shared';
import { OutageError } from '../errors/outage-error.js';
import { consumedFromKafka } from './consumed-from-kafka.js';
import type { Batch, Consumer, KafkaClient } from './kafka-client.js';
import { isFenced, kafkaFault } from './kafka-faults.js';
import { partitionName, type PartitionOffset, type SourceListener, type TopicPartition } from './record-source.js';
import type { Start } from './start-offset.js';

/** Milliseconds that a consumer has to leave its group. */
const closeBound = 10_000;

const joining = 'joining the consumer group; a member that died is waited for as long as its session.timeout.ms';

export interface SessionPorts {
  readonly client: KafkaClient;
  readonly topics: readonly string[];
  readonly listener: SourceListener;
  readonly logger: Logger;
  /** A new generation number at each call: they grow over all sessions of a source. */
  readonly nextGeneration: () => number;
  /** Where each partition starts; compared with the log's own offsets. */
  readonly findStarts: (partitions: readonly TopicPartition[]) => Promise<ReadonlyMap<string, Start>>;
}

/**
 * One life of a KafkaJS consumer: from joining the group to the stop or the crash, after which it is not used again.
 *
 * KafkaJS has no callback for revoked partitions and re-reads from the committed offset after every rebalance. So each join
 * is a new generation: its partitions are paused before the first fetch, their starts are settled by us, and from there
 * every batch must begin where the one before ended. One that does not (fetched before a rebalance, or after KafkaJS moved
 * by itself) is thrown away and fetched again from the right place.
 */
export class ConsumerSession {
  readonly ended: Promise<void>;
  readonly #ports: SessionPorts;
  readonly #consumer: Consumer;
  /** Partitions that are ours in this generation, with the offset that has to come next. */
  readonly #next = new Map<string, bigint>();
  #paused = new Set<string>();
  #generation = -1;
  #confirmedCommits = 0;
  #lastSign = Date.now();
  #end: (error?: unknown) => void = () => undefined;

  constructor(ports: SessionPorts) {
    this.#ports = ports;
    this.#consumer = ports.client.consumer();
    this.ended = new Promise((resolve, reject) => {
      this.#end = (error) =>
        error === undefined
          ? resolve()
          : reject(error instanceof Error ? error : new OutageError('the consumer ended without saying why'));
    });
    // Whoever runs the session awaits `ended`; until then its rejection is not unhandled.
    this.ended.catch(() => undefined);
  }

  /** Joins the group and begins to fetch. Every fault comes by `ended`. */
  start(): void {
    this.#ports.listener.waiting(joining);
    this.#start().catch((error: unknown) => this.#end(error));
  }

  async #start(): Promise<void> {
    const { events } = this.#consumer;
    this.#consumer.on(events.GROUP_JOIN, ({ payload }) => this.#joined(payload.memberAssignment));
    this.#consumer.on(events.REBALANCING, () => {
      this.#ports.listener.rebalancing(this.#generation);
      this.#ports.listener.waiting(joining);
    });
    this.#consumer.on(events.FETCH_START, () => void (this.#lastSign = Date.now()));
    this.#consumer.on(events.CRASH, ({ payload }) => this.#end(payload.error));
    this.#consumer.on(events.COMMIT_OFFSETS, () => void (this.#confirmedCommits += 1));
    this.#consumer.on(events.END_BATCH_PROCESS, ({ payload }) => {
      if (payload.batchSize === 0) this.#passMarkers(payload, BigInt(payload.lastOffset) + 1n, BigInt(payload.highWatermark));
    });
    await this.#consumer.connect();
    await this.#consumer.subscribe({ topics: [...this.#ports.topics], fromBeginning: true });
    await this.#consumer.run({
      autoCommit: false,
      eachBatchAutoResolve: false,
      eachBatch: (fetched) => {
        const { batch } = fetched;
        if (this.#take(batch)) fetched.resolveOffset(batch.messages.at(-1)?.offset ?? batch.lastOffset());
        return Promise.resolve();
      },
    });
  }

  /** Ends the session from our side: `ended` resolves. */
  stop(): void {
    this.#end();
  }

  /** KafkaJS fetches, or asks whether it may, all the time; one that does not has come to a halt without saying so. */
  endIfSilent(): void {
    const { sessionTimeout, rebalanceTimeout } = this.#ports.client.options.consumer;
    const silence = Date.now() - this.#lastSign;
    if (silence < sessionTimeout + rebalanceTimeout) return;
    this.#end(new OutageError(`the consumer has not fetched for ${Math.round(silence / 1000)} seconds`));
  }

  /** Leaves the group. Waits for an open fetch, which is short (`fetch.max.wait.ms`), but not for ever. */
  async close(): Promise<void> {
    this.#generation = -1;
    this.#next.clear();
    const over = new AbortController();
    await Promise.race([this.#consumer.disconnect(), sleep(closeBound, over.signal)]);
    over.abort();
  }

  pause(partition: TopicPartition): void {
    this.#paused.add(partitionName(partition));
    if (this.#next.has(partitionName(partition))) this.#consumer.pause([one(partition)]);
  }

  resume(partition: TopicPartition): void {
    this.#paused.delete(partitionName(partition));
    if (this.#next.has(partitionName(partition))) this.#consumer.resume([one(partition)]);
  }

  async commit(generation: number, offsets: readonly PartitionOffset[]): Promise<boolean> {
    if (generation !== this.#generation) return false;
    const confirmed = this.#confirmedCommits;
    try {
      await this.#consumer.commitOffsets(offsets.map((entry) => ({ ...entry, offset: String(entry.offset) })));
    } catch (error) {
      if (isFenced(error)) return false;
      throw kafkaFault(error, this.#ports.client.options.brokers);
    }
    // A consumer that is stopping passes a commit over without a word: only the event says that it was made.
    return this.#confirmedCommits > confirmed && generation === this.#generation;
  }

  #joined(assignment: Readonly<Record<string, number[]>>): void {
    const generation = this.#ports.nextGeneration();
    this.#generation = generation;
    this.#next.clear();
    this.#paused = new Set();
    const partitions = Object.entries(assignment).flatMap(([topic, numbers]) =>
      numbers.map((partition) => ({ topic, partition })),
    );
    // Before the first fetch of this generation: this listener is called within the join.
    this.#consumer.pause(partitions.map(one));
    this.#begin(generation, partitions).catch((error: unknown) => this.#end(error));
  }

  async #begin(generation: number, partitions: readonly TopicPartition[]): Promise<void> {
    const starts = await this.#ports.findStarts(partitions);
    if (generation !== this.#generation) return;
    const assigned = partitions.map((partition) => {
      const start = starts.get(partitionName(partition));
      if (start === undefined) throw new OutageError(`no offsets of ${partitionName(partition)} could be had`);
      return { ...partition, start };
    });
    this.#ports.listener.assigned(
      generation,
      assigned.map(({ topic, partition, start }) => ({ topic, partition, offset: start.offset })),
    );
    for (const { topic, partition, start } of assigned) {
      if (start.warning !== undefined) this.#ports.logger.warn(start.warning);
      this.#next.set(partitionName({ topic, partition }), start.offset);
      this.#consumer.seek({ topic, partition, offset: String(start.offset) });
    }
    const kept = assigned.filter(({ start }) => start.commit);
    if (kept.length > 0) {
      await this.commit(
        generation,
        kept.map(({ topic, partition, start }) => ({ topic, partition, offset: start.offset })),
      );
    }
    if (generation !== this.#generation) return;
    this.#ports.listener.waiting(undefined);
    this.#consumer.resume(partitions.filter((partition) => !this.#paused.has(partitionName(partition))).map(one));
  }

  /** @returns false where the batch does not begin where the one before ended. */
  #take(batch: Batch & { readonly fetchedOffset?: string }): boolean {
    const { topic, partition } = batch;
    const next = this.#next.get(partitionName(batch));
    if (next === undefined) return false;
    if (batch.fetchedOffset !== undefined && BigInt(batch.fetchedOffset) > next) {
      this.#ports.logger.warn({ topic, partition, expected: String(next), fetched: batch.fetchedOffset }, 'fetched too far on');
      this.#consumer.seek({ topic, partition, offset: String(next) });
      return false;
    }
    const records = batch.messages
      .map((message) => consumedFromKafka(topic, partition, message))
      .filter((record) => record.offset >= next);
    const position = BigInt(batch.lastOffset()) + 1n;
    if (position <= next) return true;
    this.#next.set(partitionName(batch), position);
    this.#ports.listener.received({ topic, partition, records, position, end: BigInt(batch.highWatermark) });
    return true;
  }

  /** A stretch of the log that held only transactions' markers or aborted records: nothing comes of it but its end. */
  #passMarkers(partition: TopicPartition, position: bigint, end: bigint): void {
    const next = this.#next.get(partitionName(partition));
    if (next === undefined || position <= next) return;
    this.#next.set(partitionName(partition), position);
    this.#ports.listener.received({ topic: partition.topic, partition: partition.partition, records: [], position, end });
  }
}

function one({ topic, partition }: TopicPartition): { topic: string; partitions: number[] } {
  return { topic, partitions: [partition] };
}
