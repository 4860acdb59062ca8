import type { AnswerEvent, AnswerSegment, Citation, CitedPassage } from '@ossian/shared';
import type { AnswerPart, ClaimedCitation } from '../models/answerer.js';
import { citationStands } from './check-citation.js';
import type { Evidence } from './gather-evidence.js';
import { MarkerGuard } from './guard-markers.js';

export interface ComposedAnswer {
  readonly answer: string;
  readonly segments: AnswerSegment[];
  readonly citations: Citation[];
  readonly citationsRemoved: number;
  readonly notices: string[];
  readonly usage: Record<string, number>;
}
type GrowthEvent = Extract<AnswerEvent, { event: 'delta' | 'citation' }>;

/** A document that was cited: the passages of it that were, in the order of their first citation. */
interface CitedDocument {
  readonly evidence: Evidence;
  readonly number: number;
  readonly passages: number[];
}

/**
 * Puts an answerer's parts together: checks each citation as it comes, gives a document its number when it is first cited, and writes
 * the markers behind the segment they belong to. What it emits, put together, is the answer it returns.
 */
export class AnswerComposer {
  readonly #evidence: readonly Evidence[];
  readonly #emit: (event: GrowthEvent) => void;
  readonly #cited: CitedDocument[] = [];
  readonly #segments: { text: string; citations: { document: CitedDocument; passages: number[] }[] }[] = [];
  readonly #notices: string[] = [];
  readonly #usage: Record<string, number> = {};
  #guard = new MarkerGuard();
  #answer = '';
  #text = '';
  #claims: ClaimedCitation[] = [];
  #removed = 0;

  constructor(evidence: readonly Evidence[], emit: (event: GrowthEvent) => void) {
    this.#evidence = evidence;
    this.#emit = emit;
  }

  accept(part: AnswerPart): void {
    switch (part.type) {
      case 'text':
        this.#write(this.#guard.push(this.#text === '' && this.#answer === '' ? part.text.trimStart() : part.text));
        return;
      case 'citation':
        this.#claims.push(part.citation);
        return;
      case 'segment_end':
        this.#endSegment();
        return;
      case 'notice':
        this.#notices.push(part.text);
        return;
      case 'usage':
        for (const [name, count] of Object.entries(part.usage)) this.#usage[name] = (this.#usage[name] ?? 0) + count;
    }
  }

  finish(): ComposedAnswer {
    this.#endSegment();
    const order = new Map(this.#cited.map((document) => [document, [...document.passages].sort((a, b) => a - b)]));
    return {
      answer: this.#answer,
      segments: this.#segments.map(({ text, citations }) => ({
        text,
        citations: citations.map(({ document, passages }) => ({
          number: document.number,
          passages: passages.map((passage) => (order.get(document) ?? []).indexOf(passage)),
        })),
      })),
      citations: this.#cited.map((document) => toCitation(document, order.get(document) ?? [])),
      citationsRemoved: this.#removed,
      notices: this.#notices,
      usage: this.#usage,
    };
  }

  #write(text: string): void {
    if (text === '') return;
    this.#text += text;
    this.#show(text);
  }

  #show(text: string): void {
    this.#answer += text;
    this.#emit({ event: 'delta', data: { text } });
  }

  #endSegment(): void {
    this.#write(this.#guard.endSegment());
    const claims = this.#claims;
    this.#claims = [];
    const standing = this.#text === '' ? [] : claims.filter((claim) => citationStands(claim, this.#evidence));
    this.#removed += claims.length - standing.length;
    if (this.#text === '') return;
    const citations = this.#number(standing);
    // Nothing may follow on the line that closes a code block.
    const before = /(?:```|~~~)$/.test(this.#text) ? '\n' : ' ';
    const segment = this.#segments.length;
    this.#segments.push({ text: this.#text, citations });
    this.#text = '';
    if (citations.length > 0) this.#show(`${before}${citations.map(({ document }) => `[${document.number}]`).join('')}`);
    for (const { document, passages } of citations) {
      this.#emit({ event: 'citation', data: { segment, citation: toCitation(document, passages) } });
    }
  }

  /** One entry for each document of the segment, its passages in reading order; documents are numbered as they are first cited. */
  #number(claims: readonly ClaimedCitation[]): { document: CitedDocument; passages: number[] }[] {
    const citations = new Map<CitedDocument, Set<number>>();
    for (const claim of claims) {
      const document = this.#documentOf(claim);
      if (document === undefined) continue;
      const passages = citations.get(document) ?? new Set();
      for (const passage of claim.passages) {
        passages.add(passage);
        if (!document.passages.includes(passage)) document.passages.push(passage);
      }
      citations.set(document, passages);
    }
    return [...citations].map(([document, passages]) => ({ document, passages: [...passages].sort((a, b) => a - b) }));
  }

  #documentOf(claim: ClaimedCitation): CitedDocument | undefined {
    const known = this.#cited.find(({ evidence }) => evidence.number === claim.number);
    if (known !== undefined) return known;
    const evidence = this.#evidence.find(({ number }) => number === claim.number);
    if (evidence === undefined) return undefined;
    const document = { evidence, number: this.#cited.length + 1, passages: [] };
    this.#cited.push(document);
    return document;
  }
}

function toCitation({ evidence, number }: CitedDocument, passages: readonly number[]): Citation {
  return {
    number,
    document_id: evidence.documentId,
    source: evidence.source,
    key: evidence.key,
    title: evidence.title,
    uri: evidence.uri,
    behind_since: evidence.behindSince,
    also_in: [...evidence.alsoIn],
    passages: passages.flatMap((index): CitedPassage[] => {
      const passage = evidence.passages[index];
      return passage === undefined ? [] : [passage];
    }),
  };
}
