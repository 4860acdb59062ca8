import type { DocumentView, Hit } from '@ossian/shared';
import type { Corpus } from './corpus.js';
import type { Source } from './source.js';

export interface TableMapping {
  /** Table of the public schema. */
  table: string;
  /** The key's columns. Default: id. */
  keyFields?: readonly string[];
  /** As `ossian.text.fields`. */
  textFields: readonly string[];
  titleField?: string;
  /** The documents' source. Default: the table's topic. */
  source?: string;
  /** How many documents are looked for in both legs by their own text; 0 leaves the legs out. Default 12. */
  probes?: number;
}
export type CorpusReader = Pick<Corpus, 'documents' | 'statistics' | 'search'>;
export type TableReader = Pick<Source, 'query' | 'topic'>;
interface ExpectedDocument {
  title: string | null;
  sections: { name: string; text: string }[];
}

/**
 * Reads the table by SQL and all documents of its source, and compares them row by row; then asks both legs for a
 * sample, and checks that each finds the row's text and returns nothing that the table does not hold.
 *
 * @returns the differences, each as a sentence; empty where the corpus is as the table is.
 */
export async function compareCorpusWithTable(
  corpus: CorpusReader,
  source: TableReader,
  mapping: TableMapping,
): Promise<string[]> {
  const topic = mapping.source ?? source.topic(mapping.table);
  const expected = await readTable(source, mapping);
  const documents = await corpus.documents(topic);
  const differences = compareDocuments(expected, documents);
  const statistics = (await corpus.statistics()).sources.find((entry) => entry.source === topic);
  if ((statistics?.documents ?? 0) !== expected.size)
    differences.push(`statistics say ${statistics?.documents} documents, the table has ${expected.size} rows with text`);
  if ((mapping.probes ?? 12) > 0) differences.push(...(await compareLegs(corpus, topic, expected, mapping.probes ?? 12)));
  return differences;
}

async function readTable(source: TableReader, mapping: TableMapping): Promise<Map<string, ExpectedDocument>> {
  const { table, keyFields = ['id'], textFields, titleField } = mapping;
  const columns = [...new Set([...keyFields, ...textFields, ...(titleField === undefined ? [] : [titleField])])];
  const list = columns.map((column) => `"${column}"::text as "${column}"`).join(', ');
  const rows = await source.query<Record<string, string | null>>(`select ${list} from "${table}"`);
  const expected = new Map<string, ExpectedDocument>();
  for (const row of rows) {
    const sections = textFields.flatMap((name) =>
      row[name] == null || row[name].trim() === '' ? [] : [{ name, text: row[name] }],
    );
    const text = titleField === undefined ? null : (row[titleField] ?? null);
    const title = text?.trim() === '' ? null : text; // a blank title is none
    if (sections.length > 0) expected.set(keyOf(keyFields, row), { title, sections });
  }
  return expected;
}

/** The key as DESIGN 3.2 writes it. */
function keyOf(fields: readonly string[], row: Record<string, string | null>): string {
  const part = (name: string): string => {
    const value = row[name];
    return value == null ? encodeURIComponent(name) : `${encodeURIComponent(name)}=${encodeURIComponent(value)}`;
  };
  return [...fields].sort().map(part).join('&');
}

function compareDocuments(expected: ReadonlyMap<string, ExpectedDocument>, documents: readonly DocumentView[]): string[] {
  const differences: string[] = [];
  const seen = new Set<string>();
  for (const document of documents) {
    if (seen.has(document.key)) differences.push(`${document.key} is there twice`);
    seen.add(document.key);
    const row = expected.get(document.key);
    if (row === undefined) {
      differences.push(`${document.key} is in the corpus and not in the table`);
      continue;
    }
    if ((document.title ?? null) !== row.title)
      differences.push(`${document.key} has the title ${show(document.title)}, its row ${show(row.title)}`);
    const [have, want] = [JSON.stringify(document.sections), JSON.stringify(row.sections)];
    if (have !== want) differences.push(`${document.key} has the sections ${show(have)}, its row ${show(want)}`);
    if (document.behind_since !== null) differences.push(`${document.key} says that it is behind since ${document.behind_since}`);
  }
  for (const key of expected.keys()) if (!seen.has(key)) differences.push(`${key} is in the table and not in the corpus`);
  return differences;
}

const show = (text: string | null | undefined): string =>
  text != null && text.length > 160 ? `${text.slice(0, 160)}…` : String(text);

async function compareLegs(
  corpus: CorpusReader,
  topic: string,
  expected: ReadonlyMap<string, ExpectedDocument>,
  probes: number,
): Promise<string[]> {
  const differences: string[] = [];
  const keys = [...expected.keys()];
  const step = Math.max(1, Math.floor(keys.length / probes));
  for (let index = 0; index < keys.length; index += step) {
    const key = keys[index] ?? '';
    const text = expected.get(key)?.sections[0]?.text ?? '';
    const query = text.trim().split(/\s+/).slice(0, 24).join(' ').slice(0, 400);
    for (const leg of ['lexical', 'vector'] as const) {
      const hits = (await corpus.search(query, leg)).filter((hit) => hit.source === topic);
      differences.push(...hits.flatMap((hit) => checkHit(leg, hit, expected)));
      // Rows may hold the same words: any hit that has the text will do.
      const found = hits.some(
        (hit) => hit.key === key || expected.get(hit.key)?.sections.some((section) => section.text === text),
      );
      if (!found && hits.length < 50) differences.push(`the ${leg} leg does not find ${key} by its own text`);
    }
  }
  return [...new Set(differences)];
}

function checkHit(leg: string, hit: Hit, expected: ReadonlyMap<string, ExpectedDocument>): string[] {
  const section = expected.get(hit.key)?.sections.find(({ name }) => name === hit.section);
  if (section === undefined) return [`the ${leg} leg returns ${hit.key} ${hit.section}, which the table does not have`];
  if (section.text.slice(hit.start, hit.end) !== hit.text)
    return [`the ${leg} leg returns of ${hit.key} what does not stand in its row: ${show(hit.text)}`];
  return [];
}
