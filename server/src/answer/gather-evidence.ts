import type { Answer, Citation, CitedPassage } from '@ossian/shared';
import type { Passage } from '../corpus/passage.js';
import type { ReadScope } from '../corpus/scope.js';
import type { NumberedDocument } from '../models/answerer.js';
import { alsoIn, type DocumentGroup, groupPassages, joinGroups, sectionsWithGaps } from '../retrieve/group-passages.js';
import { isRelevant } from '../retrieve/relevance-floor.js';
import { findPassages, prepareQuestion, type RetrievalDependencies } from '../retrieve/retrieve-passages.js';
import type { Transaction } from '../storage/database.js';
import { readSameContent, readSectionTexts } from '../storage/passage-store.js';
import { readSnapshot } from '../storage/read-snapshot.js';
import { readSourceFreshness } from '../storage/source-freshness-store.js';

/** A document that an answer may rest on, with what a citation shows of it. */
export interface Evidence extends NumberedDocument {
  readonly source: string;
  readonly key: string;
  readonly uri: string | null;
  readonly alsoIn: Citation['also_in'];
}
export interface GatheredEvidence {
  /** Numbered 1 to n, best first; empty where nothing relevant was found. */
  readonly documents: Evidence[];
  readonly sources: Answer['sources'];
  readonly notices: string[];
}

/**
 * Everything an answer will say about the corpus, read in one snapshot that begins after the question came: no citation can show text
 * that had changed before.
 */
export async function gatherEvidence(
  dependencies: RetrievalDependencies,
  scope: ReadScope,
  request: { readonly question: string; readonly maxDocuments: number; readonly signal: AbortSignal },
): Promise<GatheredEvidence> {
  const { settings } = dependencies;
  const query = { text: request.question, leg: 'fused', limit: settings.legDepth } as const;
  const question = await prepareQuestion(dependencies, query, request.signal);
  return readSnapshot(dependencies.database, async (transaction) => {
    const { passages, notices } = await findPassages(transaction, scope, query, question, settings);
    const relevant = passages.filter((passage) => isRelevant(passage, settings));
    const limits = { maximumDocuments: request.maxDocuments, tokenBudget: settings.tokenBudget };
    const groups = await completeGroups(transaction, scope, groupPassages(relevant, limits));
    const hashes = groups.flatMap(({ contentHash }) => contentHash ?? []);
    const same = await readSameContent(transaction, scope, hashes);
    return {
      documents: groups.map((group, index) => toEvidence(group, index + 1, alsoIn(group, same))),
      sources: await readSourceFreshness(transaction, scope),
      notices,
    };
  });
}

async function completeGroups(transaction: Transaction, scope: ReadScope, groups: DocumentGroup[]): Promise<DocumentGroup[]> {
  const sections = await readSectionTexts(transaction, scope, sectionsWithGaps(groups));
  return joinGroups(
    groups,
    (documentId, section) => sections.find((known) => known.documentId === documentId && known.section === section)?.text,
  );
}

function toEvidence(group: DocumentGroup, number: number, others: Citation['also_in']): Evidence {
  const { documentId, source, key, title, uri, behindSince } = group;
  return { number, documentId, source, key, title, uri, behindSince, alsoIn: others, passages: group.passages.map(toCited) };
}

function toCited(passage: Passage): CitedPassage {
  const { chunkId, section, text, start, end, score } = passage;
  return { chunk_id: chunkId, section, text, start, end, score };
}
