import type { CorpusView } from '@ossian/shared';
import { ProblemError } from '@ossian/shared';
import type { CorpusReference } from '../corpus/scope.js';
import type { Database } from './database.js';

type CorpusRow = { id: string; name: string; language: string; created_at: Date };
const columns = 'id, name, language::text AS language, created_at';

/** The corpus of this name, or undefined. Whether the caller may know of it is asked before. */
export async function findCorpus(database: Database, name: string): Promise<CorpusReference | undefined> {
  const { rows } = await database.pool.query<CorpusReference>('SELECT id, name FROM corpora WHERE name = $1', [name]);
  return rows[0];
}

/** All corpora, or those of these names, by name. */
export async function listCorpora(database: Database, names: readonly string[] | null): Promise<CorpusView[]> {
  const { rows } = await database.pool.query<CorpusRow>(
    `SELECT ${columns} FROM corpora WHERE $1::text[] IS NULL OR name = ANY ($1::text[]) ORDER BY name`,
    [names],
  );
  return rows.map(({ name, language, created_at }) => ({ name, language, created_at: created_at.toISOString() }));
}

/**
 * Makes the corpus where it is missing.
 *
 * @throws ProblemError 400 where Postgres has no such language, 409 where the corpus has another one.
 */
export async function putCorpus(
  database: Database,
  name: string,
  language: string | undefined,
): Promise<{ corpus: CorpusReference; created: boolean }> {
  return database.transaction(async (transaction) => {
    const known = await transaction.query('SELECT FROM pg_ts_config WHERE cfgname = $1', [language ?? 'english']);
    if (known.rowCount === 0) throw unknownLanguage(language);
    const inserted = await transaction.query<CorpusRow>(
      `INSERT INTO corpora (name, language) VALUES ($1, $2::regconfig) ON CONFLICT (name) DO NOTHING RETURNING ${columns}`,
      [name, language ?? 'english'],
    );
    const found =
      inserted.rows[0] ?? (await transaction.query<CorpusRow>(`SELECT ${columns} FROM corpora WHERE name = $1`, [name])).rows[0];
    if (found === undefined) throw new ProblemError(503, 'try_again', `the corpus "${name}" was deleted at this moment`);
    if (language !== undefined && found.language !== language) throw otherLanguage(found);
    return { corpus: { id: found.id, name }, created: inserted.rowCount === 1 };
  });
}

function unknownLanguage(language: string | undefined): ProblemError {
  return new ProblemError(
    400,
    'invalid_request',
    `language: the database has no text search configuration "${language}"; SELECT cfgname FROM pg_ts_config lists them`,
    { extra: { field: 'language' } },
  );
}

function otherLanguage(found: CorpusRow): ProblemError {
  return new ProblemError(
    409,
    'corpus_language_differs',
    `the corpus "${found.name}" is indexed as ${found.language}; delete it, or make another one, to index in another language`,
  );
}

/** Deletes a corpus and all that is in it. */
export async function deleteCorpus(database: Database, corpus: CorpusReference): Promise<void> {
  await database.pool.query('DELETE FROM corpora WHERE id = $1', [corpus.id]);
}
