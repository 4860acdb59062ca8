import type { Clear } from '../corpus/clear.js';
import { isCoveredBy } from '../corpus/clear.js';
import type { DocumentState } from '../corpus/document.js';
import type { KeyLink } from '../corpus/key-link.js';
import type { DocumentParts } from '../corpus/part.js';
import { isBefore, type StoredPosition } from '../corpus/position.js';

/** What the log knows of an id. */
export interface KnownEvent {
  readonly contentHash: string;
  readonly documentId: string | null;
}

/** What a batch touches, as it was loaded under its locks. */
export interface Loaded {
  /** Ids of the batch's sources, by name. */
  readonly sourceIds: ReadonlyMap<string, string>;
  readonly documents: readonly DocumentState[];
  /** In the order in which they were made. */
  readonly links: readonly KeyLink[];
  /** By source id. */
  readonly clears: ReadonlyMap<string, readonly Clear[]>;
  readonly known: ReadonlyMap<string, KnownEvent>;
}

/** A batch's documents, links and clears in memory: events are folded into it one after the other, then it is written whole. */
export class WorkingSet {
  readonly #sourceIds: ReadonlyMap<string, string>;
  readonly #before = new Map<string, DocumentState>();
  readonly #documents = new Map<string, DocumentState>();
  readonly #links = new Map<string, KeyLink>();
  readonly #dirtyLinks = new Set<string>();
  readonly #clears = new Map<string, Clear[]>();
  readonly #known: Map<string, KnownEvent>;
  /** Clears to apply to the documents that are not in memory, in order. */
  readonly newClears: { readonly sourceId: string; readonly clear: Clear }[] = [];
  /** Key changes whose delete half was applied, in order: document ids. */
  readonly moves: { readonly from: string; readonly to: string }[] = [];

  constructor(loaded: Loaded) {
    this.#sourceIds = loaded.sourceIds;
    this.#known = new Map(loaded.known);
    for (const document of loaded.documents) {
      const name = identity(document.sourceId, document.key);
      this.#before.set(name, document);
      this.#documents.set(name, document);
    }
    for (const link of loaded.links) this.#links.set(link.id, link);
    for (const [sourceId, clears] of loaded.clears) this.#clears.set(sourceId, [...clears]);
  }

  sourceId(name: string): string {
    const id = this.#sourceIds.get(name);
    if (id === undefined) throw new NotLoadedError(`source ${name}`);
    return id;
  }

  findDocument(sourceId: string, key: string): DocumentState | undefined {
    return this.#documents.get(identity(sourceId, key));
  }
  document(sourceId: string, key: string): DocumentState {
    const document = this.findDocument(sourceId, key);
    if (document === undefined) throw new NotLoadedError(`document ${key}`);
    return document;
  }
  setDocument(document: DocumentState): void {
    this.#documents.set(identity(document.sourceId, document.key), document);
  }
  documentsOf(sourceId: string): DocumentState[] {
    return [...this.#documents.values()].filter((document) => document.sourceId === sourceId);
  }
  /** Each document that is no longer as it was loaded, with how it was. */
  changedDocuments(): { readonly before: DocumentState; readonly now: DocumentState }[] {
    return [...this.#documents].flatMap(([name, now]) => {
      const before = this.#before.get(name);
      return before === undefined || before === now ? [] : [{ before, now }];
    });
  }
  documentIds(): string[] {
    return [...this.#documents.values()].map((document) => document.id);
  }

  links(): KeyLink[] {
    return [...this.#links.values()];
  }
  link(id: string): KeyLink | undefined {
    return this.#links.get(id);
  }
  setLink(link: KeyLink): void {
    this.#links.set(link.id, link);
    this.#dirtyLinks.add(link.id);
  }
  changedLinks(): KeyLink[] {
    return this.links().filter((link) => this.#dirtyLinks.has(link.id));
  }

  known(id: string): KnownEvent | undefined {
    return this.#known.get(id);
  }
  setKnown(id: string, event: KnownEvent): void {
    this.#known.set(id, event);
  }

  isCleared(sourceId: string, position: StoredPosition): boolean {
    return this.#clearsOf(sourceId, position.topic).some((clear) => isBefore(position, clear));
  }
  /** @returns false where a remembered clear already says all that this one does. */
  addClear(sourceId: string, clear: Clear): boolean {
    if (this.#clearsOf(sourceId, clear.topic).some((other) => isCoveredBy(clear, other))) return false;
    this.#clears.set(sourceId, [...(this.#clears.get(sourceId) ?? []), clear]);
    this.newClears.push({ sourceId, clear });
    return true;
  }
  #clearsOf(sourceId: string, topic: string): Clear[] {
    return (this.#clears.get(sourceId) ?? []).filter((clear) => clear.topic === topic);
  }
}

/** A fault of ours: an event needs what was not loaded for it. */
export class NotLoadedError extends Error {
  override readonly name = 'NotLoadedError';
  constructor(what: string) {
    super(`${what} was not loaded for this batch`);
  }
  static is(error: unknown): error is NotLoadedError {
    return error instanceof NotLoadedError;
  }
}

/** What is stored of a live document; a batch loads it where an event needs it. */
export function loadedParts(document: DocumentState): DocumentParts {
  if (document.parts === null) throw new NotLoadedError(`the content of document ${document.key}`);
  return document.parts;
}

function identity(sourceId: string, key: string): string {
  return `${sourceId} ${key}`;
}
