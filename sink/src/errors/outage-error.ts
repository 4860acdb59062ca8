/** Something outside is away for now: wait and retry without end, holding the partition. Never a reason to dead-letter. */
export class OutageError extends Error {
  override readonly name = 'OutageError';
  /** Milliseconds the other side asked us to wait, where it did. */
  readonly retryAfterMilliseconds: number | undefined;
  constructor(message: string, options: { retryAfterMilliseconds?: number | undefined; cause?: unknown } = {}) {
    super(message, options.cause === undefined ? {} : { cause: options.cause });
    this.retryAfterMilliseconds = options.retryAfterMilliseconds;
  }
  static is(error: unknown): error is OutageError {
    return error instanceof OutageError;
  }
}
