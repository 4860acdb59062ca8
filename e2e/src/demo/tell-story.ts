import type { CorpusStatistics } from '@ossian/shared';
import { sleep } from '@ossian/shared';
import type { Corpus } from '../harness/corpus.js';
import type { DeliverySummary, DemoStage } from './demo-stage.js';
import { describeAnswer } from './describe-answer.js';
import { changedQuestions, questions, unanswerable } from './knowledge-base.js';

export type Print = (line: string) => void;

/** The demo's story: a snapshot, questions, changes, the questions again, and a replay that changes nothing. */
export async function tellStory(stage: DemoStage, print: Print): Promise<void> {
  const { corpus } = stage;
  print('\n== 1. The snapshot: every row becomes a document\n');
  print(describeDelivery(await stage.deliverSnapshot()));
  await waitForEmbeddings(corpus, print);
  print(describeCorpus(await corpus.statistics()));

  print('\n== 2. Five questions, and one that nothing here answers\n');
  for (const question of [...questions, unanswerable]) print(`${describeAnswer(question, await corpus.ask(question))}\n`);

  print('== 3. The table changes: updates, deletes, a blanked row, a key change, a truncate\n');
  print(describeDelivery(await stage.deliverChanges()));
  await waitForEmbeddings(corpus, print);
  const before = await corpus.statistics();
  print(`${describeCorpus(before)}\n`);
  for (const [question, what] of changedQuestions) {
    print(`(${what})`);
    print(`${describeAnswer(question, await corpus.ask(question))}\n`);
  }

  print('== 4. A replay from the first record: nothing changes\n');
  print(describeDelivery(await stage.replay()));
  const after = await corpus.statistics();
  const same = ['documents', 'chunks', 'events', 'embeddings_pending'] as const;
  const differing = same.filter((name) => before[name] !== after[name]);
  print(differing.length === 0 ? '  the corpus is as it was' : `  NOT as it was: ${differing.join(', ')}`);
  print(`\n${describeAnswer(questions[0], await corpus.ask(questions[0]))}\n`);

  print('== Where everything is\n');
  for (const line of stage.places) print(`  ${line}`);
}

export function describeDelivery({ records, outcomes, ignored, deadLettered }: DeliverySummary): string {
  const parts = Object.entries(outcomes)
    .filter(([, count]) => count > 0)
    .map(([outcome, count]) => `${count} ${outcome}`);
  return `  ${records} records: ${[...parts, `${ignored} ignored`, `${deadLettered} dead-lettered`].join(', ')}`;
}

function describeCorpus({ documents, chunks, events, sources }: CorpusStatistics): string {
  const each = sources.map(
    ({ source, documents: count, behind }) => `${source} ${count}${behind > 0 ? ` (${behind} behind)` : ''}`,
  );
  return `  the corpus has ${documents} documents in ${chunks} chunks, of ${events} events: ${each.join(', ')}`;
}

/** Text is searchable at once; the vectors follow. */
export async function waitForEmbeddings(corpus: Corpus, print: Print): Promise<void> {
  let shown = -1;
  for (;;) {
    const { embeddings_pending: pending } = await corpus.statistics();
    if (pending === 0) return;
    if (pending !== shown) print(`  embedding, ${pending} chunks to go`);
    shown = pending;
    await sleep(500);
  }
}
