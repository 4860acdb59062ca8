/** A file of a model is missing, or is not the one that was shipped. */
export class ModelFileError extends Error {
  override readonly name = 'ModelFileError';
  readonly file: string;
  constructor(file: string, message: string) {
    super(message);
    this.file = file;
  }
  static is(error: unknown): error is ModelFileError {
    return error instanceof ModelFileError;
  }
}
