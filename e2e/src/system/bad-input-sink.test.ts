import { existsSync, readFileSync } from 'node:fs';
import { expect } from '@jest/globals';
import { articleLines, recordLine } from '../harness/record-lines.js';
import { localTest } from '../harness/local-test.js';
import { runProgram } from '../harness/run-program.js';
import { freePort, waitUntil } from '../stack/index.js';

const tolerant = { 'errors.tolerance': 'all', 'errors.deadletterqueue.topic.name': 'dlq' };
const nowhere = { url: 'http://127.0.0.1:9', key: 'some-key-of-sixteen' };

localTest(
  'bad input, S9: an unknown config key stops the start, with every other fault and the name that was meant',
  async (scene) => {
    const config = scene.sinkConfig(nowhere, 'docs', { 'ossian.text.field': 'body', 'batch.max.events': 'many' });
    const file = scene.file('connector.json', JSON.stringify({ name: config['name'], config }));
    for (const command of ['run', 'validate']) {
      const ended = await runProgram('sink', [command, '--config', file]);
      expect(ended).toMatchObject({ code: 2, stdout: '' });
      expect(ended.stderr).toMatch(/ossian\.text\.field\b.*ossian\.text\.fields/);
      expect(ended.stderr).toMatch(/batch\.max\.events/);
      expect(ended.stderr).not.toContain(nowhere.key);
      expect(ended.stderr).not.toMatch(/^ {4}at /m);
    }
  },
);

localTest(
  'bad input, S8: a column that no record has stops the task, or dead-letters; the documents stay, marked as behind',
  async (scene) => {
    const server = await scene.server();
    const corpus = await server.corpus('docs');
    const bodies = ['The first article.', 'The second article.'];
    await scene.deliver({ config: scene.sinkConfig(server, 'docs'), records: articleLines(...bodies) });

    // Later records, and a name that the table does not have.
    const records = [1, 2].map((id) => recordLine(10 + id, { id }, { id, title: 'Renamed', content: 'Its text.' }, { op: 'u' }));
    const stopped = await scene.deliver({ config: scene.sinkConfig(server, 'docs'), records });
    expect(stopped).toMatchObject({ code: 1, stdout: expect.stringMatching(/"state":"FAILED"/) as unknown });
    expect(stopped.stdout).toMatch(/offset 11 .*column.*body/);
    const sections = async (): Promise<unknown> =>
      Object.fromEntries((await corpus.documents()).map(({ key, sections }) => [key, sections?.map(({ text }) => text)]));
    expect(await sections()).toEqual({ 'id=1': [bodies[0]], 'id=2': [bodies[1]] });

    const tolerated = await scene.deliver({ config: scene.sinkConfig(server, 'docs', tolerant), records });
    expect(tolerated).toMatchObject({ code: 1, stdout: expect.stringMatching(/"dead_lettered":2/) as unknown });
    expect(readFileSync(tolerated.deadLetters, 'utf8').trim().split('\n')).toHaveLength(2);
    expect(await sections()).toEqual({ 'id=1': [bodies[0]], 'id=2': [bodies[1]] });
    for (const { behind_since } of await corpus.documents()) expect(behind_since).not.toBeNull();

    // With the column's new name everything is taken.
    const renamed = await scene.deliver({
      config: scene.sinkConfig(server, 'docs', { 'ossian.text.fields': 'content' }),
      records,
    });
    expect(renamed).toMatchObject({ code: 0 });
    expect(await sections()).toEqual({ 'id=1': ['Its text.'], 'id=2': ['Its text.'] });
    for (const { behind_since } of await corpus.documents()) expect(behind_since).toBeNull();
  },
);

localTest(
  'bad input: a corpus that does not exist stops the task and says how to make it; nothing is dead-lettered, and then all arrives',
  async (scene) => {
    const server = await scene.server();
    const run = { config: scene.sinkConfig(server, 'no-such', tolerant), records: articleLines('One.', 'Two.', 'Three.') };
    const stopped = await scene.deliver(run);
    expect(stopped).toMatchObject({ code: 1, stdout: expect.stringMatching(/"state":"FAILED"/) as unknown });
    expect(stopped.stdout).toMatch(/no corpus.*no-such.*PUT \/v1\/corpora\/no-such/);
    expect(existsSync(stopped.deadLetters)).toBe(false);
    const corpus = await server.corpus('no-such');
    expect(await scene.deliver(run)).toMatchObject({ code: 0 });
    expect(await corpus.statistics()).toMatchObject({ documents: 3 });
  },
);

localTest(
  'bad input, S5: a backend that cannot be reached is waited for, with the reason; once it is there everything arrives',
  async (scene) => {
    const server = await scene.server();
    const corpus = await server.corpus('docs');
    await server.stop();
    const sink = await scene.startDelivery({
      config: scene.sinkConfig(server, 'docs', tolerant),
      records: articleLines('One.', 'Two.', 'Three.'),
    });
    await waitUntil(
      () => Promise.resolve(/cannot be reached.*ECONNREFUSED/.test(scene.logOf(sink))),
      'the sink to say why it waits',
    );
    expect(sink.exit).toBeUndefined();
    await server.start();
    expect(await sink.exited).toMatchObject({ code: 0 });
    expect(existsSync(sink.deadLetters)).toBe(false);
    expect(await corpus.statistics()).toMatchObject({ documents: 3 });
  },
);

localTest(
  'bad input, S5: a broker that cannot be reached is waited for, with the reason and its address; a command that cannot wait ends with 3',
  async (scene) => {
    const broker = `127.0.0.1:${await freePort()}`;
    const config = scene.sinkConfig(nowhere, 'docs', { 'bootstrap.servers': broker });
    const file = scene.file('connector.json', JSON.stringify({ name: config['name'], config }));
    const listener = `http://127.0.0.1:${await freePort()}`;
    const sink = await scene.startSink([
      'run',
      '--config',
      file,
      '--worker',
      scene.file('worker.properties', `listeners=${listener}\n`),
    ]);
    const trace = async (): Promise<boolean> => {
      const answer = await fetch(`${listener}/connectors/${config['name']}/status`).catch(() => undefined);
      const text = (await answer?.text()) ?? '';
      return text.includes(`Kafka at ${broker} cannot be reached`) && !text.includes('FAILED');
    };
    await waitUntil(trace, 'the status to give the reason', 60_000);
    expect(sink.exit).toBeUndefined();
    expect(await sink.stop('SIGTERM', 30_000)).toMatchObject({ code: 0 });
    const listed = await runProgram('sink', ['offsets', 'list', '--config', file], {}, 120_000);
    expect(listed).toMatchObject({ code: 3, stderr: expect.stringContaining(`Kafka at ${broker} cannot be reached`) as unknown });
  },
);
