import type { Logger } from '@ossian/shared';
import { tombstone } from '../corpus/document.js';
import type { ReadScope } from '../corpus/scope.js';
import { deleteChunks } from '../storage/chunk-store.js';
import type { Database } from '../storage/database.js';
import { findVisibleIdentity, lockDocuments } from '../storage/document-store.js';
import { writeDocuments } from '../storage/document-writer.js';
import { retryConflicts } from './retry-conflicts.js';
import type { DocumentChanged } from './write-batch.js';

/**
 * Removes one document at an operator's word. It keeps its position, so that a replay does not bring it back, and the next change of
 * its row does.
 *
 * @returns false where there is none that the scope may see.
 * @throws ProblemError 503 where the database is away.
 */
export async function removeDocument(
  dependencies: {
    readonly database: Database;
    readonly documentChanged: DocumentChanged;
    readonly logger?: Logger | undefined;
    readonly clock?: (() => Date) | undefined;
  },
  scope: ReadScope,
  documentId: string,
): Promise<boolean> {
  const now = dependencies.clock?.() ?? new Date();
  return retryConflicts(dependencies.logger, () =>
    dependencies.database.transaction(async (transaction) => {
      const identity = await findVisibleIdentity(transaction, scope, documentId);
      if (identity === undefined) return false;
      const [document] = await lockDocuments(transaction, [{ ...identity, content: false }]);
      if (!document?.live) return false;
      await writeDocuments(transaction, [tombstone(document, document.position, null)], now);
      await deleteChunks(transaction, [document.id]);
      await dependencies.documentChanged(transaction, [{ documentId: document.id, kind: 'deleted' }]);
      return true;
    }),
  );
}
