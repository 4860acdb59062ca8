import { ProblemError } from '@ossian/shared';

/** Where the next page begins: the sort values of the last row that was given. Opaque to callers. */
export function writeCursor(values: readonly string[]): string {
  return Buffer.from(JSON.stringify(values)).toString('base64url');
}

/**
 * @param length how many values the page's order has; the first is a number of the database.
 * @throws ProblemError 400 where the cursor is not one of ours.
 */
export function readCursor(cursor: string, length: number): string[] {
  try {
    const values: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString());
    if (Array.isArray(values) && values.length === length && values.every((value) => typeof value === 'string')) {
      if (/^\d{1,18}$/.test(values[0] ?? '')) return values;
    }
  } catch {
    // Not JSON: answered below.
  }
  throw new ProblemError(400, 'invalid_request', 'cursor: expected the next_cursor of the page before', {
    extra: { field: 'cursor' },
  });
}
