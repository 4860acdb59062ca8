import type { ConsumedRecord } from '../record/consumed-record.js';
import { readRecordFiles } from './record-file.js';
import {
  partitionName,
  type PartitionOffset,
  type RecordSource,
  type SourceListener,
  type TopicPartition,
} from './record-source.js';

/** Records that are handed on at once. */
const chunk = 500;

/**
 * Record files as a source: every record once, merged as `readRecordFiles` merges them, then the end. The files are read
 * through first, so that a line that is broken is told before anything is delivered. Nothing is committed anywhere.
 */
export class RecordFileSource implements RecordSource {
  readonly #paths: readonly string[];
  readonly #readsTopic: (topic: string) => boolean;
  readonly #leftOut: (topics: readonly string[]) => void;
  readonly #paused = new Set<string>();
  readonly #ends = new Map<string, PartitionOffset>();
  #resumed: (() => void) | undefined;

  /**
   * @param readsTopic by default every topic in the files is read.
   * @param leftOut told which topics in the files are not.
   */
  constructor(
    paths: readonly string[],
    readsTopic: (topic: string) => boolean = () => true,
    leftOut: (topics: readonly string[]) => void = () => undefined,
  ) {
    this.#paths = paths;
    this.#readsTopic = readsTopic;
    this.#leftOut = leftOut;
  }

  /** @throws FatalError (`record_file`) with file and line. */
  async run(listener: SourceListener, signal: AbortSignal): Promise<void> {
    const starts = new Map<string, PartitionOffset>();
    const others = new Set<string>();
    for await (const { topic, partition, offset } of readRecordFiles(this.#paths)) {
      if (signal.aborted) return;
      if (!this.#readsTopic(topic)) {
        others.add(topic);
        continue;
      }
      const name = partitionName({ topic, partition });
      if (!starts.has(name)) starts.set(name, { topic, partition, offset });
      this.#ends.set(name, { topic, partition, offset: offset + 1n });
    }
    if (others.size > 0) this.#leftOut([...others]);
    listener.assigned(1, [...starts.values()]);
    let records: ConsumedRecord[] = [];
    for await (const record of readRecordFiles(this.#paths)) {
      if (this.#readsTopic(record.topic)) records.push(record);
      if (records.length < chunk) continue;
      this.#hand(records, listener);
      records = [];
      if (!(await this.#mayGoOn(signal))) return;
    }
    this.#hand(records, listener);
  }

  pause(partition: TopicPartition): void {
    this.#paused.add(partitionName(partition));
  }
  resume(partition: TopicPartition): void {
    this.#paused.delete(partitionName(partition));
    if (this.#paused.size === 0) this.#resumed?.();
  }
  commit(): Promise<boolean> {
    return Promise.resolve(true);
  }
  /** The end of what the files hold. */
  endOffsets(partitions: readonly TopicPartition[]): Promise<PartitionOffset[]> {
    return Promise.resolve(partitions.flatMap((partition) => this.#ends.get(partitionName(partition)) ?? []));
  }

  #hand(records: readonly ConsumedRecord[], listener: SourceListener): void {
    const partitions = new Map<string, ConsumedRecord[]>();
    for (const record of records) {
      const name = partitionName(record);
      const part = partitions.get(name);
      if (part === undefined) partitions.set(name, [record]);
      else part.push(record);
    }
    for (const [name, part] of partitions) {
      const last = part.at(-1);
      if (last === undefined) continue;
      const end = this.#ends.get(name)?.offset ?? last.offset + 1n;
      listener.received({ topic: last.topic, partition: last.partition, records: part, position: last.offset + 1n, end });
    }
  }

  /** Waits while a partition is paused: the files are read as one stream. @returns false at the stop. */
  async #mayGoOn(signal: AbortSignal): Promise<boolean> {
    // Even where nothing is paused, what was handed on has its turn.
    await new Promise((resolve) => setImmediate(resolve));
    while (this.#paused.size > 0 && !signal.aborted) {
      await new Promise<void>((resolve) => {
        this.#resumed = resolve;
        signal.addEventListener('abort', () => resolve(), { once: true });
      });
    }
    return !signal.aborted;
  }
}
