import { backoffMilliseconds, type Logger, sleep } from '@ossian/shared';
import type { ConnectorSettings } from '../config/settings.js';
import { FatalError } from '../errors/fatal-error.js';
import { OutageError } from '../errors/outage-error.js';
import { ConsumerSession } from './consumer-session.js';
import { type Admin, createKafkaClient, type KafkaClient } from './kafka-client.js';
import { kafkaFault } from './kafka-faults.js';
import { FetchedTopicGone, FetchOffsetOutOfRange } from './kafka-log.js';
import { readEndOffsets, readPartitionStates } from './kafka-offsets.js';
import { kafkaOptions } from './kafka-options.js';
import {
  partitionName,
  type PartitionOffset,
  type RecordSource,
  type SourceListener,
  type TopicPartition,
} from './record-source.js';
import { type Start, startOffset } from './start-offset.js';
import { matchTopics } from './topic-match.js';

/** Milliseconds. */
const missingTopicInterval = 2_000;
const restartBackoff = { base: 500, cap: 15_000 };

/** A connector's consumer group. It waits for brokers and topics that are away, and says what it waits for. */
export class KafkaSource implements RecordSource {
  readonly #settings: ConnectorSettings;
  readonly #logger: Logger;
  readonly #client: KafkaClient;
  #admin: Promise<Admin> | undefined;
  #session: ConsumerSession | undefined;
  #generations = 0;

  /** @throws FatalError (`kafka_configuration`). */
  constructor(settings: ConnectorSettings, logger: Logger) {
    this.#settings = settings;
    this.#logger = logger;
    this.#client = createKafkaClient(kafkaOptions(settings), logger);
  }

  async run(listener: SourceListener, signal: AbortSignal): Promise<void> {
    // The client tries for a while by itself before it says that nobody answers.
    listener.waiting(`connecting to Kafka at ${this.#client.options.brokers.join(',')}`);
    try {
      for (let attempt = 0; !signal.aborted; attempt += 1) {
        const began = Date.now();
        try {
          await this.#runSession(listener, signal);
          attempt = -1;
        } catch (error) {
          if (FetchOffsetOutOfRange.is(error)) this.#logger.warn(error.message);
          else
            await this.#waitAfter(FetchedTopicGone.is(error) ? new OutageError(error.message) : error, attempt, listener, signal);
        } finally {
          listener.revoked();
        }
        // A session that held for a while was none of a row of failures.
        if (Date.now() - began > 60_000) attempt = -1;
      }
    } finally {
      await this.#closeAdmin();
    }
  }

  pause(partition: TopicPartition): void {
    this.#session?.pause(partition);
  }
  resume(partition: TopicPartition): void {
    this.#session?.resume(partition);
  }
  async commit(generation: number, offsets: readonly PartitionOffset[]): Promise<boolean> {
    return (await this.#session?.commit(generation, offsets)) ?? false;
  }
  async endOffsets(partitions: readonly TopicPartition[]): Promise<PartitionOffset[]> {
    return this.#ask((admin) => readEndOffsets(admin, partitions));
  }

  /** Runs one consumer until the stop, a crash, or a change of the topics that match. */
  async #runSession(listener: SourceListener, signal: AbortSignal): Promise<void> {
    const topics = await this.#waitForTopics(listener, signal);
    if (signal.aborted) return;
    const session = new ConsumerSession({
      client: this.#client,
      topics,
      listener,
      logger: this.#logger,
      nextGeneration: () => (this.#generations += 1),
      findStarts: (partitions) => this.#findStarts(partitions),
    });
    this.#session = session;
    const stop = (): void => session.stop();
    const over = new AbortController();
    signal.addEventListener('abort', stop, { once: true });
    try {
      session.start();
      void this.#watchTopics(topics, session, listener, AbortSignal.any([signal, over.signal]));
      await session.ended;
    } finally {
      signal.removeEventListener('abort', stop);
      over.abort();
      this.#session = undefined;
      await session.close().catch((error: unknown) => this.#logger.debug({ err: error }, 'the consumer did not close well'));
    }
  }

  async #waitForTopics(listener: SourceListener, signal: AbortSignal): Promise<readonly string[]> {
    for (;;) {
      const { topics, missing } = await this.#matchTopics();
      listener.waiting(missing);
      if (topics.length > 0) return topics;
      await sleep(missingTopicInterval, signal);
      if (signal.aborted) return [];
    }
  }

  /** KafkaJS looks a regex up once, and never finds a topic that is made later: so the consumer begins anew. */
  async #watchTopics(
    topics: readonly string[],
    session: ConsumerSession,
    listener: SourceListener,
    signal: AbortSignal,
  ): Promise<void> {
    let complete = false;
    let saidMissing = false;
    while (!signal.aborted) {
      await sleep(complete ? this.#client.options.metadataMaxAge : missingTopicInterval, signal);
      if (signal.aborted) return;
      session.endIfSilent();
      try {
        const found = await this.#matchTopics();
        // Where nothing is missing, and nothing was, the reason that stands is another's.
        if (found.missing !== undefined || saidMissing) listener.waiting(found.missing);
        saidMissing = found.missing !== undefined;
        complete = !saidMissing;
        if (found.topics.join('\n') !== topics.join('\n')) return session.stop();
      } catch (error) {
        this.#logger.debug({ err: error }, 'the topics could not be listed');
      }
    }
  }

  async #matchTopics(): Promise<{ topics: readonly string[]; missing: string | undefined }> {
    return this.#ask(async (admin) => matchTopics(this.#settings, await admin.listTopics()));
  }

  async #findStarts(partitions: readonly TopicPartition[]): Promise<ReadonlyMap<string, Start>> {
    const topics = [...new Set(partitions.map(({ topic }) => topic))];
    const states = await this.#ask((admin) => readPartitionStates(admin, this.#client.options.groupId, topics));
    const policy = { outOfRange: this.#settings.offsetOutOfRange, reset: this.#client.options.reset };
    const ours = new Set(partitions.map(partitionName));
    const starts = new Map<string, Start>();
    for (const state of states.filter((entry) => ours.has(partitionName(entry)))) {
      const hasOthers = states.some((other) => other.topic === state.topic && other.committed !== undefined);
      starts.set(partitionName(state), startOffset(state, state.committed, state.log, policy, hasOthers));
    }
    return starts;
  }

  async #waitAfter(error: unknown, attempt: number, listener: SourceListener, signal: AbortSignal): Promise<void> {
    const fault = kafkaFault(error, this.#client.options.brokers);
    if (FatalError.is(fault)) throw fault;
    if (signal.aborted) return;
    this.#logger.warn(fault.message);
    listener.waiting(fault.message);
    await sleep(backoffMilliseconds(attempt, restartBackoff.base, restartBackoff.cap), signal);
  }

  async #ask<T>(question: (admin: Admin) => Promise<T>): Promise<T> {
    try {
      return await question(await (this.#admin ??= this.#connectAdmin()));
    } catch (error) {
      throw kafkaFault(error, this.#client.options.brokers);
    }
  }

  async #connectAdmin(): Promise<Admin> {
    const admin = this.#client.admin();
    try {
      await admin.connect();
      return admin;
    } catch (error) {
      this.#admin = undefined;
      throw error;
    }
  }

  async #closeAdmin(): Promise<void> {
    const admin = await this.#admin?.catch(() => undefined);
    this.#admin = undefined;
    await admin?.disconnect().catch((error: unknown) => this.#logger.debug({ err: error }, 'the admin did not close well'));
  }
}
