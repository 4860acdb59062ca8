import type { CitedPassage } from '@ossian/shared';

/** A document as it is put before an answerer: one number per document, its passages in reading order. */
export interface NumberedDocument {
  readonly number: number;
  readonly documentId: string;
  readonly title: string | null;
  readonly passages: readonly CitedPassage[];
}
export interface AnswerRequest {
  readonly question: string;
  readonly documents: readonly NumberedDocument[];
  readonly signal: AbortSignal;
}
/** A citation as the answerer claims it, unchecked. */
export interface ClaimedCitation {
  readonly number: number;
  readonly passage: number;
  /** The words it says it quotes, where it gives them. */
  readonly quote?: string;
}
export type AnswerPart =
  | { readonly type: 'text'; readonly text: string }
  /** Belongs to the text since the last `segment_end`. */
  | { readonly type: 'citation'; readonly citation: ClaimedCitation }
  | { readonly type: 'segment_end' }
  | { readonly type: 'usage'; readonly usage: Readonly<Record<string, number>> };

/** Writes an answer from numbered documents, part by part. Citations are checked by the caller. */
export interface Answerer {
  readonly id: string;
  answer(request: AnswerRequest): AsyncIterable<AnswerPart>;
}
