import { type EventResult, eventBatchSchema, eventsQuerySchema, type Progress, progressSchema } from '@ossian/shared';
import { requireAllReaders } from '../auth/caller.js';
import type { CorpusReference, ReadScope } from '../corpus/scope.js';
import type { Database } from '../storage/database.js';
import { listEvents } from '../storage/event-log-store.js';
import { readBody, readQuery } from './read-request.js';
import { mebibyte, type Route } from './route.js';

/** What the write routes call; wired by the app. */
export interface EventDependencies {
  readonly database: Database;
  readonly applyEvents: (corpus: CorpusReference, events: readonly unknown[]) => Promise<EventResult[]>;
  readonly reportProgress: (corpus: CorpusReference, progress: Progress) => Promise<void>;
  /** False where there is none that the scope may see. */
  readonly removeDocument: (scope: ReadScope, documentId: string) => Promise<boolean>;
  /** False where there is no such source. */
  readonly forgetSource: (corpus: CorpusReference, source: string) => Promise<boolean>;
}

export function eventRoutes(dependencies: EventDependencies): Route[] {
  const path = '/v1/corpora/:corpus/events';
  return [
    {
      method: 'post',
      path,
      scopes: ['ingest'],
      corpus: true,
      bodyLimit: 32 * mebibyte,
      // The caller's going does not reach here: a batch that has begun is finished.
      handle: async ({ request, response, corpus }) => {
        const { events } = readBody(eventBatchSchema, request);
        response.json({ results: await dependencies.applyEvents(corpus, events) });
      },
    },
    {
      method: 'get',
      path,
      scopes: ['admin'],
      corpus: true,
      handle: async ({ request, response, caller, corpus }) => {
        requireAllReaders(caller);
        const { document_id, ...query } = readQuery(eventsQuerySchema, request);
        response.json(await listEvents(dependencies.database, corpus, { ...query, documentId: document_id }));
      },
    },
    {
      method: 'post',
      path: '/v1/corpora/:corpus/progress',
      scopes: ['ingest'],
      corpus: true,
      bodyLimit: 4 * mebibyte,
      handle: async ({ request, response, corpus }) => {
        await dependencies.reportProgress(corpus, readBody(progressSchema, request));
        response.status(204).end();
      },
    },
  ];
}
