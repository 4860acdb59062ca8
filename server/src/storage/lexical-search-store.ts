import type { CorpusReference, ReadScope } from '../corpus/scope.js';
import type { Transaction } from './database.js';
import { SqlParameters } from './sql-parameters.js';
import { visibleDocuments } from './visible-documents.js';

/** A term of the question as the corpus's language reads it, with the number of the corpus's chunks that hold it. */
export interface TermStatistics {
  readonly lexeme: string;
  readonly chunks: number;
}
export interface LexicalStatistics {
  readonly terms: readonly TermStatistics[];
  /** Chunks of the corpus, and their mean number of lexeme positions. */
  readonly chunks: number;
  readonly meanLength: number;
}

/** A term with its weight: its inverse document frequency. */
export interface WeightedTerm {
  readonly lexeme: string;
  readonly weight: number;
}
export interface LexicalQuery {
  readonly terms: readonly WeightedTerm[];
  /** Only chunks that hold one of these are scored. */
  readonly candidateLexemes: readonly string[];
  readonly meanLength: number;
  readonly k1: number;
  readonly b: number;
  readonly limit: number;
}
export interface LexicalHit {
  readonly chunkId: string;
  /** BM25, 0 and up. */
  readonly score: number;
  /** Share of the question's weight that the chunk's terms carry, 0 to 1. */
  readonly coverage: number;
}

/**
 * The question's terms and how often the corpus holds them, counted exactly in this moment. A question of stop words only, or in a
 * script that the corpus does not have, gives no terms or terms of no chunks: never an error.
 *
 * @param maximumTerms the first so many different terms are read; the rest of a very long question adds nothing.
 */
export async function readLexicalStatistics(
  transaction: Transaction,
  corpus: CorpusReference,
  question: string,
  maximumTerms: number,
): Promise<LexicalStatistics> {
  const { rows } = await transaction.query<{ lexeme: string; chunks: string }>(
    `SELECT lexeme, (SELECT count(*) FROM chunks WHERE corpus_id = $1 AND lexical @@ ossian_term(lexeme)) AS chunks
     FROM (SELECT term.lexeme FROM corpora, unnest(to_tsvector(language, $2)) AS term
           WHERE corpora.id = $1 ORDER BY term.positions[1], term.lexeme LIMIT $3) AS question`,
    [corpus.id, question, maximumTerms],
  );
  const { rows: totals } = await transaction.query<{ chunks: string; mean_length: number | null }>(
    'SELECT count(*) AS chunks, avg(lexical_length)::float8 AS mean_length FROM chunks WHERE corpus_id = $1',
    [corpus.id],
  );
  return {
    terms: rows.map((row) => ({ lexeme: row.lexeme, chunks: Number(row.chunks) })),
    chunks: Number(totals[0]?.chunks ?? 0),
    meanLength: totals[0]?.mean_length ?? 0,
  };
}

/**
 * The chunks of the scope that score best by BM25, best first. A term's frequency in a chunk is read from `ts_rank` with equal weights,
 * which is the sum of 1/i² over its occurrences, over π²/6; its inverse is exact after rounding, and cheaper than unnesting the tsvector.
 */
export async function searchLexically(transaction: Transaction, scope: ReadScope, query: LexicalQuery): Promise<LexicalHit[]> {
  if (query.candidateLexemes.length === 0) return [];
  const parameters = new SqlParameters();
  const lexemes = parameters.add(query.terms.map((term) => term.lexeme));
  const weights = parameters.add(query.terms.map((term) => term.weight));
  const candidates = parameters.add(query.candidateLexemes);
  const [k1, b, meanLength] = [query.k1, query.b, Math.max(query.meanLength, 1)].map(
    (value) => `${parameters.add(value)}::float8`,
  );
  const { rows } = await transaction.query<{ id: string; score: number; coverage: number }>(
    `SELECT chunk.id, scored.score, scored.coverage
     FROM chunks AS chunk
     JOIN documents AS document ON document.id = chunk.document_id
     CROSS JOIN LATERAL (
       SELECT sum(weight * frequency * (${k1} + 1) / (frequency + ${k1} * (1 - ${b} + ${b} * chunk.lexical_length / ${meanLength}))) AS score,
              sum(weight * (frequency > 0)::integer) / sum(weight) AS coverage
       FROM (SELECT weight, CASE WHEN rank > 0 THEN greatest(1, round(1 / (1.6449340668 * greatest(1 - rank, 1e-6)) - 0.5)) ELSE 0 END AS frequency
             FROM (SELECT weight, ts_rank('{1,1,1,1}', chunk.lexical, ossian_term(lexeme))::float8 AS rank
                   FROM unnest(${lexemes}::text[], ${weights}::float8[]) AS term(lexeme, weight)) AS ranked) AS counted
     ) AS scored
     WHERE chunk.corpus_id = ${parameters.add(scope.corpus.id)}::bigint
       AND chunk.lexical @@ (SELECT string_agg(ossian_term(lexeme)::text, ' | ')::tsquery FROM unnest(${candidates}::text[]) AS candidate(lexeme))
       AND ${visibleDocuments(scope, 'document', parameters)}
     ORDER BY scored.score DESC, chunk.id
     LIMIT ${parameters.add(query.limit)}`,
    parameters.values,
  );
  return rows.map((row) => ({ chunkId: row.id, score: row.score, coverage: row.coverage }));
}
