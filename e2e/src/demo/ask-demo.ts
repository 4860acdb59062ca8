import { OssianClient } from '@ossian/shared';
import { Corpus } from '../harness/corpus.js';
import { describeAnswer } from './describe-answer.js';
import { findKeptServer } from './kept-server.js';
import { keepRunning, withRecordedStage } from './recorded-demo.js';
import { type Print, waitForEmbeddings } from './tell-story.js';

/** Asks a demo that was kept running; where there is none, loads the knowledge base first. */
export async function askDemo(questions: readonly string[], keep: boolean, print: Print): Promise<void> {
  const kept = await findKeptServer();
  if (kept !== undefined)
    return askAll(new Corpus(new OssianClient({ url: kept.url, apiKey: kept.key }), kept.corpus), questions, print);
  print('No demo is running: loading the knowledge base, with all its changes …');
  await withRecordedStage(async (stage, server) => {
    await stage.deliverSnapshot();
    await stage.deliverChanges();
    await waitForEmbeddings(stage.corpus, print);
    await askAll(stage.corpus, questions, print);
    if (keep) await keepRunning(server, stage.corpus.name, print);
  });
}

export async function askAll(corpus: Corpus, questions: readonly string[], print: Print): Promise<void> {
  for (const question of questions) print(`\n${describeAnswer(question, await corpus.ask(question))}`);
}
