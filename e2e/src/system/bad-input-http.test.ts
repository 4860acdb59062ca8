import { expect } from '@jest/globals';
import type { EventInput } from '@ossian/shared';
import { citationFaults } from '../harness/citation-faults.js';
import type { LocalScene } from '../harness/local-scene.js';
import { localTest, localTestOnEachStorage } from '../harness/local-test.js';
import type { ServerProcess } from '../harness/server-process.js';

const article = (number: number, text: string, title?: string): EventInput => ({
  id: `event-${number}`,
  op: 'upsert',
  document: {
    source: 'articles',
    key: `id=${number}`,
    sections: [{ name: 'body', text }],
    ...(title === undefined ? {} : { title }),
  },
});

interface Refusal {
  status: number;
  type: string | null;
  problem: { code?: string; detail?: string };
}
/** Sends a body as it stands, which the client would never do. */
async function post(server: ServerProcess, path: string, body: string | Uint8Array<ArrayBuffer>): Promise<Refusal> {
  const headers = { authorization: `Bearer ${server.key}`, 'content-type': 'application/json' };
  const answer = await fetch(`${server.url}/v1/corpora/docs/${path}`, { method: 'POST', headers, body });
  return {
    status: answer.status,
    type: answer.headers.get('content-type'),
    problem: (await answer.json()) as Refusal['problem'],
  };
}

localTest(
  'bad input: a body that is not JSON, or not a batch, is 400 that says so; nothing of it is kept and the next one is taken',
  async (scene) => {
    const server = await scene.server();
    const corpus = await server.corpus('docs');
    await server.client.sendEvents('docs', [article(1, 'Kept from before.')]);
    const good = JSON.stringify({ events: [article(2, 'Sent with a fault.')] });
    const bodies: [string | Uint8Array<ArrayBuffer>, RegExp][] = [
      [good.slice(0, -2), /not JSON/],
      [`${good}}`, /not JSON/],
      [new Uint8Array([0x7b, 0x22, 0xff, 0xfe, 0x22]), /not JSON/],
      ['', /events/],
      ['[]', /object/],
      ['{"events": {}}', /events.*array/],
    ];
    for (const [body, detail] of bodies) {
      const refusal = await post(server, 'events', body);
      expect(refusal).toMatchObject({ status: 400, type: expect.stringContaining('application/problem+json') as unknown });
      expect(refusal.problem.detail).toMatch(detail);
    }
    expect(await corpus.statistics()).toMatchObject({ documents: 1, events: 1 });
    expect(await server.client.sendEvents('docs', [article(2, 'Sent without a fault.')])).toMatchObject([{ outcome: 'applied' }]);
  },
);

localTestOnEachStorage(
  'bad input, V2: an event without key is rejected by its field, and its neighbours are applied',
  async (scene, storage) => {
    const server = await scene.server({ storage });
    const corpus = await server.corpus('docs');
    const keyless = {
      id: 'keyless',
      op: 'upsert',
      document: { source: 'articles', sections: [{ name: 'body', text: 'Whose?' }] },
    };
    const events = [article(1, 'Before it.'), keyless as unknown as EventInput, article(2, 'After it.')];
    const results = await server.client.sendEvents('docs', events);
    expect(results).toMatchObject([
      { id: 'event-1', outcome: 'applied' },
      {
        id: 'keyless',
        outcome: 'rejected',
        error: { code: 'invalid_event', field: 'document.key', message: expect.stringContaining('document.key') as unknown },
      },
      { id: 'event-2', outcome: 'applied' },
    ]);
    expect((await corpus.documents()).map(({ key }) => key).sort()).toEqual(['id=1', 'id=2']);
    // Its id is not kept: mended, it is taken.
    const mended = { ...keyless, document: { ...keyless.document, key: 'id=3' } } as EventInput;
    expect(await server.client.sendEvents('docs', [mended])).toMatchObject([{ outcome: 'applied' }]);
  },
);

localTest(
  'bad input: an empty question, or one that is too long, is 400 that says what to do, by ask and by search',
  async (scene) => {
    const server = await scene.server();
    await server.corpus('docs');
    await server.client.sendEvents('docs', [article(1, 'Invoices are kept for 90 days.')]);
    const questions: [string, object, RegExp][] = [
      ['ask', { question: '' }, /question is empty: say what you want to know/],
      ['ask', { question: ' \n\t ' }, /question is empty: say what you want to know/],
      ['ask', {}, /question/],
      ['ask', { question: 'x'.repeat(10_001) }, /question.*10,?000/],
      ['ask', { question: 'How long\0?' }, /NUL character.*leave it out/],
      ['search', { query: '' }, /query is empty: say what you look for/],
      ['search', { query: 'x', limit: 201 }, /limit.*200/],
      ['search', { query: 'x', filter: { team: '\0' } }, /NUL character.*leave it out/],
    ];
    for (const [path, body, detail] of questions) {
      const refusal = await post(server, path, JSON.stringify(body));
      expect(refusal).toMatchObject({ status: 400, problem: { code: 'invalid_request' } });
      expect(refusal.problem.detail).toMatch(detail);
    }
  },
);

localTestOnEachStorage(
  'bad input: a question in another script finds what is written in it, and else is answered that nothing was found',
  async (scene, storage) => {
    const server = await scene.server({ storage });
    const corpus = await server.corpus('docs');
    await server.client.sendEvents('docs', [
      article(1, 'Invoices are kept for 90 days.', 'Invoices'),
      article(2, '請求書は九十日間保管されます。その後は削除されます。', '請求書の保管'),
      article(3, 'Счета хранятся девяносто дней, а потом удаляются.', 'Хранение счетов'),
      article(4, 'تُحفظ الفواتير تسعين يومًا ثم تُحذف.', 'حفظ الفواتير'),
    ]);
    await corpus.embedded();
    const asked: [string, string][] = [
      ['請求書は何日間保管されますか？', 'id=2'],
      ['Сколько дней хранятся счета?', 'id=3'],
      ['كم يومًا تُحفظ الفواتير؟', 'id=4'],
    ];
    for (const [question, key] of asked) {
      const answer = await corpus.ask(question);
      expect(citationFaults(answer)).toEqual([]);
      expect(answer.citations.map((citation) => citation.key)).toContain(key);
    }
    expect((await corpus.search('хранятся', 'lexical'))[0]).toMatchObject({ key: 'id=3' });
    for (const unknown of ['ราคาตั๋วเครื่องบินเท่าไหร่', '🦖🦖🦖', '\ud800']) {
      const answer = await corpus.ask(unknown);
      expect(answer).toMatchObject({ supported: false, citations: [] });
      expect(answer.answer).toMatch(/found nothing/);
    }
  },
);

const replaced = { body: 'a\uFFFDb\uFFFDc\uFFFDd 🦖', title: 'T\uFFFD', name: 'n\uFFFD', value: 'v\uFFFD' };

localTestOnEachStorage(
  'bad input: NUL characters and lone surrogates are stored as U+FFFD, in every text, and not refused',
  async (scene, storage) => {
    const server = await scene.server({ storage });
    const corpus = await server.corpus('docs');
    await sendUnstorable(server);
    const [document] = await corpus.documents('articles');
    expect(document).toMatchObject({
      title: replaced.title,
      uri: 'u:\uFFFD',
      metadata: { [replaced.name]: replaced.value, list: [replaced.value] },
      acl: ['g\uFFFD'],
    });
    expect(document?.sections).toEqual([{ name: 's\uFFFD', text: replaced.body }]);
    const refusals = await server.client.sendEvents('docs', [
      {
        id: 'identity',
        op: 'upsert',
        document: { source: 'articles', key: 'id=\u0000', sections: [{ name: 'body', text: 'x' }] },
      },
    ]);
    expect(refusals).toMatchObject([
      { outcome: 'rejected', error: { field: 'document.key', message: expect.stringMatching(/percent-encode/) as unknown } },
    ]);
    // Through a sink: the key of a row may hold any text, and is percent-encoded.
    await deliverUnstorableRow(scene, server);
    const [row] = await corpus.documents('shop.public.articles');
    expect(row).toMatchObject({ key: 'id=a%00b', title: replaced.title });
    expect(row?.sections).toEqual([{ name: 'body', text: replaced.body }]);
  },
);

const unstorableBody = 'a\u0000b\ud83ec\udd96d 🦖';

async function sendUnstorable(server: ServerProcess): Promise<void> {
  const results = await server.client.sendEvents('docs', [
    {
      id: 'unstorable',
      op: 'upsert',
      document: {
        source: 'articles',
        key: 'id=1',
        title: 'T\u0000',
        uri: 'u:\udfff',
        sections: [{ name: 's\u0000', text: unstorableBody }],
        metadata: { 'n\ud800': 'v\u0000', list: ['v\udc00'] },
        acl: ['g\u0000'],
      },
    },
  ]);
  expect(results).toMatchObject([{ outcome: 'applied' }]);
}

async function deliverUnstorableRow(scene: LocalScene, server: ServerProcess): Promise<void> {
  const after = { id: 'a\u0000b', title: 'T\ud800', body: unstorableBody };
  const payload = JSON.stringify({ before: null, after, source: { lsn: 7, ts_ms: 1, snapshot: 'false' }, op: 'c', ts_ms: 1 });
  const record = JSON.stringify({
    topic: 'shop.public.articles',
    partition: 0,
    offset: 1,
    ts: 1,
    key: JSON.stringify({ id: after.id }),
    payload,
  });
  const delivered = await scene.deliver({ config: scene.sinkConfig(server, 'docs'), records: [record] });
  expect(delivered).toMatchObject({ code: 0 });
}
