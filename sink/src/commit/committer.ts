import type { OffsetLedger } from './offset-ledger.js';

export interface PartitionOffset {
  readonly topic: string;
  readonly partition: number;
  readonly offset: bigint;
}

export interface LedgerOf {
  readonly topic: string;
  readonly partition: number;
  readonly ledger: OffsetLedger;
}

/** What the committer writes with: the source. False where the commit was fenced: the partitions are not ours any more. */
export type CommitOffsets = (generation: number, offsets: readonly PartitionOffset[]) => Promise<boolean>;

/**
 * Commits what the ledgers allow, and only where it has moved. One commit is under way at a time; each belongs to one
 * generation of the group, and after a rebalance an older generation's work commits nothing (S1).
 */
export class Committer {
  readonly #commit: CommitOffsets;
  #generation = -1;
  #ledgers: readonly LedgerOf[] = [];
  #committed = new Map<string, bigint>();
  #running: Promise<void> = Promise.resolve();

  constructor(commit: CommitOffsets) {
    this.#commit = commit;
  }

  /** A new assignment: what was known of the older one is forgotten. The ledgers' starts count as committed. */
  assign(generation: number, ledgers: readonly LedgerOf[]): void {
    this.#generation = generation;
    this.#ledgers = ledgers;
    this.#committed = new Map(ledgers.map((entry) => [nameOf(entry), entry.ledger.committable]));
  }

  /** Nothing is ours until the next `assign`. */
  revoke(): void {
    this.assign(-1, []);
  }

  /** What is committed for a partition: the next offset to be read. */
  committed(topic: string, partition: number): bigint | undefined {
    return this.#committed.get(nameOf({ topic, partition }));
  }

  /** @throws what the source throws; nothing counts as committed then, and the next call tries again. */
  commit(): Promise<void> {
    const next = this.#running.catch(() => undefined).then(() => this.#commitMoved());
    this.#running = next;
    return next;
  }

  async #commitMoved(): Promise<void> {
    const generation = this.#generation;
    const offsets = this.#ledgers
      .map(({ topic, partition, ledger }) => ({ topic, partition, offset: ledger.committable }))
      .filter((entry) => entry.offset !== this.#committed.get(nameOf(entry)));
    if (offsets.length === 0) return;
    const accepted = await this.#commit(generation, offsets);
    if (!accepted || generation !== this.#generation) return;
    for (const entry of offsets) this.#committed.set(nameOf(entry), entry.offset);
  }
}

function nameOf({ topic, partition }: { topic: string; partition: number }): string {
  return `${topic}/${partition}`;
}
