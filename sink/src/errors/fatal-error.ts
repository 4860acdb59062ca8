/** The task cannot go on and says why and what to do: it stops as FAILED, with nothing committed past the fault. */
export class FatalError extends Error {
  override readonly name = 'FatalError';
  readonly code: string;
  constructor(code: string, message: string, options: { cause?: unknown } = {}) {
    super(message, options);
    this.code = code;
  }
  static is(error: unknown): error is FatalError {
    return error instanceof FatalError;
  }
}
