import { corpusName, ProblemError, putCorpusSchema } from '@ossian/shared';
import { allowedReaders, allowsCorpus, type Caller, hasScope, narrowReaders } from '../auth/caller.js';
import type { Readers } from '../corpus/scope.js';
import { deleteCorpus, listCorpora, putCorpus } from '../storage/corpus-store.js';
import type { Database } from '../storage/database.js';
import { readStatistics } from '../storage/statistics-store.js';
import type { EventDependencies } from './event-routes.js';
import { readBody, readReaders } from './read-request.js';
import { kibibyte, type RequestContext, type Route } from './route.js';

type CorpusDependencies = Pick<EventDependencies, 'database' | 'forgetSource'>;
const corpusPath = '/v1/corpora/:corpus';

export function corpusRoutes(dependencies: CorpusDependencies): Route[] {
  const { database } = dependencies;
  return [
    {
      method: 'get',
      path: '/v1/corpora',
      scopes: ['ask', 'ingest'],
      handle: async ({ response, caller }) => {
        response.json({ corpora: await listCorpora(database, caller.corpora) });
      },
    },
    {
      method: 'get',
      path: corpusPath,
      scopes: ['ask', 'ingest'],
      corpus: true,
      handle: async ({ request, response, caller, corpus }) => {
        response.json(await readStatistics(database, { corpus, readers: countedReaders(caller, readReaders(request)) }));
      },
    },
    { method: 'put', path: corpusPath, scopes: ['admin'], bodyLimit: 64 * kibibyte, handle: (context) => put(context, database) },
    ...deletionRoutes(dependencies),
  ];
}

function deletionRoutes({ database, forgetSource }: CorpusDependencies): Route[] {
  return [
    {
      method: 'delete',
      path: corpusPath,
      scopes: ['admin'],
      corpus: true,
      handle: async ({ response, corpus }) => {
        await deleteCorpus(database, corpus);
        response.status(204).end();
      },
    },
    {
      method: 'delete',
      path: `${corpusPath}/sources/:source`,
      scopes: ['admin'],
      corpus: true,
      handle: async ({ request, response, corpus }) => {
        const source = String(request.params['source']);
        if (!(await forgetSource(corpus, source))) {
          throw new ProblemError(404, 'source_not_found', `there is no source "${source}" in this corpus`);
        }
        response.status(204).end();
      },
    },
  ];
}

/** Whoever writes or runs the corpus counts all that its key allows; whoever only asks counts what it may read. */
function countedReaders(caller: Caller, requested: readonly string[] | undefined): Readers {
  if (requested === undefined && hasScope(caller, 'ingest')) return allowedReaders(caller);
  return narrowReaders(caller, requested);
}

async function put({ request, response, caller }: RequestContext, database: Database): Promise<void> {
  const name = corpusName.safeParse(request.params['corpus']);
  if (!name.success) {
    throw new ProblemError(400, 'invalid_request', `corpus: ${name.error.issues[0]?.message}`, { extra: { field: 'corpus' } });
  }
  if (!allowsCorpus(caller, name.data)) throw new ProblemError(403, 'forbidden', 'this key is limited to other corpora');
  const { corpus, created } = await putCorpus(database, name.data, readBody(putCorpusSchema, request).language);
  response.status(created ? 201 : 200).json(await readStatistics(database, { corpus, readers: allowedReaders(caller) }));
}
