import { type Logger, ProblemError, type Progress } from '@ossian/shared';
import type { CorpusReference } from '../corpus/scope.js';
import type { Database, Transaction } from '../storage/database.js';
import { writeProgress } from '../storage/progress-store.js';
import { lockSources } from '../storage/source-store.js';
import { isDataFault } from './ingest-errors.js';
import { requireSource } from './require-source.js';
import { retryConflicts } from './retry-conflicts.js';

/**
 * Keeps how far a sink has come in a source; a source that never had an event is made by it.
 *
 * @throws ProblemError 400 where a value cannot be stored, 404 where the corpus has gone, 503 where the database is away.
 */
export async function reportProgress(
  dependencies: { readonly database: Database; readonly logger?: Logger | undefined },
  corpus: CorpusReference,
  progress: Progress,
): Promise<void> {
  try {
    await retryConflicts(dependencies.logger, () =>
      dependencies.database.transaction((transaction) => write(transaction, corpus, progress)),
    );
  } catch (error) {
    const cause = ProblemError.is(error) ? error.cause : error;
    if (isDataFault(cause)) throw new ProblemError(400, 'invalid_request', `the database cannot store this: ${cause.message}`);
    throw error;
  }
}

async function write(transaction: Transaction, corpus: CorpusReference, progress: Progress): Promise<void> {
  const sourceIds = await lockSources(transaction, corpus.id, [progress.source], 'shared');
  const sourceId = await requireSource(transaction, corpus, sourceIds, progress.source);
  await writeProgress(transaction, sourceId, progress);
}
