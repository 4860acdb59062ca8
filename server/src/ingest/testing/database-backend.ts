import { createLogger, type EventInput, type EventResult } from '@ossian/shared';
import type { Chunk } from '../../corpus/chunk.js';
import type { DocumentChange } from '../../corpus/document-changed.js';
import type { CorpusReference } from '../../corpus/scope.js';
import type { Database } from '../../storage/database.js';
import { applyEvents, type ApplyEventsDependencies } from '../apply-events.js';
import type { Random } from './random.js';
import type { ScheduledBackend } from './schedule.js';

/** One chunk for each section: what the tests of ingest need of chunking. */
export function chunkBySection(content: { title: string | null; sections: readonly { name: string; text: string }[] }): Chunk[] {
  return content.sections.map(({ name, text }) => ({
    section: name,
    headingPath: [],
    start: 0,
    end: text.length,
    text,
    embeddedText: [content.title, text].filter((part) => part !== null).join('\n\n'),
  }));
}

/** What a test throws at the very end of a transaction. */
export class TestCrash extends Error {}

let corpora = 0;
/** A corpus with a name of its own in the test's database. */
export async function createCorpus(database: Database): Promise<CorpusReference> {
  const name = `corpus-${++corpora}`;
  const { rows } = await database.pool.query<{ id: string }>('INSERT INTO corpora (name) VALUES ($1) RETURNING id::text AS id', [
    name,
  ]);
  return { id: rows[0]!.id, name };
}

export interface Ingest {
  readonly corpus: CorpusReference;
  readonly database: Database;
  readonly changes: DocumentChange[];
  readonly dependencies: ApplyEventsDependencies;
  apply(...events: readonly unknown[]): Promise<EventResult[]>;
  /** Outcomes alone. */
  outcomes(...events: readonly unknown[]): Promise<string[]>;
  query<T extends Record<string, unknown>>(sql: string, values?: readonly unknown[]): Promise<T[]>;
  /** The document of a key, live or not. */
  document(key: string): Promise<StoredDocument | undefined>;
  /** The texts of a key's chunks, as a reader would find them. */
  texts(key: string): Promise<string[]>;
  /** Everything that is kept of the corpus, to see whether something has changed. */
  everything(): Promise<unknown>;
}

export interface StoredDocument extends Record<string, unknown> {
  id: string;
  live: boolean;
  title: string | null;
  uri: string | null;
  acl: string[] | null;
  metadata: Record<string, unknown>;
  sections: { name: string; text: string }[];
  behind_since: Date | null;
  content_hash: string | null;
  offset: string | null;
  source_position: string | null;
  updated_at: Date;
}

/** The write flow on a corpus of its own. */
export async function createIngest(database: Database, overrides: Partial<ApplyEventsDependencies> = {}): Promise<Ingest> {
  const corpus = await createCorpus(database);
  const changes: DocumentChange[] = [];
  const dependencies: ApplyEventsDependencies = {
    database,
    chunkDocument: chunkBySection,
    documentChanged: (_transaction, list) => {
      changes.push(...list);
      return Promise.resolve();
    },
    logger: createLogger('test', 'silent'),
    ...overrides,
  };
  const apply = (...events: readonly unknown[]): Promise<EventResult[]> => applyEvents(dependencies, corpus, events);
  const query = async <T extends Record<string, unknown>>(sql: string, values: readonly unknown[] = []): Promise<T[]> => {
    const { rows } = await database.pool.query<T>(sql, [...values]);
    return rows;
  };
  return {
    corpus,
    database,
    changes,
    dependencies,
    apply,
    query,
    outcomes: async (...events) => (await apply(...events)).map((result) => result.outcome),
    document: async (key) =>
      (
        await query<StoredDocument>(
          `SELECT id, live, title, uri, acl, metadata, sections, behind_since, encode(content_hash, 'hex') AS content_hash,
                  "offset"::text AS "offset", source_position::text AS source_position, updated_at
           FROM documents WHERE corpus_id = $1 AND key = $2`,
          [corpus.id, key],
        )
      )[0],
    texts: async (key) =>
      (
        await query<{ text: string }>(
          `SELECT chunk.text FROM chunks AS chunk JOIN documents AS document ON document.id = chunk.document_id
           WHERE document.corpus_id = $1 AND document.key = $2 AND document.live ORDER BY chunk.ordinal`,
          [corpus.id, key],
        )
      ).map((row) => row.text),
    everything: async () => ({
      documents: await query('SELECT * FROM documents WHERE corpus_id = $1 ORDER BY key', [corpus.id]),
      chunks: await query('SELECT * FROM chunks WHERE corpus_id = $1 ORDER BY id', [corpus.id]),
      events: await query('SELECT * FROM events WHERE corpus_id = $1 ORDER BY sequence', [corpus.id]),
      ...Object.fromEntries(
        await Promise.all(
          ['links', 'clears', 'progress'].map(async (table): Promise<[string, unknown]> => [
            table,
            await query(`SELECT t.* FROM ${table} AS t JOIN sources AS s ON s.id = t.source_id WHERE s.corpus_id = $1`, [
              corpus.id,
            ]),
          ]),
        ),
      ),
    }),
  };
}

/** The whole write flow on a database; a crash is a transaction that fails at its end. */
export class DatabaseBackend implements ScheduledBackend {
  readonly #ingest: Ingest;
  readonly #source: string;
  constructor(ingest: Ingest, source: string) {
    this.#ingest = ingest;
    this.#source = source;
  }

  async apply(events: readonly EventInput[], crash: boolean): Promise<void> {
    const { dependencies, corpus } = this.#ingest;
    if (!crash) return void (await applyEvents(dependencies, corpus, events));
    const database: Database = {
      ...dependencies.database,
      pool: dependencies.database.pool,
      transaction: (work) =>
        dependencies.database.transaction(async (transaction) => {
          await work(transaction);
          throw new TestCrash('crash');
        }),
    };
    try {
      await applyEvents({ ...dependencies, database }, corpus, events);
    } catch (error) {
      if (!(error instanceof TestCrash)) throw error;
    }
  }

  async pruneIds(random: Random): Promise<void> {
    const ids = await this.#ingest.query<{ id: string }>(
      'SELECT event.id FROM events AS event JOIN sources AS source ON source.id = event.source_id WHERE source.name = $1 ORDER BY event.id',
      [this.#source],
    );
    const pruned = ids.filter(() => random.chance(0.5)).map((row) => row.id);
    await this.#ingest.query('DELETE FROM events WHERE corpus_id = $1 AND id = ANY($2::text[])', [
      this.#ingest.corpus.id,
      pruned,
    ]);
  }

  async documents(): ReturnType<ScheduledBackend['documents']> {
    const rows = await this.#ingest.query<{
      key: string;
      title: string | null;
      metadata: unknown;
      sections: { name: string; text: string }[];
      behind: boolean;
      chunks: { section: string; text: string }[];
    }>(
      `SELECT document.key, document.title, document.metadata, document.sections, document.behind_since IS NOT NULL AS behind,
              (SELECT coalesce(jsonb_agg(jsonb_build_object('section', section, 'text', text) ORDER BY ordinal), '[]')
               FROM chunks WHERE chunks.document_id = document.id) AS chunks
       FROM documents AS document JOIN sources AS source ON source.id = document.source_id
       WHERE source.corpus_id = $1 AND source.name = $2 AND document.live`,
      [this.#ingest.corpus.id, this.#source],
    );
    return new Map(
      rows.map(({ key, title, metadata, sections, behind, chunks }) => {
        const texts = Object.fromEntries(sections.map((section) => [section.name, section.text]));
        const indexed = Object.fromEntries(chunks.map((chunk) => [chunk.section, chunk.text]));
        if (JSON.stringify(indexed) !== JSON.stringify(texts)) throw new Error(`the chunks of ${key} are not its text`);
        return [key, { title, sections: texts, metadata, behind }];
      }),
    );
  }
}
