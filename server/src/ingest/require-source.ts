import type { CorpusReference } from '../corpus/scope.js';
import type { Transaction } from '../storage/database.js';
import { corpusExists } from '../storage/source-store.js';
import { corpusNotFound, SourceGoneError } from './ingest-errors.js';

/**
 * The id of a source that was to be locked or made.
 *
 * @throws ProblemError 404 where it could not be made since its corpus has gone; SourceGoneError where it went at the same moment.
 */
export async function requireSource(
  transaction: Transaction,
  corpus: CorpusReference,
  sourceIds: ReadonlyMap<string, string>,
  name: string,
): Promise<string> {
  const id = sourceIds.get(name);
  if (id !== undefined) return id;
  throw (await corpusExists(transaction, corpus.id)) ? new SourceGoneError(name) : corpusNotFound(corpus.name);
}
