import { isUtf8 } from 'node:buffer';
import { corpusName, ProblemError } from '@ossian/shared';
import express, { type Request, type RequestHandler, type Response, Router } from 'express';
import type { Authenticate } from '../auth/authenticate.js';
import { allowsCorpus, type Caller, requireScope, unlimitedAdmin } from '../auth/caller.js';
import type { CorpusReference } from '../corpus/scope.js';
import { notUtf8 } from './problem-response.js';
import type { Route } from './route.js';

export interface MountOptions {
  readonly authenticate: Authenticate;
  readonly findCorpus: (name: string) => Promise<CorpusReference | undefined>;
}

/** A router of these routes; a path that is known with another method answers 405. */
export function mountRoutes(routes: readonly Route[], options: MountOptions): Router {
  const router = Router();
  for (const path of new Set(routes.map((route) => route.path))) {
    const ofPath = routes.filter((route) => route.path === path);
    const mounted = router.route(path);
    for (const route of ofPath) mounted[route.method](...handlers(route, options));
    mounted.all(refuseMethod(ofPath.map((route) => route.method.toUpperCase())));
  }
  return router;
}

function handlers(route: Route, options: MountOptions): RequestHandler[] {
  const limit = route.bodyLimit;
  // Any content type: a body is JSON or is refused as not being it.
  const body = limit === undefined ? [] : [express.json({ limit, type: () => true, strict: false, verify: refuseBrokenText })];
  return [admit(route, options), ...body, run(route)];
}

/** Bytes that are no UTF-8 would become U+FFFD when they are decoded, and two keys that differ in them one. */
function refuseBrokenText(_request: unknown, _response: unknown, body: Buffer, encoding: string): void {
  if (encoding === 'utf-8' && !isUtf8(body)) throw Object.assign(new TypeError('the body is not UTF-8'), { type: notUtf8 });
}

function admit(route: Route, options: MountOptions): RequestHandler {
  return async (request, response, next) => {
    if (route.scopes === undefined) return next();
    const caller = await options.authenticate(request.get('authorization'));
    response.locals['caller'] = caller;
    response.locals['keyId'] = caller.keyId;
    requireScope(caller, route.scopes);
    if (route.corpus) response.locals['corpus'] = await resolveCorpus(request, caller, options);
    next();
  };
}

/** A corpus that the key may not see is answered exactly as one that does not exist. */
async function resolveCorpus(request: Request, caller: Caller, options: MountOptions): Promise<CorpusReference> {
  const name = String(request.params['corpus']);
  const seen = corpusName.safeParse(name).success && allowsCorpus(caller, name);
  const corpus = seen ? await options.findCorpus(name) : undefined;
  if (corpus !== undefined) return corpus;
  const remedy = `PUT /v1/corpora/${encodeURIComponent(name)} makes it`;
  throw new ProblemError(404, 'corpus_not_found', `there is no corpus "${name}" for this key; ${remedy}`);
}

function run(route: Route): RequestHandler {
  return async (request, response) => {
    const caller = (response.locals['caller'] as Caller | undefined) ?? { ...unlimitedAdmin('none'), scopes: [] };
    const context = { request, response, caller, signal: goneSignal(response) };
    if (route.corpus) await route.handle({ ...context, corpus: response.locals['corpus'] as CorpusReference });
    else await route.handle(context);
  };
}

function goneSignal(response: Response): AbortSignal {
  const controller = new AbortController();
  response.on('close', () => {
    if (!response.writableFinished) controller.abort(new DOMException('the caller has gone', 'AbortError'));
  });
  return controller.signal;
}

function refuseMethod(allowed: readonly string[]): RequestHandler {
  return (request) => {
    const allow = allowed.join(', ');
    throw new ProblemError(405, 'method_not_allowed', `${request.method} is not possible here, but ${allow} is`, {
      headers: { Allow: allow },
    });
  };
}
