import type { AnswerPart, Answerer, AnswerRequest, NumberedDocument } from './answerer.js';
import type { Embedder } from './embedder.js';
import { chooseStatements } from './extractive/choose-statements.js';
import { addSimilarity, type Candidate, scoreByWords } from './extractive/score-statements.js';
import { splitStatements } from './extractive/split-statements.js';

/**
 * The answerer that needs no language model: it answers with the statements of the passages that fit the question best, each cited.
 * It invents nothing, and reads no further than one statement.
 *
 * @param options.embedder judges statements by meaning too; without it they are judged by their words.
 */
export function createExtractiveAnswerer(options: { readonly embedder?: Embedder | undefined } = {}): Answerer {
  return {
    id: 'extractive',
    async *answer({ question, documents, signal }: AnswerRequest): AsyncGenerator<AnswerPart> {
      const byWords = scoreByWords(question, readCandidates(documents));
      let scored = byWords;
      try {
        if (options.embedder !== undefined) scored = await addSimilarity(question, byWords, options.embedder, signal);
      } catch {
        signal.throwIfAborted();
        yield { type: 'notice', text: 'the embedding model does not answer: the sentences were chosen by their words alone' };
      }
      for (const { statement, alsoSaidBy } of chooseStatements(scored)) {
        yield { type: 'text', text: `${statement.shown} ` };
        for (const { number, passage, quote } of [statement, ...alsoSaidBy]) {
          yield { type: 'citation', citation: { number, passages: [passage], quote } };
        }
        yield { type: 'segment_end' };
      }
    },
  };
}

function readCandidates(documents: readonly NumberedDocument[]): Candidate[] {
  return documents
    .flatMap(({ number, passages }) =>
      passages.flatMap(({ text, score }, passage) =>
        splitStatements(text).map((statement) => ({ ...statement, number, passage, passageScore: score })),
      ),
    )
    .map((candidate, order) => ({ ...candidate, order }));
}
