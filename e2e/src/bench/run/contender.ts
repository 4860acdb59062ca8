/** One run of one contender. */
export interface Measurement {
  readonly rows: number;
  readonly seconds: number;
  /** CPU seconds by whose they are (a column of the table each); undefined where this machine does not tell. */
  readonly cpu: Readonly<Record<string, number | undefined>>;
}

/** One of the things that are compared. */
export interface Contender {
  readonly name: string;
  /** Name of the contender that this one's ratio is against; without it there is none. */
  readonly against?: string;
  /** @param round counted from 1. */
  run(round: number): Promise<Measurement>;
}

/** All rounds of one contender, in order. */
export interface Result {
  readonly contender: Contender;
  readonly measurements: readonly Measurement[];
}
