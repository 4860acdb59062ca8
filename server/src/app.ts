import { type Logger, ProblemError } from '@ossian/shared';
import express, { type Express } from 'express';
import helmet, { type HelmetOptions } from 'helmet';
import type { Authenticate } from './auth/authenticate.js';
import { type AskDependencies, askRoutes } from './http/ask-routes.js';
import { corpusRoutes } from './http/corpus-routes.js';
import { documentRoutes } from './http/document-routes.js';
import { type EventDependencies, eventRoutes } from './http/event-routes.js';
import { healthRoutes } from './http/health-routes.js';
import { keyRoutes } from './http/key-routes.js';
import { mountRoutes } from './http/mount-routes.js';
import { answerErrors } from './http/problem-response.js';
import { logRequests } from './http/request-log.js';
import { findCorpus } from './storage/corpus-store.js';

export interface AppDependencies extends EventDependencies, AskDependencies {
  readonly authenticate: Authenticate;
  readonly logger: Logger;
  /** True once the server is being stopped: what comes over an open connection is sent elsewhere. */
  readonly isStopping?: () => boolean;
}

/** Answers are data and hold no page. TLS, and with it its own header, is the business of whatever stands before the server. */
const headers: HelmetOptions = {
  contentSecurityPolicy: { useDefaults: false, directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] } },
  strictTransportSecurity: false,
};

/** The HTTP interface as an Express app that does not listen. */
export function createApp(dependencies: AppDependencies): Express {
  const { database, authenticate, logger } = dependencies;
  const routes = [
    ...healthRoutes(database),
    ...corpusRoutes(dependencies),
    ...eventRoutes(dependencies),
    ...documentRoutes(dependencies),
    ...askRoutes(dependencies),
    ...keyRoutes(database),
  ];
  const app = express();
  app.disable('etag');
  app.use(logRequests(logger), helmet(headers));
  app.use((_request, response, next) => {
    if (dependencies.isStopping?.() !== true) return next();
    response.set('Connection', 'close');
    throw new ProblemError(503, 'stopping', 'the server is being stopped; send it again', { headers: { 'Retry-After': '1' } });
  });
  app.use(mountRoutes(routes, { authenticate, findCorpus: (name) => findCorpus(database, name) }));
  app.use((request) => {
    throw new ProblemError(404, 'route_not_found', `there is nothing at ${request.path}`);
  });
  app.use(answerErrors(logger));
  return app;
}
