import type { Logger } from '@ossian/shared';
import type { CorpusReference } from '../corpus/scope.js';
import type { Database } from '../storage/database.js';
import { deleteSource, liveDocumentIds } from '../storage/source-store.js';
import { retryConflicts } from './retry-conflicts.js';
import { type DocumentChanged, tellMemory } from './write-batch.js';

/**
 * Forgets a source whole (documents, tombstones, clears, ids, positions), so that it can be built anew; memory hears of its documents.
 *
 * @returns false where there is no such source.
 * @throws ProblemError 503 where the database is away.
 */
export async function forgetSource(
  dependencies: { readonly database: Database; readonly documentChanged: DocumentChanged; readonly logger?: Logger | undefined },
  corpus: CorpusReference,
  source: string,
): Promise<boolean> {
  return retryConflicts(dependencies.logger, () =>
    dependencies.database.transaction(async (transaction) => {
      const ids = await liveDocumentIds(transaction, corpus.id, source);
      if (ids === undefined) return false;
      const changes = ids.map((documentId) => ({ documentId, kind: 'deleted' as const }));
      await tellMemory(dependencies.documentChanged, transaction, changes);
      await deleteSource(transaction, corpus.id, source);
      return true;
    }),
  );
}
