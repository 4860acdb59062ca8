import { type Consumer, Kafka, logLevel } from 'kafkajs';
import { addressesFromEnvironment, type Scene } from '../../harness/scene.js';

/** Tells when a record becomes visible to a consumer of its topic. */
export class TopicWatch {
  readonly #group: string;
  readonly #consumer: Consumer;
  readonly #scene: Scene;
  #awaited: { text: string; seen: (at: number) => void } | undefined;

  private constructor(scene: Scene) {
    this.#scene = scene;
    this.#group = `${scene.id}-watch`;
    const kafka = new Kafka({
      clientId: 'ossian-bench',
      brokers: [addressesFromEnvironment().kafka],
      logLevel: logLevel.NOTHING,
    });
    this.#consumer = kafka.consumer({ groupId: this.#group, maxWaitTimeInMs: 200 });
  }

  /** Reads the topic from its beginning and goes on reading. */
  static async start(scene: Scene, topic: string): Promise<TopicWatch> {
    const watch = new TopicWatch(scene);
    await watch.#consumer.connect();
    await watch.#consumer.subscribe({ topics: [topic], fromBeginning: true });
    await watch.#consumer.run({
      eachMessage: ({ message }) => {
        watch.#look(message.value);
        return Promise.resolve();
      },
    });
    return watch;
  }

  /** Resolves with the time (of `performance.now`) at which a record with this text was there. Call it before the change is made. */
  sees(text: string): Promise<number> {
    return new Promise((seen) => (this.#awaited = { text, seen }));
  }

  async close(): Promise<void> {
    await this.#consumer.disconnect();
    await this.#scene.kafka.deleteGroup(this.#group);
  }

  #look(value: Buffer | null): void {
    if (this.#awaited !== undefined && value?.includes(this.#awaited.text)) this.#awaited.seen(performance.now());
  }
}
