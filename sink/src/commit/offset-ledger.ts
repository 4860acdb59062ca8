/** A received record's place in its partition's ledger: its owner calls `end` once, when the record has ended. */
export interface LedgerEntry {
  readonly offset: bigint;
  readonly ended: boolean;
  end(): void;
}

/**
 * The contiguous ledger of one partition: which of the records that were received have ended.
 *
 * What may be committed is the offset of the first record that has not ended or, where all have, the place up to which the
 * log was read. Offsets are not expected to follow one another: transactions and compaction leave gaps.
 */
export class OffsetLedger {
  #entries: Entry[] = [];
  #first = 0;
  #position: bigint;

  /** @param start the offset that is fetched first. */
  constructor(start: bigint) {
    this.#position = start;
  }

  /** Takes a received record in, in the partition's order. */
  receive(offset: bigint): LedgerEntry {
    const entry = new Entry(offset);
    this.#entries.push(entry);
    this.#position = offset + 1n;
    return entry;
  }

  /** The log was read up to here (exclusive), where the last part of it held nothing for us, e.g. a transaction's marker. */
  advance(position: bigint): void {
    if (position > this.#position) this.#position = position;
  }

  /** The next offset to be read: what may be committed, in Kafka's meaning. */
  get committable(): bigint {
    this.#passEnded();
    return this.#entries[this.#first]?.offset ?? this.#position;
  }

  /** The offset after the last record received. */
  get position(): bigint {
    return this.#position;
  }

  /** How many records were received and have not ended, in front of which nothing is committed. */
  get open(): number {
    this.#passEnded();
    return this.#entries.length - this.#first;
  }

  /** How many of the records that were received have not ended: those after them that have are not among them. */
  get unended(): number {
    this.#passEnded();
    let count = 0;
    for (let index = this.#first; index < this.#entries.length; index += 1) if (this.#entries[index]?.ended === false) count += 1;
    return count;
  }

  #passEnded(): void {
    while (this.#entries[this.#first]?.ended === true) this.#first += 1;
    // Cut off now and then, not at each record: shifting an array costs its length.
    if (this.#first > 4096 && this.#first * 2 > this.#entries.length) {
      this.#entries = this.#entries.slice(this.#first);
      this.#first = 0;
    }
  }
}

class Entry implements LedgerEntry {
  readonly offset: bigint;
  ended = false;
  constructor(offset: bigint) {
    this.offset = offset;
  }
  end(): void {
    this.ended = true;
  }
}
