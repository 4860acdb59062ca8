import type { Hit, SearchRequest, SearchResponse } from '@ossian/shared';
import type { Passage } from '../corpus/passage.js';
import type { ReadScope } from '../corpus/scope.js';
import { type RetrievalDependencies, retrievePassages } from './retrieve-passages.js';

/** How many chunks are looked at for each document that is wanted, since a document may have many that match. */
const chunksPerDocument = 10;

/** Answers `POST …/search`: hits best first, by chunk, or the best one of each document. */
export async function searchCorpus(
  dependencies: RetrievalDependencies,
  scope: ReadScope,
  request: SearchRequest,
): Promise<SearchResponse> {
  const byDocument = request.group === 'document';
  const limit = byDocument ? request.limit * chunksPerDocument : request.limit;
  const { passages, notices } = await retrievePassages(dependencies, scope, { text: request.query, leg: request.leg, limit });
  const chosen = (byDocument ? bestOfEachDocument(passages) : passages).slice(0, request.limit);
  return {
    hits: chosen.map((passage) => toHit(passage, request.explain)),
    ...(notices.length === 0 ? {} : { notices }),
  };
}

function bestOfEachDocument(passages: readonly Passage[]): Passage[] {
  const best = new Map<string, Passage>();
  for (const passage of passages) if (!best.has(passage.documentId)) best.set(passage.documentId, passage);
  return [...best.values()];
}

function toHit(passage: Passage, explain: boolean): Hit {
  return {
    chunk_id: passage.chunkId,
    document_id: passage.documentId,
    source: passage.source,
    key: passage.key,
    title: passage.title,
    uri: passage.uri,
    section: passage.section,
    text: passage.text,
    start: passage.start,
    end: passage.end,
    score: passage.score,
    behind_since: passage.behindSince,
    ...(explain
      ? {
          explain: {
            lexical_score: passage.lexicalScore,
            lexical_coverage: passage.lexicalCoverage,
            vector_score: passage.vectorScore,
          },
        }
      : {}),
  };
}
