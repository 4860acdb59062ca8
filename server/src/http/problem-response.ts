import { STATUS_CODES } from 'node:http';
import { type Logger, type Problem, ProblemError, problemContentType } from '@ossian/shared';
import type { ErrorRequestHandler, Response } from 'express';
import { describeAway, isDatabaseAway } from '../storage/database-away.js';

/** What is told of an error that a request met; the same form for every error. */
export function toProblemError(error: unknown): ProblemError {
  if (ProblemError.is(error)) return error;
  const { type, status, code } = (error ?? {}) as { type?: unknown; status?: unknown; code?: unknown };
  const ofBody = typeof type === 'string' ? bodyProblems[type] : undefined;
  if (ofBody !== undefined) return ofBody();
  if (isDatabaseAway(error)) return away('database_unavailable', describeAway(error));
  if (code === '40P01' || code === '40001')
    return away('try_again', 'another request was in the way; nothing was written: send it again');
  if (code === '22021' || code === '22P05') return notText();
  // Express itself: a path that is not percent-encoded as it should be, a broken content encoding.
  if (typeof status === 'number' && status >= 400 && status < 500) {
    return new ProblemError(status, 'invalid_request', 'the request cannot be read', { cause: error });
  }
  return new ProblemError(500, 'internal_error', 'the server failed; its log has more under this request_id', { cause: error });
}

const away = (code: string, detail: string): ProblemError =>
  new ProblemError(503, code, detail, { headers: { 'Retry-After': '5' } });

// Identities and texts of events are dealt with where they are read; this is a question, a filter, a name in a path.
const notText = (): ProblemError =>
  new ProblemError(400, 'invalid_request', 'the request holds a NUL character, which no stored text has: leave it out');

/** The `type` of the error that a body gets which is not the text that it says it is. */
export const notUtf8 = 'entity.not.utf8';

const bodyProblems: Record<string, () => ProblemError> = {
  'entity.too.large': () => new ProblemError(413, 'body_too_large', 'the body is too large: send it in smaller parts'),
  'entity.parse.failed': () => new ProblemError(400, 'not_json', 'the body is not JSON'),
  [notUtf8]: () => new ProblemError(400, 'not_json', 'the body is not JSON, since it is not UTF-8: encode its text so'),
  'request.size.invalid': () => new ProblemError(400, 'invalid_request', 'the body is not as long as Content-Length says'),
  'request.aborted': () => new ProblemError(400, 'request_aborted', 'the body did not arrive whole'),
  'charset.unsupported': () => new ProblemError(415, 'unsupported_encoding', 'the body must be JSON in UTF-8'),
  'encoding.unsupported': () =>
    new ProblemError(415, 'unsupported_encoding', 'the body may be compressed with gzip, deflate or br'),
};

/** The problem as it is sent. */
export function describeProblem(error: ProblemError, requestId: string): Problem {
  return { ...error.toProblem(STATUS_CODES[error.status] ?? 'Error'), request_id: requestId };
}

export function sendProblem(response: Response, error: ProblemError, requestId: string): void {
  response.status(error.status).set(error.headers).type(problemContentType);
  response.send(JSON.stringify(describeProblem(error, requestId)));
}

/** The last handler: every error that a route did not answer itself. */
export function answerErrors(logger: Logger): ErrorRequestHandler {
  // Express tells an error handler by its four parameters.
  // eslint-disable-next-line @typescript-eslint/no-unused-vars
  return (error: unknown, request, response, _next) => {
    const requestId = response.locals['requestId'] as string;
    if (isGone(error) && request.socket.destroyed) return;
    const problem = toProblemError(error);
    response.locals['code'] = problem.code;
    if (problem.status >= 500 && problem.status !== 503) {
      logger.error({ err: problem.cause ?? error, request_id: requestId }, 'a request failed');
    }
    if (response.headersSent) {
      // Half an answer is out: only a cut connection tells the caller that it is not whole.
      request.socket.destroy();
      return;
    }
    if (request.socket.destroyed) return;
    sendProblem(response, problem, requestId);
  };
}

/** What a route that was told by its signal that its caller has gone ends with: nothing failed, and the request's line says it. */
function isGone(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'AbortError';
}
