export type DatabaseOpenFault =
  'database_unreachable' | 'extension_missing' | 'schema_newer' | 'folder_locked' | 'folder_unusable' | 'embedded_failed';

/** The database cannot be opened; the message is one line that says what to do. */
export class DatabaseOpenError extends Error {
  override readonly name = 'DatabaseOpenError';
  readonly code: DatabaseOpenFault;
  constructor(code: DatabaseOpenFault, message: string, cause?: unknown) {
    super(message, cause === undefined ? {} : { cause });
    this.code = code;
  }
  static is(error: unknown): error is DatabaseOpenError {
    return error instanceof DatabaseOpenError;
  }
}
