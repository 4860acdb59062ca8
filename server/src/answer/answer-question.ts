import { randomUUID } from 'node:crypto';
import type { Answer, AnswerEvent } from '@ossian/shared';
import type { ReadScope } from '../corpus/scope.js';
import type { Answerer } from '../models/answerer.js';
import type { RetrievalDependencies } from '../retrieve/retrieve-passages.js';
import { AnswerComposer, type ComposedAnswer } from './compose-answer.js';
import { gatherEvidence, type GatheredEvidence } from './gather-evidence.js';

export interface AnswerDependencies extends RetrievalDependencies {
  readonly answerer: Answerer;
}
export interface QuestionRequest {
  readonly question: string;
  readonly maxDocuments: number;
  /** Aborted where the one who asked has gone. */
  readonly signal: AbortSignal;
}

/** Said where nothing relevant was found. */
export const nothingFound = 'I found nothing in this corpus that answers the question.';

/**
 * Answers a question from the corpus: retrieves, keeps what is relevant, groups it by document, lets the answerer write, checks every
 * citation, numbers the documents as they are cited. Whoever gives `onEvent` is told of each step; the answer returned is the same
 * object either way, and `done` carries it.
 *
 * @throws ProblemError where the answerer could not finish: half an answer is never returned.
 */
export async function answerQuestion(
  dependencies: AnswerDependencies,
  scope: ReadScope,
  request: QuestionRequest,
  onEvent: (event: AnswerEvent) => void = () => undefined,
): Promise<Answer> {
  const clock = new Stopwatch();
  const evidence = await gatherEvidence(dependencies, scope, request);
  clock.lap('retrieve');
  onEvent({ event: 'sources', data: { sources: evidence.sources, notices: evidence.notices } });

  const composed =
    evidence.documents.length === 0
      ? sayNothingFound(onEvent)
      : await composeAnswer(dependencies.answerer, evidence, request, onEvent);
  clock.lap('answer');

  const answer = toAnswer(dependencies.answerer.id, evidence, composed, clock.total());
  onEvent({ event: 'done', data: answer });
  return answer;
}

async function composeAnswer(
  answerer: Answerer,
  evidence: GatheredEvidence,
  request: QuestionRequest,
  onEvent: (event: AnswerEvent) => void,
): Promise<ComposedAnswer> {
  const composer = new AnswerComposer(evidence.documents, onEvent);
  const { question, signal } = request;
  for await (const part of answerer.answer({ question, documents: evidence.documents, signal })) {
    signal.throwIfAborted();
    composer.accept(part);
  }
  const composed = composer.finish();
  return composed.answer === '' ? { ...sayNothingFound(onEvent), usage: composed.usage, notices: composed.notices } : composed;
}

function sayNothingFound(onEvent: (event: AnswerEvent) => void): ComposedAnswer {
  onEvent({ event: 'delta', data: { text: nothingFound } });
  return {
    answer: nothingFound,
    segments: [{ text: nothingFound, citations: [] }],
    citations: [],
    citationsRemoved: 0,
    notices: [],
    usage: {},
  };
}

function toAnswer(
  answerer: string,
  evidence: GatheredEvidence,
  composed: ComposedAnswer,
  timing: Record<string, number>,
): Answer {
  const notices = [...evidence.notices, ...composed.notices];
  if (composed.citationsRemoved > 0) {
    notices.push(`${composed.citationsRemoved} citation(s) did not stand up to the check and were removed`);
  }
  return {
    id: randomUUID(),
    answer: composed.answer,
    segments: composed.segments,
    citations: composed.citations,
    answerer,
    // Text that no citation holds up is not supported by the corpus, whoever wrote it.
    supported: composed.citations.length > 0,
    sources: evidence.sources,
    usage: {
      ...composed.usage,
      documents: evidence.documents.length,
      passages: evidence.documents.reduce((sum, document) => sum + document.passages.length, 0),
      citations_removed: composed.citationsRemoved,
    },
    timing_ms: timing,
    ...(notices.length === 0 ? {} : { notices }),
  };
}

/** Milliseconds of each step, to one decimal. */
class Stopwatch {
  readonly #started = performance.now();
  readonly #laps: Record<string, number> = {};
  #last = this.#started;

  lap(name: string): void {
    const now = performance.now();
    this.#laps[name] = round(now - this.#last);
    this.#last = now;
  }
  total(): Record<string, number> {
    return { ...this.#laps, total: round(performance.now() - this.#started) };
  }
}

function round(milliseconds: number): number {
  return Math.round(milliseconds * 10) / 10;
}
