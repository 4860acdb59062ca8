import type Anthropic from '@anthropic-ai/sdk';
import { ProblemError } from '@ossian/shared';
import type { AnswerPart, ClaimedCitation, NumberedDocument } from '../answerer.js';
import { cutOff } from './answerer-problem.js';

/**
 * Reads the Messages API's stream as parts of an answer: each text block is a segment, its citations are the block's.
 *
 * @throws ProblemError where the stream ends before the message does, or the model refuses.
 */
export async function* readEvents(
  events: AsyncIterable<Anthropic.RawMessageStreamEvent>,
  documents: readonly NumberedDocument[],
): AsyncGenerator<AnswerPart> {
  let stopReason: Anthropic.StopReason | null = null;
  let stopped = false;
  const textBlocks = new Set<number>();
  for await (const event of events) {
    switch (event.type) {
      case 'message_start':
        yield { type: 'usage', usage: { input_tokens: readInputTokens(event.message.usage) } };
        break;
      case 'content_block_start':
        // Thinking blocks come before the text and are not shown.
        if (event.content_block.type !== 'text') break;
        textBlocks.add(event.index);
        if (event.content_block.text !== '') yield { type: 'text', text: event.content_block.text };
        break;
      case 'content_block_delta':
        if (event.delta.type === 'text_delta') yield { type: 'text', text: event.delta.text };
        else if (event.delta.type === 'citations_delta') {
          yield { type: 'citation', citation: toClaim(event.delta.citation, documents) };
        }
        break;
      case 'content_block_stop':
        if (textBlocks.has(event.index)) yield { type: 'segment_end' };
        break;
      case 'message_delta':
        stopReason = event.delta.stop_reason ?? stopReason;
        yield { type: 'usage', usage: { output_tokens: event.usage.output_tokens } };
        break;
      case 'message_stop':
        stopped = true;
    }
  }
  if (!stopped) throw cutOff();
  yield* ending(stopReason);
}

function readInputTokens(usage: Anthropic.Usage): number {
  return usage.input_tokens + (usage.cache_creation_input_tokens ?? 0) + (usage.cache_read_input_tokens ?? 0);
}

/**
 * A citation of passages is told by document and blocks. One of another kind, or of a document that was not given, becomes a claim
 * that no check can pass, so that it is removed and counted.
 */
function toClaim(citation: Anthropic.TextCitation, documents: readonly NumberedDocument[]): ClaimedCitation {
  if (citation.type !== 'content_block_location') return { number: 0, passages: [] };
  const { start_block_index: start, end_block_index: end } = citation;
  const number = documents[citation.document_index]?.number ?? 0;
  const length = Math.min(Math.max(0, end - start), 1000);
  return { number, passages: Array.from({ length }, (_, index) => start + index), quote: citation.cited_text };
}

function* ending(stopReason: Anthropic.StopReason | null): Generator<AnswerPart> {
  switch (stopReason) {
    case 'end_turn':
    case 'stop_sequence':
      return;
    case 'max_tokens':
    case 'model_context_window_exceeded':
      yield { type: 'notice', text: 'the answer reached its length limit and ends early' };
      return;
    case 'refusal':
      throw new ProblemError(502, 'answerer_declined', 'the language model declined to answer this question; ask in another way');
    case 'tool_use':
    case 'pause_turn':
    case null:
      throw cutOff();
  }
}
