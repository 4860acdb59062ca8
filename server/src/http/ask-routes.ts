import {
  type Answer,
  type AnswerEvent,
  type AskRequest,
  askSchema,
  type SearchRequest,
  type SearchResponse,
  searchSchema,
} from '@ossian/shared';
import { narrowReaders } from '../auth/caller.js';
import type { ReadScope } from '../corpus/scope.js';
import { EventStream } from './event-stream.js';
import { describeProblem, toProblemError } from './problem-response.js';
import { readBody } from './read-request.js';
import { type CorpusContext, mebibyte, type Route } from './route.js';

/** What the read routes call; wired by the app. */
export interface AskDependencies {
  readonly search: (scope: ReadScope, request: SearchRequest) => Promise<SearchResponse>;
  readonly ask: (
    scope: ReadScope,
    request: AskRequest,
    signal: AbortSignal,
    onEvent?: (event: AnswerEvent) => void,
  ) => Promise<Answer>;
}

export function askRoutes(dependencies: AskDependencies): Route[] {
  return [
    {
      method: 'post',
      path: '/v1/corpora/:corpus/ask',
      scopes: ['ask'],
      corpus: true,
      bodyLimit: mebibyte,
      handle: (context) => ask(context, dependencies),
    },
    {
      method: 'post',
      path: '/v1/corpora/:corpus/search',
      scopes: ['ask'],
      corpus: true,
      bodyLimit: mebibyte,
      handle: async (context) => {
        const request = readBody(searchSchema, context.request);
        context.response.json(await dependencies.search(readScope(context, request), request));
      },
    },
  ];
}

function readScope(context: CorpusContext, request: AskRequest | SearchRequest): ReadScope {
  const readers = narrowReaders(context.caller, request.readers);
  return { corpus: context.corpus, readers, filter: request.filter };
}

async function ask(context: CorpusContext, dependencies: AskDependencies): Promise<void> {
  const { response, signal } = context;
  const request = readBody(askSchema, context.request);
  const scope = readScope(context, request);
  if (!request.stream) {
    const answer = await dependencies.ask(scope, request, signal);
    response.json(answer);
    return;
  }
  const stream = new EventStream(response);
  try {
    await dependencies.ask(scope, request, signal, (event) => stream.send(event));
  } catch (error) {
    if (!stream.started || signal.aborted) throw error;
    const problem = toProblemError(error);
    response.locals['code'] = problem.code;
    stream.send({ event: 'error', data: describeProblem(problem, response.locals['requestId'] as string) });
  }
  stream.end();
}
