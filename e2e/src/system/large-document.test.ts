import { readFileSync } from 'node:fs';
import { expect } from '@jest/globals';
import { articleLines, recordLine } from '../harness/record-lines.js';
import { localTest } from '../harness/local-test.js';

/** 20 MB of prose that differs from sentence to sentence. */
function twentyMegabytes(): string {
  const sentences: string[] = [];
  for (let length = 0; length < 20_000_000; length += sentences.at(-1)?.length ?? 0)
    sentences.push(
      `Entry ${sentences.length} of the ledger tells the amount ${(sentences.length * 7919) % 100_003} that was paid.\n`,
    );
  return sentences.join('');
}

localTest(
  'bad input: a document of 20 MB is refused with the limit and what to do, alone and whole; the row it had stays, marked as behind',
  async (scene) => {
    const server = await scene.server();
    const corpus = await server.corpus('docs');
    await scene.deliver({
      config: scene.sinkConfig(server, 'docs'),
      records: articleLines('First.', 'Second, still small.', 'Third.'),
    });
    const body = twentyMegabytes();
    const records = [
      recordLine(11, { id: 1 }, { id: 1, title: 'Before', body: 'Before it.' }, { op: 'u' }),
      recordLine(12, { id: 2 }, { id: 2, title: 'Large', body }, { op: 'u' }),
      recordLine(13, { id: 3 }, { id: 3, title: 'After', body: 'After it.' }, { op: 'u' }),
    ];
    const stopped = await scene.deliver({ config: scene.sinkConfig(server, 'docs'), records });
    expect(stopped).toMatchObject({ code: 1, stdout: expect.stringMatching(/"state":"FAILED"/) as unknown });
    expect(stopped.stdout).toMatch(
      /offset 12 .*19\.\d MiB.*limit is 8\.0 MiB.*leave out the column that is not prose, or split the row/,
    );

    const config = scene.sinkConfig(server, 'docs', { 'errors.tolerance': 'all', 'errors.deadletterqueue.topic.name': 'dlq' });
    const tolerated = await scene.deliver({ config, records });
    expect(JSON.parse(tolerated.stdout)).toMatchObject({ delivered: 2, dead_lettered: 1 });
    const letters = readFileSync(tolerated.deadLetters, 'utf8').trim().split('\n');
    expect(letters).toHaveLength(1);
    const { payload } = JSON.parse(letters[0] ?? '') as { payload: string };
    expect((JSON.parse(payload) as { after: { body: string } }).after.body === body).toBe(true);
    const documents = (await corpus.documents()).map(({ key, sections, behind_since }) => [
      key,
      sections?.[0]?.text,
      behind_since !== null,
    ]);
    expect(documents.sort()).toEqual([
      ['id=1', 'Before it.', false],
      ['id=2', 'Second, still small.', true],
      ['id=3', 'After it.', false],
    ]);
  },
);
