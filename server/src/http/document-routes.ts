import { documentsQuerySchema, ProblemError } from '@ossian/shared';
import { allowedReaders, narrowReaders } from '../auth/caller.js';
import type { ReadScope } from '../corpus/scope.js';
import { listDocuments, readDocument } from '../storage/document-read-store.js';
import type { EventDependencies } from './event-routes.js';
import { readQuery, readReaders } from './read-request.js';
import type { CorpusContext, Route } from './route.js';

type DocumentDependencies = Pick<EventDependencies, 'database' | 'removeDocument'>;
const documentsPath = '/v1/corpora/:corpus/documents';
const documentPath = `${documentsPath}/:id`;

export function documentRoutes(dependencies: DocumentDependencies): Route[] {
  const { database } = dependencies;
  return [
    {
      method: 'get',
      path: documentsPath,
      scopes: ['ask'],
      corpus: true,
      handle: async (context) => {
        const { include, ...query } = readQuery(documentsQuerySchema, context.request);
        const page = { ...query, includeSections: include === 'sections' };
        context.response.json(await listDocuments(database, readScope(context), page));
      },
    },
    {
      method: 'get',
      path: documentPath,
      scopes: ['ask'],
      corpus: true,
      handle: async (context) => {
        const id = String(context.request.params['id']);
        const document = await readDocument(database, readScope(context), id);
        if (document === undefined) throw notFound(id);
        context.response.json(document);
      },
    },
    {
      method: 'delete',
      path: documentPath,
      scopes: ['ingest'],
      corpus: true,
      handle: (context) => remove(context, dependencies),
    },
  ];
}

function readScope({ request, caller, corpus }: CorpusContext): ReadScope {
  return { corpus, readers: narrowReaders(caller, readReaders(request)) };
}

/** Whoever may write a document may remove it, within the readers that its key is limited to. A later change of its row brings it back. */
async function remove({ request, response, caller, corpus }: CorpusContext, dependencies: DocumentDependencies): Promise<void> {
  const id = String(request.params['id']);
  if (!(await dependencies.removeDocument({ corpus, readers: allowedReaders(caller) }, id))) throw notFound(id);
  response.status(204).end();
}

function notFound(id: string): ProblemError {
  return new ProblemError(404, 'document_not_found', `there is no document "${id}" here for this key and these readers`);
}
