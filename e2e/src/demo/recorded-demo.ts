import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ServerProcess } from '../harness/server-process.js';
import { Supervisor } from '../processes/supervisor-client.js';
import { announceKeptServer, forgetKeptServer } from './kept-server.js';
import { RecordedStage } from './recorded-stage.js';
import { type Print, tellStory } from './tell-story.js';
import { untilInterrupted } from '../processes/until-interrupted.js';

const corpusName = 'fernhill';

/** Opens a fresh server on a temporary folder, lets `act` use it, and takes both away. */
export async function withRecordedStage(act: (stage: RecordedStage, server: ServerProcess) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'ossian-demo-'));
  const supervisor = await Supervisor.start();
  try {
    const server = await ServerProcess.start({ supervisor, folder });
    process.env['OSSIAN_API_KEY'] = server.key; // the connector file names it as ${env:OSSIAN_API_KEY}
    await act(new RecordedStage(server, await server.corpus(corpusName), folder), server);
    await server.stop();
  } finally {
    await supervisor.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The whole demo on recorded topics. */
export async function runRecordedDemo(keep: boolean, print: Print): Promise<void> {
  const began = Date.now();
  print('Ossian demo: the support knowledge base of Fernhill, a fictional maker of backup appliances.');
  print('Starting a server on an embedded Postgres in a temporary folder …');
  await withRecordedStage(async (stage, server) => {
    await tellStory(stage, print);
    print(`\nDone in ${((Date.now() - began) / 1000).toFixed(0)} s.`);
    if (keep) await keepRunning(server, corpusName, print);
    else print('The server stops now; its folder goes with it.\n');
    if (!keep) print('Ask your own:        npm run demo -- --ask "How many machines may I back up on Starter?"');
    if (!keep) print('Keep it running:     npm run demo -- --keep');
  });
}

export async function keepRunning(server: ServerProcess, corpusName: string, print: Print): Promise<void> {
  announceKeptServer({ pid: process.pid, url: server.url, key: server.key, corpus: corpusName });
  print('\nThe server goes on until Ctrl-C. From another terminal:\n');
  print('  npm run demo -- --ask "How many machines may I back up on Starter?"');
  print(`  curl ${server.url}/v1/corpora/${corpusName}/ask -H "Authorization: Bearer ${server.key}" \\`);
  print(`    -H 'Content-Type: application/json' -d '{"question":"How long are audit logs kept?"}'`);
  await untilInterrupted();
  forgetKeptServer();
}
