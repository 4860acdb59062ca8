import type { CitedPassage } from '@ossian/shared';

/** A document as it is put before an answerer: one number per document, its passages in reading order. */
export interface NumberedDocument {
  readonly number: number;
  readonly documentId: string;
  readonly title: string | null;
  /** ISO time since when the document is known to be behind its row, or null. */
  readonly behindSince: string | null;
  readonly passages: readonly CitedPassage[];
}
/** All that an answerer is given: a question and documents, never memory. */
export interface AnswerRequest {
  readonly question: string;
  readonly documents: readonly NumberedDocument[];
  readonly signal: AbortSignal;
}
/** A citation as the answerer claims it, unchecked. */
export interface ClaimedCitation {
  /** The document's number. */
  readonly number: number;
  /** Indexes of that document's passages, one or several that follow one another. */
  readonly passages: readonly number[];
  /** The words it says it quotes, where it gives them. */
  readonly quote?: string;
}
export type AnswerPart =
  | { readonly type: 'text'; readonly text: string }
  /** Belongs to the text since the last `segment_end`. */
  | { readonly type: 'citation'; readonly citation: ClaimedCitation }
  | { readonly type: 'segment_end' }
  /** What the reader should know of the answer, e.g. that it ends early. */
  | { readonly type: 'notice'; readonly text: string }
  | { readonly type: 'usage'; readonly usage: Readonly<Record<string, number>> };

/**
 * Writes an answer from numbered documents, part by part. Citations are checked by the caller. An answer that could not be finished
 * throws a ProblemError (or the signal's reason): it never just ends.
 */
export interface Answerer {
  readonly id: string;
  answer(request: AnswerRequest): AsyncIterable<AnswerPart>;
}
