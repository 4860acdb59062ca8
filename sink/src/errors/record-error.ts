import type { Stage } from './stage.js';

/** One record is bad, by itself and for good: tolerance decides. Retrying would not help. */
export class RecordError extends Error {
  override readonly name = 'RecordError';
  readonly code: string;
  readonly stage: Stage;
  /** Known where the record has an identity: then the backend is told by a `skip` event. */
  readonly identity: { readonly source: string; readonly key: string } | undefined;
  constructor(
    code: string,
    stage: Stage,
    message: string,
    options: { identity?: { source: string; key: string } | undefined; cause?: unknown } = {},
  ) {
    super(message, options.cause === undefined ? {} : { cause: options.cause });
    this.code = code;
    this.stage = stage;
    this.identity = options.identity;
  }
  static is(error: unknown): error is RecordError {
    return error instanceof RecordError;
  }
}
