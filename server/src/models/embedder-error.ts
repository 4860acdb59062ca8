/** A text could not be embedded, or the embedder's worker ended. */
export class EmbedderError extends Error {
  override readonly name = 'EmbedderError';
  static is(error: unknown): error is EmbedderError {
    return error instanceof EmbedderError;
  }
}
