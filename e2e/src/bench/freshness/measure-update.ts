import { sleep } from '@ossian/shared';
import type { Corpus } from '../../harness/corpus.js';
import type { Source } from '../../harness/source.js';
import { BenchError } from '../bench-error.js';
import type { TopicWatch } from './topic-watch.js';

/** Milliseconds from the commit of a row to each of these. */
export interface Freshness {
  /** The record can be read from the topic: Debezium's own time. */
  readonly topic: number;
  readonly lexical: number;
  readonly vector: number;
}
export interface FreshnessScene {
  readonly source: Source;
  readonly corpus: Corpus;
  readonly watch: TopicWatch;
}

const longest = 60_000;
/** Between two looks at one leg: a time cannot be told more exactly than this and the search itself. */
const pause = 5;

/**
 * Gives a row another text and waits until it is seen in the topic and found by both legs.
 *
 * @param word stands in the new text and nowhere else.
 * @throws BenchError where one of them does not come within a minute.
 */
export async function measureUpdate(
  { source, corpus, watch }: FreshnessScene,
  id: number,
  text: string,
  word: string,
): Promise<Freshness> {
  const seen = watch.sees(word);
  await source.query('update articles set body = $2 where id = $1', [id, text]);
  const committed = performance.now();
  // The vector leg is asked with the new text itself, which is nearest to itself: else another row's could stand before it for ever.
  const [topic, lexical, vector] = await Promise.all([
    Promise.race([seen, tooLong('topic', word)]),
    foundBy(corpus, 'lexical', word, word),
    foundBy(corpus, 'vector', text, word),
  ]);
  return { topic: topic - committed, lexical: lexical - committed, vector: vector - committed };
}

/** The time at which a hit of the leg shows the word. */
async function foundBy(corpus: Corpus, leg: 'lexical' | 'vector', query: string, word: string): Promise<number> {
  const deadline = performance.now() + longest;
  for (;;) {
    const hits = await corpus.search(query, leg, { limit: 10 });
    if (hits.some(({ text }) => text.includes(word))) return performance.now();
    if (performance.now() > deadline) {
      const { embeddings_pending: pending } = await corpus.statistics();
      throw new BenchError(
        `the ${leg} leg did not find "${word}" within ${longest / 1000} s; ${pending} vectors are still to be made`,
      );
    }
    await sleep(pause);
  }
}

async function tooLong(place: string, word: string): Promise<never> {
  await new Promise((resolve) => setTimeout(resolve, longest).unref());
  throw new BenchError(`"${word}" was not in the ${place} within ${longest / 1000} s`);
}
