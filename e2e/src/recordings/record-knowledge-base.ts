import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Source } from '../harness/source.js';
import { ConnectClient, KafkaClient, kcatLine, type Stack, TestDatabase, type TopicRecord } from '../stack/index.js';
import { splitStatements } from './split-statements.js';

const prefix = 'fernhill';
const tables = ['articles', 'tickets', 'announcements'] as const;

/**
 * Streams the knowledge base through a real Debezium and writes what lies in its topics: before.jsonl holds the
 * snapshot, after.jsonl the changes that follow.
 *
 * @param folder has before.sql and after.sql; the recordings are written beside them.
 * @returns how many records each stage has.
 */
export async function recordKnowledgeBase(stack: Stack, folder: string): Promise<{ before: number; after: number }> {
  const kafka = await KafkaClient.connect(stack.address('kafka'));
  const database = await TestDatabase.create(stack.address('source-postgres'), prefix);
  const source = new Source(database, prefix, new ConnectClient(stack.address('connect')));
  try {
    await source.query(readFileSync(join(folder, 'before.sql'), 'utf8'));
    const overrides = { 'provide.transaction.metadata': 'false', 'heartbeat.interval.ms': '500' };
    await source.stream({ tables, overrides });
    const topics = tables.map((table) => source.topic(table));
    const before = await kafka.consumeAll(topics);
    for (const statement of splitStatements(readFileSync(join(folder, 'after.sql'), 'utf8'))) await source.query(statement);
    await source.settled();
    const known = new Set(before.map(place));
    const after = (await kafka.consumeAll(topics)).filter((record) => !known.has(place(record)));
    writeStage(join(folder, 'before.jsonl'), before);
    writeStage(join(folder, 'after.jsonl'), after);
    return { before: before.length, after: after.length };
  } finally {
    await kafka.close();
    await source.close();
  }
}

const place = (record: TopicRecord): string => `${record.topic}/${record.partition}/${record.offset}`;

/** All topics in one file, in the order of time; a partition's own order is kept. */
function writeStage(file: string, records: readonly TopicRecord[]): void {
  const ordered = [...records].sort((a, b) => Number(a.timestamp) - Number(b.timestamp));
  writeFileSync(file, ordered.map((record) => `${kcatLine(record)}\n`).join(''));
}
