import type { ReadScope } from '../corpus/scope.js';
import type { Transaction } from './database.js';
import { SqlParameters } from './sql-parameters.js';
import { visibleDocuments } from './visible-documents.js';

export interface SourceFreshness {
  readonly source: string;
  /** ISO time: the earliest, over the partitions ever reported, of the last report with committed ≥ end; null while one has none. */
  readonly caught_up_at: string | null;
}

/** How fresh the corpus's sources are: of those that hold a document the readers may see, whatever the filter; ordered by name. */
export async function readSourceFreshness(transaction: Transaction, scope: ReadScope): Promise<SourceFreshness[]> {
  const parameters = new SqlParameters();
  const { rows } = await transaction.query<{ source: string; caught_up_at: Date | null }>(
    `SELECT source.name AS source,
            (SELECT CASE WHEN bool_and(progress.caught_up_at IS NOT NULL) THEN min(progress.caught_up_at) END
             FROM progress WHERE progress.source_id = source.id) AS caught_up_at
     FROM sources AS source
     WHERE source.corpus_id = ${parameters.add(scope.corpus.id)}::bigint
       AND EXISTS (SELECT 1 FROM documents AS document WHERE document.source_id = source.id
                   AND ${visibleDocuments({ corpus: scope.corpus, readers: scope.readers }, 'document', parameters)})
     ORDER BY source.name`,
    parameters.values,
  );
  return rows.map((row) => ({ source: row.source, caught_up_at: row.caught_up_at?.toISOString() ?? null }));
}
