import type { DocumentState } from '../corpus/document.js';
import type { KeyLink } from '../corpus/key-link.js';
import type { CorpusReference } from '../corpus/scope.js';
import { readClears } from '../storage/clear-store.js';
import type { Transaction } from '../storage/database.js';
import { insertIdentities, lockDocuments, type WantedDocument } from '../storage/document-store.js';
import { readKnownEvents } from '../storage/event-store.js';
import { type KeyPair, readLinks } from '../storage/link-store.js';
import { lockSources } from '../storage/source-store.js';
import { requireSource } from './require-source.js';
import type { IngestEvent } from './ingest-event.js';
import { WorkingSet } from './working-set.js';

/** Locks and loads what a batch touches: sources, then documents in (source, key) order; all else is read after the locks. */
export async function loadBatch(
  transaction: Transaction,
  corpus: CorpusReference,
  events: readonly IngestEvent[],
): Promise<WorkingSet> {
  const names = [...new Set(events.map((event) => event.source))].sort();
  // One clear in the batch locks all its sources for itself: two strengths could not be taken in one order.
  const lock = events.some((event) => event.op === 'clear') ? 'exclusive' : 'shared';
  const sourceIds = await lockSources(transaction, corpus.id, names, lock);
  for (const name of names) await requireSource(transaction, corpus, sourceIds, name);

  const pairs = keyPairs(events, sourceIds);
  const wanted = wantedDocuments(events, sourceIds);
  await insertIdentities(
    transaction,
    corpus.id,
    [...wanted.values()].filter((document) => document.made),
  );
  const { documents, links } = await lockClosure(transaction, wanted, pairs);
  const ids = events.map((event) => event.id);
  const known = await readKnownEvents(transaction, corpus.id, ids);
  const clears = await readClears(transaction, [...sourceIds.values()]);
  return new WorkingSet({ sourceIds, documents, links, clears, known });
}

interface Wanted extends WantedDocument {
  /** Whether the identity is made where it is new. */
  readonly made: boolean;
}

function keyPairs(events: readonly IngestEvent[], sourceIds: ReadonlyMap<string, string>): KeyPair[] {
  return events.flatMap((event) => {
    const sourceId = sourceIds.get(event.source) ?? '';
    if (event.op === 'delete' && event.movedTo !== null) return [{ sourceId, oldKey: event.key, newKey: event.movedTo }];
    if (event.op === 'upsert' && event.movedFrom !== null) return [{ sourceId, oldKey: event.movedFrom, newKey: event.key }];
    return [];
  });
}

/** The documents of the events' own keys, and of the keys that rows moved from and to. */
function wantedDocuments(events: readonly IngestEvent[], sourceIds: ReadonlyMap<string, string>): Map<string, Wanted> {
  const wanted = new Map<string, Wanted>();
  const want = (sourceId: string, key: string, content: boolean, made: boolean): void => {
    const name = `${sourceId} ${key}`;
    const before = wanted.get(name);
    wanted.set(name, { sourceId, key, content: content || before?.content === true, made: made || before?.made === true });
  };
  for (const event of events) {
    if (event.op === 'clear') continue;
    const moved = event.op === 'delete' ? event.movedTo : event.op === 'upsert' ? event.movedFrom : null;
    const sourceId = sourceIds.get(event.source) ?? '';
    const content = moved !== null || (event.op === 'upsert' && event.unchanged.length > 0);
    // Of an unknown document a skip keeps only its id.
    want(sourceId, event.key, content, event.op !== 'skip');
    if (moved !== null) want(sourceId, moved, true, true);
  }
  return wanted;
}

/** Locks the documents, and those to which links pass on what they get. Links may grow until their documents are locked. */
async function lockClosure(
  transaction: Transaction,
  wanted: Map<string, Wanted>,
  pairs: readonly KeyPair[],
): Promise<{ documents: DocumentState[]; links: KeyLink[] }> {
  let links = await readLinks(transaction, pairs);
  const locked = new Set<string>();
  const documents: DocumentState[] = [];
  for (;;) {
    for (const { sourceId, newKey } of links) {
      const name = `${sourceId} ${newKey}`;
      if (wanted.get(name)?.content === true) continue;
      wanted.set(name, { sourceId, key: newKey, content: true, made: false });
      locked.delete(name);
    }
    const missing = [...wanted].filter(([name]) => !locked.has(name));
    if (missing.length === 0) return { documents, links };
    documents.push(
      ...(await lockDocuments(
        transaction,
        missing.map(([, document]) => document),
      )),
    );
    for (const [name] of missing) locked.add(name);
    links = await readLinks(transaction, pairs);
  }
}
