import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What the double does wrong, request by request; `answers` is what the real API does. */
export type Behaviour =
  | { readonly kind: 'answers' }
  /** Status 529 (or another) before anything is sent. */
  | {
      readonly kind: 'fails';
      readonly status: number;
      readonly type: string;
      readonly retryAfter?: string;
      readonly body?: string;
    }
  /** An `error` event after the first words. */
  | { readonly kind: 'overloaded_in_mid_stream' }
  /** The stream ends too early: the socket is destroyed, it ends as if all were well, or only its last event is missing. */
  | { readonly kind: 'cut_off'; readonly how: 'reset' | 'clean_end' | 'before_stop' }
  /** Cites a document, or a passage, that was not given. */
  | { readonly kind: 'cites_missing'; readonly what: 'document' | 'passage' }
  /** Quotes words that do not stand in the passage it names. */
  | { readonly kind: 'misquotes' }
  /** Writes citation numbers of its own. */
  | { readonly kind: 'writes_markers' }
  | { readonly kind: 'stops'; readonly reason: 'max_tokens' | 'refusal' | 'end_turn'; readonly citing: boolean }
  /** Sends its first words and then nothing more. */
  | { readonly kind: 'goes_silent' };

interface Passage {
  readonly document: number;
  readonly passage: number;
  readonly text: string;
  readonly title: string | null;
}
export interface RecordedRequest {
  readonly headers: IncomingMessage['headers'];
  readonly body: Record<string, unknown>;
}
export interface MisbehavingMessagesApi {
  readonly url: string;
  readonly requests: RecordedRequest[];
  /** The next requests behave so, one after the other; after them, it answers. */
  behave(...behaviours: Behaviour[]): void;
  close(): Promise<void>;
}

/**
 * A local server that speaks the Messages API's wire format, refuses what that refuses (sampling parameters, document blocks in an
 * assistant's turn, a wrong path, a missing key), and misbehaves as told. Its good answer cites the first passage of each document.
 */
export async function startMisbehavingMessagesApi(): Promise<MisbehavingMessagesApi> {
  const requests: RecordedRequest[] = [];
  const behaviours: Behaviour[] = [];
  const server = createServer((request, response) => {
    void readBody(request).then((text) => {
      const body = JSON.parse(text) as Record<string, unknown>;
      requests.push({ headers: request.headers, body });
      const fault = request.method === 'POST' && request.url?.startsWith('/v1/messages') ? refuse(request, body) : 'not found';
      if (fault !== undefined) return sendError(response, fault === 'no key' ? 401 : 400, 'invalid_request_error', fault);
      respond(response, behaviours.shift() ?? { kind: 'answers' }, body);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    behave: (...next) => void behaviours.push(...next),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}

function refuse(request: IncomingMessage, body: Record<string, unknown>): string | undefined {
  if (request.headers.authorization === undefined && request.headers['x-api-key'] === undefined) return 'no key';
  if (request.headers['anthropic-version'] === undefined) return 'anthropic-version: header is required';
  for (const name of ['temperature', 'top_p', 'top_k']) if (name in body) return `${name}: sampling parameters are not supported`;
  if (typeof body['model'] !== 'string' || typeof body['max_tokens'] !== 'number') return 'model and max_tokens are required';
  const messages = body['messages'] as { role: string; content: unknown }[];
  if (messages.at(-1)?.role !== 'user') return 'messages: the last turn must be the user’s';
  for (const { role, content } of messages) {
    const blocks = Array.isArray(content) ? (content as { type: string }[]) : [];
    if (role !== 'user' && blocks.some(({ type }) => type === 'document'))
      return 'document blocks are not allowed in assistant turns';
  }
  for (const { text } of readPassages(body)) if (text === '') return 'text content blocks must be non-empty';
  return undefined;
}

function readPassages(body: Record<string, unknown>): Passage[] {
  const messages = body['messages'] as { role: string; content: Record<string, unknown>[] }[];
  const documents = messages.flatMap(({ content }) => content).filter(({ type }) => type === 'document');
  return documents.flatMap(({ source, title }, document) =>
    (source as { content: { text: string }[] }).content.map(({ text }, passage) => ({
      document,
      passage,
      text,
      title: (title as string | undefined) ?? null,
    })),
  );
}

function sendError(
  response: ServerResponse,
  status: number,
  type: string,
  message: string,
  retryAfter?: string,
  raw?: string,
): void {
  response.writeHead(status, {
    'content-type': raw === undefined ? 'application/json' : 'text/html',
    'request-id': 'req_test',
    ...(retryAfter === undefined ? {} : { 'retry-after': retryAfter }),
  });
  response.end(raw ?? JSON.stringify({ type: 'error', error: { type, message }, request_id: 'req_test' }));
}

function send(response: ServerResponse, data: { type: string } & Record<string, unknown>): void {
  response.write(`event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`);
}

function respond(response: ServerResponse, behaviour: Behaviour, body: Record<string, unknown>): void {
  if (behaviour.kind === 'fails') {
    return sendError(response, behaviour.status, behaviour.type, `it is ${behaviour.type}`, behaviour.retryAfter, behaviour.body);
  }
  begin(response, body);
  const passages = readPassages(body);
  const firsts = passages.filter(({ passage }) => passage === 0);
  switch (behaviour.kind) {
    case 'answers':
      firsts.forEach((passage, index) => sendBlock(response, index + 1, quoteFirstWords(passage), [locate(passage)]));
      return finish(response, 'end_turn');
    case 'overloaded_in_mid_stream':
      sendOpenBlock(response, 'It begins');
      send(response, { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } });
      response.end();
      return;
    case 'cut_off':
      sendOpenBlock(response, 'It begins');
      if (behaviour.how === 'before_stop') sendStopReason(response, 'end_turn');
      if (behaviour.how !== 'reset') response.end();
      else setTimeout(() => response.destroy(), 20);
      return;
    case 'cites_missing': {
      const wrong = behaviour.what === 'document' ? { document_index: 40 } : { start_block_index: 40, end_block_index: 41 };
      firsts.slice(0, 1).forEach((passage) => {
        sendBlock(response, 1, 'This stands. ', [locate(passage)]);
        sendBlock(response, 2, 'This does not.', [{ ...locate(passage), ...wrong }]);
      });
      return finish(response, 'end_turn');
    }
    case 'misquotes':
      firsts.slice(0, 1).forEach((passage) => {
        sendBlock(response, 1, 'It says so.', [{ ...locate(passage), cited_text: 'Words that nobody wrote.' }]);
      });
      return finish(response, 'end_turn');
    case 'writes_markers':
      firsts.slice(0, 1).forEach((passage) => sendBlock(response, 1, 'As [7] says and [9].', [locate(passage)]));
      return finish(response, 'end_turn');
    case 'stops':
      firsts.slice(0, 1).forEach((passage) => sendBlock(response, 1, 'So far.', behaviour.citing ? [locate(passage)] : []));
      return finish(response, behaviour.reason);
    case 'goes_silent':
      sendOpenBlock(response, 'It begins');
  }
}

function begin(response: ServerResponse, body: Record<string, unknown>): void {
  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8', 'request-id': 'req_test' });
  send(response, {
    type: 'message_start',
    message: {
      id: 'msg_test',
      type: 'message',
      role: 'assistant',
      model: body['model'],
      content: [],
      stop_reason: null,
      stop_sequence: null,
      usage: { input_tokens: 100, cache_creation_input_tokens: 20, cache_read_input_tokens: 3, output_tokens: 1 },
    },
  });
  // The newer models think first.
  send(response, { type: 'content_block_start', index: 0, content_block: { type: 'thinking', thinking: '', signature: '' } });
  send(response, { type: 'ping' });
  send(response, { type: 'content_block_delta', index: 0, delta: { type: 'thinking_delta', thinking: 'secret thoughts' } });
  send(response, { type: 'content_block_delta', index: 0, delta: { type: 'signature_delta', signature: 'c2ln' } });
  send(response, { type: 'content_block_stop', index: 0 });
}

function sendOpenBlock(response: ServerResponse, text: string): void {
  send(response, { type: 'content_block_start', index: 1, content_block: { type: 'text', text: '', citations: [] } });
  send(response, { type: 'content_block_delta', index: 1, delta: { type: 'text_delta', text } });
}

/** A text block as the API streams it: the text in several deltas, its citations among them. */
function sendBlock(response: ServerResponse, index: number, text: string, citations: readonly Record<string, unknown>[]): void {
  send(response, { type: 'content_block_start', index, content_block: { type: 'text', text: '', citations: [] } });
  const middle = Math.ceil(text.length / 2);
  send(response, { type: 'content_block_delta', index, delta: { type: 'text_delta', text: text.slice(0, middle) } });
  for (const citation of citations) {
    send(response, { type: 'content_block_delta', index, delta: { type: 'citations_delta', citation } });
  }
  send(response, { type: 'content_block_delta', index, delta: { type: 'text_delta', text: text.slice(middle) } });
  send(response, { type: 'content_block_stop', index });
}

function sendStopReason(response: ServerResponse, reason: string): void {
  send(response, { type: 'message_delta', delta: { stop_reason: reason, stop_sequence: null }, usage: { output_tokens: 30 } });
}

function finish(response: ServerResponse, reason: string): void {
  sendStopReason(response, reason);
  send(response, { type: 'message_stop' });
  response.end();
}

function quoteFirstWords({ text }: Passage): string {
  return `${text.split(/\s+/u).slice(0, 6).join(' ')}. `;
}

function locate({ document, passage, text, title }: Passage): Record<string, unknown> {
  return {
    type: 'content_block_location',
    cited_text: text,
    document_index: document,
    document_title: title,
    start_block_index: passage,
    end_block_index: passage + 1,
    file_id: null,
  };
}
