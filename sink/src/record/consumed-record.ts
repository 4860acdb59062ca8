/** A header as it stands in the record: names may repeat (Debezium does send `__op` twice), values are bytes. */
export interface RecordHeader {
  readonly name: string;
  readonly value: Uint8Array | null;
}

/** Where a record stands in Kafka. Integers that may pass 2^53 are bigint. */
export interface Coordinates {
  readonly topic: string;
  readonly partition: number;
  readonly offset: bigint;
  /** Record timestamp, milliseconds since 1970 (-1 where the record has none). */
  readonly timestamp: bigint;
}

/** A record as it was consumed: bytes, nothing decoded. */
export interface ConsumedRecord extends Coordinates {
  readonly key: Uint8Array | null;
  readonly value: Uint8Array | null;
  readonly headers: readonly RecordHeader[];
}
