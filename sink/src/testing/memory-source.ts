import type { ConsumedRecord } from '../record/consumed-record.js';
import {
  partitionName,
  type PartitionOffset,
  type RecordSource,
  type SourceListener,
  type TopicPartition,
} from '../source/record-source.js';

/** A source that the test drives: it assigns, hands on and rebalances when it is told to. */
export class MemorySource implements RecordSource {
  readonly commits: { generation: number; offsets: readonly PartitionOffset[] }[] = [];
  readonly paused = new Set<string>();
  readonly ends = new Map<string, bigint>();
  generation = 0;
  listener: SourceListener | undefined;
  #end: (error?: Error) => void = () => undefined;
  #listening: () => void = () => undefined;
  readonly listening = new Promise<void>((resolve) => {
    this.#listening = resolve;
  });

  run(listener: SourceListener, signal: AbortSignal): Promise<void> {
    this.listener = listener;
    this.#listening();
    return new Promise<void>((resolve, reject) => {
      this.#end = (error) => (error === undefined ? resolve() : reject(error));
      const leave = (): void => {
        listener.revoked(); // as a consumer does that leaves its group
        resolve();
      };
      signal.addEventListener('abort', leave, { once: true });
    });
  }
  /** The source ends by itself, or fails. */
  end(error?: Error): void {
    this.#end(error);
  }
  assign(...partitions: PartitionOffset[]): void {
    this.generation += 1;
    this.listener?.assigned(this.generation, partitions);
  }
  give(records: readonly ConsumedRecord[]): void {
    const first = records[0];
    const last = records.at(-1);
    if (first === undefined || last === undefined) return;
    const { topic, partition } = first;
    this.ends.set(partitionName(first), last.offset + 1n);
    this.listener?.received({ topic, partition, records, position: last.offset + 1n, end: last.offset + 1n });
  }

  pause(partition: TopicPartition): void {
    this.paused.add(partitionName(partition));
  }
  resume(partition: TopicPartition): void {
    this.paused.delete(partitionName(partition));
  }
  commit(generation: number, offsets: readonly PartitionOffset[]): Promise<boolean> {
    if (generation !== this.generation) return Promise.resolve(false);
    this.commits.push({ generation, offsets });
    return Promise.resolve(true);
  }
  committed(partition = 0, topic = 't'): bigint | undefined {
    const all = this.commits.flatMap(({ offsets }) => offsets);
    return all.filter((entry) => entry.topic === topic && entry.partition === partition).at(-1)?.offset;
  }
  endOffsets(partitions: readonly TopicPartition[]): Promise<PartitionOffset[]> {
    return Promise.resolve(
      partitions.map(({ topic, partition }) => ({
        topic,
        partition,
        offset: this.ends.get(partitionName({ topic, partition })) ?? 0n,
      })),
    );
  }
}
