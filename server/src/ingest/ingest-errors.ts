import { ProblemError } from '@ossian/shared';

/** A source was deleted while a batch made it, or its corpus is gone: the batch is tried again, and finds out. */
export class SourceGoneError extends Error {
  override readonly name = 'SourceGoneError';
  constructor(source: string) {
    super(`the source ${source} was deleted while events came for it`);
  }
  static is(error: unknown): error is SourceGoneError {
    return error instanceof SourceGoneError;
  }
}

function sqlState(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined;
  return typeof error.code === 'string' && /^[0-9A-Z]{5}$/.test(error.code) ? error.code : undefined;
}

/** A fault of the data, and so of one event: cardinality, data exception, constraint, program limit (SQLSTATE 21, 22, 23, 54). */
export function isDataFault(error: unknown): error is Error {
  return /^(21|22|23|54)/.test(sqlState(error) ?? '');
}

/** Two transactions stood in each other's way: deadlock or serialization failure. The same again succeeds. */
export function isConflict(error: unknown): boolean {
  return /^(40001|40P01)$/.test(sqlState(error) ?? '') || SourceGoneError.is(error);
}

/** Whether the database said it, whatever it was. */
export function isDatabaseFault(error: unknown): boolean {
  return sqlState(error) !== undefined;
}

export function corpusNotFound(name: string): ProblemError {
  return new ProblemError(404, 'corpus_not_found', `there is no corpus "${name}": make it with PUT /v1/corpora/${name}`);
}
