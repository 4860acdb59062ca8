import type { Benchmark } from '../benchmark.js';
import { articleRows } from '../records/article-rows.js';
import { compareResults } from '../run/compare-results.js';
import type { Contender } from '../run/contender.js';
import { takeTurns } from '../run/take-turns.js';
import { batchSize, eventBodies } from './event-batches.js';
import { runHandWrittenInsert } from './hand-written-insert.js';
import { runServerIngest } from './server-ingest.js';

/** The embedded database is there for the absolute figure: it need not take longer than all others together. */
const mostEmbedded = 5000;

/** How fast the server takes in events, against an INSERT written by hand in the same Postgres. */
export const ingestBenchmark: Benchmark = {
  name: 'ingest',
  compares: `the server's POST …/events with INSERT … ON CONFLICT by unnest and a tsvector with GIN, in the same Postgres`,
  standard: { records: 50_000, rounds: 3, updates: 0 },
  small: { records: 5000, rounds: 2, updates: 0 },
  async run(scene, { records, rounds }, controls) {
    const { signal } = controls;
    const rows = articleRows(records);
    const bodies = eventBodies(rows);
    const embedded = eventBodies(rows.slice(0, mostEmbedded));
    const hand = (connections: number): Contender => ({
      name: handName(connections),
      run: (round) => runHandWrittenInsert(scene, rows, { connections, signal }, round),
    });
    const server = (connections: number, embedding: 'beside' | 'held back'): Contender => ({
      name: `ossian-server, ${plural(connections)}, embedding ${embedding}`,
      against: handName(connections),
      run: () => runServerIngest(scene, bodies, { storage: 'postgres', connections, embedding, signal }),
    });
    const contenders: Contender[] = [
      ...[hand(1), server(1, 'held back'), server(1, 'beside')],
      ...[hand(2), server(2, 'held back'), server(2, 'beside')],
      {
        name: 'ossian-server on PGlite, 1 connection, embedding beside',
        run: () => runServerIngest(scene, embedded, { storage: 'embedded', connections: 1, embedding: 'beside', signal }),
      },
    ];
    return {
      title: `ingest: ${records} rows of 1 kB text in batches of ${batchSize}, ${rounds} rounds`,
      ...compareResults('rows', await takeTurns(contenders, rounds, controls)),
      notes: notes(Math.min(records, mostEmbedded)),
    };
  },
};

const plural = (connections: number): string => `${connections} connection${connections === 1 ? '' : 's'}`;
const handName = (connections: number): string => `INSERT … ON CONFLICT, ${plural(connections)}`;

const notes = (embedded: number): string[] => [
  'Every run has an empty database. "Embedding held back": the worker that makes vectors waits, as the INSERT makes none either;',
  '"beside": it works at the same time, as it does in life. The ratio is against the INSERT with as many connections.',
  'The server also checks, folds, orders and logs every event, cuts chunks and queues them; the INSERT does none of this.',
  `PGlite has ${embedded} rows, and no ratio: it is another database. It runs inside the server, whose CPU seconds hold its own.`,
];
