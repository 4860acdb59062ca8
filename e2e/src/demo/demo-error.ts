/** The demo cannot go on; the message says why and what to do. */
export class DemoError extends Error {
  override readonly name = 'DemoError';
  static is(error: unknown): error is DemoError {
    return error instanceof DemoError;
  }
}
