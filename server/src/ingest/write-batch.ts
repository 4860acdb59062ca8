import type { ChunkDocument } from '../corpus/chunk.js';
import { type DocumentState, isSameWaiting } from '../corpus/document.js';
import type { DocumentChange } from '../corpus/document-changed.js';
import type { CorpusReference } from '../corpus/scope.js';
import { replaceChunks } from '../storage/chunk-store.js';
import { clearDocuments, writeClear } from '../storage/clear-store.js';
import type { Transaction } from '../storage/database.js';
import { writeDocuments, writePositions } from '../storage/document-writer.js';
import { writeLinks } from '../storage/link-store.js';
import type { WorkingSet } from './working-set.js';

export type DocumentChanged = (transaction: Transaction, changes: readonly DocumentChange[]) => Promise<void>;

const sliceSize = 5000;

interface Changed {
  readonly before: DocumentState;
  readonly now: DocumentState;
}

/** Writes what became of the working set: one statement of each kind, however many events were folded into it. */
export async function writeBatch(
  dependencies: { readonly chunkDocument: ChunkDocument; readonly documentChanged: DocumentChanged },
  transaction: Transaction,
  corpus: CorpusReference,
  set: WorkingSet,
  arrival: Date,
): Promise<void> {
  const cleared = await writeClears(transaction, set);
  const changed = set.changedDocuments();
  const whole = changed.filter(isContentChanged);
  await writePositions(
    transaction,
    changed.filter((document) => !isContentChanged(document)).map(({ now }) => now),
  );
  await writeDocuments(
    transaction,
    whole.map(({ now }) => now),
    arrival,
  );
  const rechunked = whole.filter(areChunksChanged);
  await replaceChunks(
    transaction,
    corpus.id,
    rechunked.map(({ now }) => ({
      documentId: now.id,
      chunks: now.parts === null ? [] : dependencies.chunkDocument({ title: now.parts.title, sections: now.parts.sections }),
    })),
  );
  await writeLinks(transaction, set.changedLinks());
  await tellMemory(dependencies.documentChanged, transaction, [
    ...cleared.map((documentId): DocumentChange => ({ documentId, kind: 'deleted' })),
    ...changesOf(set, changed),
  ]);
}

/** A clear may remove a million documents: memory hears of them in slices. */
export async function tellMemory(
  documentChanged: DocumentChanged,
  transaction: Transaction,
  changes: readonly DocumentChange[],
): Promise<void> {
  for (let start = 0; start < changes.length; start += sliceSize) {
    await documentChanged(transaction, changes.slice(start, start + sliceSize));
  }
}

async function writeClears(transaction: Transaction, set: WorkingSet): Promise<string[]> {
  let cleared: string[] = [];
  for (const { sourceId, clear } of set.newClears) {
    await writeClear(transaction, sourceId, clear);
    cleared = cleared.concat(await clearDocuments(transaction, sourceId, clear, set.documentIds()));
  }
  return cleared;
}

function isContentChanged({ before, now }: Changed): boolean {
  return before.live !== now.live || before.hashes?.state !== now.hashes?.state || !isSameWaiting(before.waiting, now.waiting);
}

function areChunksChanged({ before, now }: Changed): boolean {
  return before.live !== now.live || before.hashes?.text !== now.hashes?.text;
}

/** What memory hears of: moves in their order, then what each document has become. */
function changesOf(set: WorkingSet, changed: readonly Changed[]): DocumentChange[] {
  const moved = new Set(set.moves.map((move) => move.from));
  const movedTo = new Set(set.moves.map((move) => move.to));
  const moves = set.moves.map((move): DocumentChange => ({ documentId: move.from, kind: 'deleted', movedTo: move.to }));
  const others = changed.flatMap(({ before, now }): DocumentChange[] => {
    const documentId = now.id;
    if (now.live && (!before.live || moved.has(documentId))) {
      const isNew = before.position === null && !movedTo.has(documentId);
      return isNew ? [] : [{ documentId, kind: 'returned' }];
    }
    if (before.live && !now.live) return moved.has(documentId) ? [] : [{ documentId, kind: 'deleted' }];
    return now.live && before.hashes?.text !== now.hashes?.text ? [{ documentId, kind: 'content' }] : [];
  });
  return [...moves, ...others];
}
