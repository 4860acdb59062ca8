import type { Answer, AskInput, CorpusStatistics, DocumentView, Hit, Leg, OssianClient, SearchInput } from '@ossian/shared';
import { waitUntil } from '../stack/index.js';

const everyone = ['*'];

/** One corpus as a client sees it. Asks as an admin who may read everything, unless told otherwise. */
export class Corpus {
  readonly name: string;
  readonly client: OssianClient;
  constructor(client: OssianClient, name: string) {
    this.client = client;
    this.name = name;
  }

  statistics(): Promise<CorpusStatistics> {
    return this.client.corpus(this.name);
  }
  ask(question: string, more: Partial<AskInput> = {}): Promise<Answer> {
    return this.client.ask(this.name, { question, readers: everyone, ...more });
  }
  async search(query: string, leg: Leg = 'fused', more: Partial<SearchInput> = {}): Promise<Hit[]> {
    const { hits } = await this.client.search(this.name, { query, leg, limit: 50, readers: everyone, ...more });
    return hits;
  }

  /** Every document with its sections, over all pages; of one source where it is named. */
  async documents(source?: string): Promise<DocumentView[]> {
    const documents: DocumentView[] = [];
    const query = { include: 'sections', limit: '200', readers: '*', ...(source === undefined ? {} : { source }) };
    for (let cursor: string | null | undefined; cursor !== null;) {
      const page = await this.client.documents(this.name, cursor === undefined ? query : { ...query, cursor });
      documents.push(...page.documents);
      cursor = page.next_cursor;
    }
    return documents;
  }

  /** Waits until every chunk has its vector. */
  async embedded(milliseconds = 60_000): Promise<void> {
    await waitUntil(
      async () => (await this.statistics()).embeddings_pending === 0,
      `the embeddings of ${this.name}`,
      milliseconds,
    );
  }

  /**
   * Where a text is still to be seen: in either leg's hits for the query, the fused search, the documents route, or an
   * answer and its citations.
   */
  async placesOf(text: string, query: string): Promise<string[]> {
    const has = (values: readonly (string | null)[]): boolean => values.some((value) => value?.includes(text) ?? false);
    const places: string[] = [];
    for (const leg of ['lexical', 'vector', 'fused'] as const) {
      const hits = await this.search(query, leg);
      if (has(hits.flatMap((hit) => [hit.text, hit.title]))) places.push(leg);
    }
    const documents = await this.documents();
    const sections = documents.flatMap((document) => (document.sections ?? []).map((section) => section.text));
    if (has([...sections, ...documents.map(({ title }) => title)])) places.push('documents');
    const { answer, citations } = await this.ask(query);
    if (has([answer])) places.push('answer');
    if (has(citations.flatMap(({ title, passages }) => [title, ...passages.map((passage) => passage.text)])))
      places.push('citations');
    return places;
  }
}
