import { randomUUID } from 'node:crypto';
import type { Logger } from '@ossian/shared';
import type { RequestHandler } from 'express';

/** Gives each request an id, the caller's own where it sent a plain one, and logs how it ended: never its query, body or key. */
export function logRequests(logger: Logger): RequestHandler {
  return (request, response, next) => {
    const started = performance.now();
    const sent = request.get('x-request-id');
    const requestId = sent !== undefined && /^[\w.:-]{1,128}$/.test(sent) ? sent : randomUUID();
    response.locals['requestId'] = requestId;
    response.set('x-request-id', requestId);
    response.on('close', () => {
      const level = request.path.startsWith('/health/') ? 'debug' : 'info';
      const milliseconds = Math.round(performance.now() - started);
      const { keyId, code } = response.locals as { keyId?: string; code?: string };
      logger[level](
        {
          request_id: requestId,
          method: request.method,
          path: withoutKeys(request.path),
          status: response.statusCode,
          milliseconds,
          ...(keyId === undefined ? {} : { key: keyId }),
          ...(code === undefined ? {} : { code }),
          ...(response.writableFinished ? {} : { caller_gone: true }),
        },
        'request',
      );
    });
    next();
  };
}

/** A key that was taken for a key's id, as in `DELETE /v1/keys/osk_…`, is a secret still. */
function withoutKeys(path: string): string {
  return path.replace(/osk_[^/]+/g, 'osk_…');
}
