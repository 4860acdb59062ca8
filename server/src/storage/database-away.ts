/** The embedded database has stopped: nothing more can be read or written in this process. */
export class EmbeddedStoppedError extends Error {
  override readonly name = 'EmbeddedStoppedError';
  static is(error: unknown): error is EmbeddedStoppedError {
    return error instanceof EmbeddedStoppedError;
  }
}

const networkCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ENOSPC',
  'EDQUOT',
]);
// What pg and pg-pool say without a code.
const connectionMessages =
  /Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error|Cannot use a pool after calling end/;

/**
 * Whether the fault is the database's and not the request's: connection lost or refused, shutting down, disk full, out of memory
 * or connections (SQLSTATE classes 08, 53, 57P, 58, XX and PANIC). Such a request is answered 503 with Retry-After.
 */
export function isDatabaseAway(error: unknown): boolean {
  if (EmbeddedStoppedError.is(error)) return true;
  if (error instanceof AggregateError && error.errors.some(isDatabaseAway)) return true;
  if (!(error instanceof Error)) return false;
  const code = (error as { code?: unknown }).code;
  if (typeof code === 'string') return networkCodes.has(code) || /^(08|53|57P|58|XX)/.test(code);
  return connectionMessages.test(error.message);
}
