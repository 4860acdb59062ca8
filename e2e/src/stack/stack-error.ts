/** The stack cannot do what was asked; the message says what to do about it. */
export class StackError extends Error {
  override readonly name = 'StackError';
  static is(error: unknown): error is StackError {
    return error instanceof StackError;
  }
}
