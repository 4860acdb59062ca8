/** The embedder embeds nothing at the moment: to be tried again later, no text's fault. */
export class EmbedderAwayError extends Error {
  override readonly name = 'EmbedderAwayError';
  constructor(cause: unknown) {
    super(`the embedder does not work: ${String(cause)}`, { cause });
  }
  static is(error: unknown): error is EmbedderAwayError {
    return error instanceof EmbedderAwayError;
  }
}
