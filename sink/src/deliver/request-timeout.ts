/** The backend did not answer within `request.timeout.ms`. */
export class RequestTimeout extends Error {
  override readonly name = 'RequestTimeout';
  constructor(milliseconds: number) {
    super(`no answer within ${milliseconds} ms (request.timeout.ms)`);
  }
  static is(error: unknown): error is RequestTimeout {
    return error instanceof RequestTimeout;
  }
}
