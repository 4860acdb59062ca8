/** A benchmark cannot go on, or has measured something else than it says; the message says why. */
export class BenchError extends Error {
  override readonly name = 'BenchError';
  static is(error: unknown): error is BenchError {
    return error instanceof BenchError;
  }
}
