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
  if (typeof error !== 'object' || error === null) return false;
  const { code, message, errors } = error as { code?: unknown; message?: unknown; errors?: unknown };
  if (Array.isArray(errors) && errors.some(isDatabaseAway)) return true;
  if (typeof code === 'string') return networkCodes.has(code) || /^(08|53|57P|58|XX)...?$/.test(code);
  return typeof message === 'string' && connectionMessages.test(message);
}

/** Whether it is that its disk is full: somebody has to make room. */
export function isDiskFull(error: unknown): boolean {
  if (typeof error !== 'object' || error === null) return false;
  const { code, cause } = error as { code?: unknown; cause?: unknown };
  return code === '53100' || code === 'ENOSPC' || code === 'EDQUOT' || isDiskFull(cause);
}

/** What is told of a fault of the database, and what to do. */
export function describeAway(error: unknown): string {
  if (isDiskFull(error)) return "the database's disk is full and nothing was kept: make room on it, then send it again";
  return 'the database is out of reach or cannot take this now; nothing was kept: send it again';
}
