import type { CorpusReference, ReadScope } from '../corpus/scope.js';
import type { Transaction } from './database.js';
import { SqlParameters } from './sql-parameters.js';
import { visibleDocuments } from './visible-documents.js';

/** A term of the question as the corpus's language reads it, with the number of the corpus's chunks that hold it. */
export interface TermStatistics {
  /** The term as a tsquery that holds nothing else. */
  readonly term: string;
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
  readonly term: string;
  readonly weight: number;
}
export interface LexicalQuery {
  /** Those that the corpus holds. */
  readonly terms: readonly WeightedTerm[];
  /** Only chunks that hold one of these are scored. */
  readonly candidateTerms: readonly string[];
  /** Weight of the whole question, with the terms that no chunk holds. */
  readonly questionWeight: number;
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

/** Up to so many chunks of a corpus every term is counted exactly; beyond, exactly up to `countedChunks` and then by a sample. */
const exactCorpus = 20_000;
const countedChunks = 5_000;
const sampledChunks = 3_000;

/**
 * The question's terms and how often the corpus holds them in this moment: exactly, but for common terms of a large corpus, which are
 * estimated from a sample. A question of stop words only, or in a script that the corpus does not have, gives no terms or terms of no
 * chunks: never an error.
 *
 * @param maximumTerms the first so many different terms are read; the rest of a very long question adds nothing.
 */
export async function readLexicalStatistics(
  transaction: Transaction,
  corpus: CorpusReference,
  question: string,
  maximumTerms: number,
): Promise<LexicalStatistics> {
  const { rows: totals } = await transaction.query<{ chunks: string; mean_length: number | null }>(
    'SELECT count(*) AS chunks, avg(lexical_length)::float8 AS mean_length FROM chunks WHERE corpus_id = $1',
    [corpus.id],
  );
  const chunks = Number(totals[0]?.chunks ?? 0);
  const limit = chunks > exactCorpus ? countedChunks : null;
  const { rows } = await transaction.query<{ term: string; chunks: string }>(
    `SELECT term::text AS term,
            (SELECT count(*) FROM (SELECT 1 FROM chunks WHERE corpus_id = $1 AND lexical @@ term LIMIT $4::bigint) AS held) AS chunks
     FROM (SELECT ossian_term(word.lexeme) AS term FROM corpora, unnest(to_tsvector(language, $2)) AS word
           WHERE corpora.id = $1 ORDER BY word.positions[1], word.lexeme LIMIT $3) AS question`,
    [corpus.id, question, maximumTerms, limit],
  );
  const counted = rows.map((row) => ({ term: row.term, chunks: Number(row.chunks) }));
  const terms = limit === null ? counted : await estimateCommon(transaction, corpus, counted, { chunks, limit });
  return { terms, chunks, meanLength: totals[0]?.mean_length ?? 0 };
}

/** Replaces the counts that reached the limit by what a sample of the corpus says; the same sample each time. */
async function estimateCommon(
  transaction: Transaction,
  corpus: CorpusReference,
  counted: readonly TermStatistics[],
  { chunks, limit }: { readonly chunks: number; readonly limit: number },
): Promise<TermStatistics[]> {
  const common = counted.filter((term) => term.chunks >= limit);
  if (common.length === 0) return [...counted];
  const parameters = new SqlParameters();
  const percent = parameters.add((100 * sampledChunks) / chunks);
  const having = common.map(({ term }) => `count(*) FILTER (WHERE lexical @@ ${parameters.add(term)}::tsquery)::float8`);
  const { rows } = await transaction.query<{ sampled: number; held: number[] }>(
    `SELECT count(*)::float8 AS sampled, ARRAY[${having.join(', ')}] AS held
     FROM chunks TABLESAMPLE SYSTEM (${percent}::real) REPEATABLE (1) WHERE corpus_id = ${parameters.add(corpus.id)}::bigint`,
    parameters.values,
  );
  const shares = new Map(
    common.map(({ term }, index) => [term, (rows[0]?.held[index] ?? 0) / Math.max(1, rows[0]?.sampled ?? 0)]),
  );
  return counted.map((term) => ({ ...term, chunks: Math.max(term.chunks, Math.round((shares.get(term.term) ?? 0) * chunks)) }));
}

/**
 * The chunks of the scope that score best by BM25, best first: Σ weight · (k1 + 1) · (1 − K / (f + K)), K = k1 · (1 − b + b · length /
 * mean length). A term's frequency f is read from `ts_rank` with equal weights, which is the sum of 1/i² over its occurrences, over π²/6:
 * its inverse is exact after rounding (0 for 0 too), and much cheaper than unnesting the tsvector.
 */
export async function searchLexically(transaction: Transaction, scope: ReadScope, query: LexicalQuery): Promise<LexicalHit[]> {
  if (query.candidateTerms.length === 0) return [];
  const parameters = new SqlParameters();
  const number = (value: number): string => `${parameters.add(value)}::float8`;
  const terms = query.terms.map(({ term, weight }) => ({ term: `${parameters.add(term)}::tsquery`, weight: number(weight) }));
  const [k1, b, meanLength] = [number(query.k1), number(query.b), number(Math.max(query.meanLength, 1))];
  const frequency = (term: string): string =>
    `round(1 / (1.6449340668 * greatest(1 - ts_rank('{1,1,1,1}', candidate.lexical, ${term})::float8, 1e-6)) - 0.5)`;
  const score = terms.map(({ term, weight }) => `${weight} * (1 - candidate.k / (${frequency(term)} + candidate.k))`);
  const covered = terms.map(({ term, weight }) => `${weight} * (best.lexical @@ ${term})::integer`);
  // `|| ''` and OFFSET 0: a chunk's tsvector is decompressed once, not once for each term.
  const { rows } = await transaction.query<{ id: string; score: number; coverage: number }>(
    `SELECT best.id, best.score, (${covered.join(' + ')}) / ${number(query.questionWeight)} AS coverage
     FROM (
       SELECT candidate.id, candidate.lexical, (${k1} + 1) * (${score.join(' + ')}) AS score
       FROM (
         SELECT chunk.id, chunk.lexical || '' AS lexical, ${k1} * (1 - ${b} + ${b} * chunk.lexical_length / ${meanLength}) AS k
         FROM chunks AS chunk
         JOIN documents AS document ON document.id = chunk.document_id
         WHERE chunk.corpus_id = ${parameters.add(scope.corpus.id)}::bigint
           AND chunk.lexical @@ ${parameters.add(query.candidateTerms.join(' | '))}::tsquery
           AND ${visibleDocuments(scope, 'document', parameters)}
         OFFSET 0) AS candidate
       ORDER BY score DESC, candidate.id
       LIMIT ${parameters.add(query.limit)}) AS best
     ORDER BY best.score DESC, best.id`,
    parameters.values,
  );
  return rows.map((row) => ({ chunkId: row.id, score: row.score, coverage: row.coverage }));
}
