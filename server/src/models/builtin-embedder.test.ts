import { copyFile, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createBuiltinEmbedder } from './builtin-embedder.js';
import type { Embedder } from './embedder.js';
import { EmbedderError } from './embedder-error.js';
import { ModelFileError } from './model-file-error.js';

const weights = fileURLToPath(new URL('../../weights/all-minilm-l6-v2', import.meta.url));
const cosine = (a: Float32Array, b: Float32Array): number => a.reduce((sum, value, index) => sum + value * b[index]!, 0);
let embedder: Embedder;

beforeAll(async () => {
  embedder = await createBuiltinEmbedder();
});
afterAll(() => embedder.close());

describe('the built-in embedder', () => {
  it('gives vectors of length 1 in 384 dimensions, also for empty, foreign and overlong texts', async () => {
    expect(embedder.dimension).toBe(384);
    const vectors = await embedder.embed(['', 'short', '保証期間は何日ですか', '👩‍🚀', 'word '.repeat(100_000)]);
    expect(vectors).toHaveLength(5);
    for (const vector of vectors) {
      expect(vector).toHaveLength(384);
      expect(Math.sqrt(cosine(vector, vector))).toBeCloseTo(1, 5);
    }
  });

  it('puts what means the same nearer than what does not', async () => {
    const [question, answer, reworded, other] = await embedder.embed([
      'How long may a customer return a product?',
      'Goods can be sent back within ninety days of purchase.',
      'What is the period for returning an item?',
      'The espresso machine is cleaned with citric acid.',
    ]);
    expect(cosine(question!, reworded!)).toBeGreaterThan(cosine(question!, other!) + 0.4);
    expect(cosine(question!, answer!)).toBeGreaterThan(cosine(question!, other!) + 0.2);
  });

  it('gives a text the same vector whatever stands beside it', async () => {
    const texts = ['one', 'a much longer text about boundary layers '.repeat(20), 'the third text', 'two words'];
    const together = await embedder.embed(texts);
    for (const [index, text] of texts.entries()) {
      const [alone] = await embedder.embed([text]);
      const differences = alone!.map((value, at) => Math.abs(value - together[index]![at]!));
      expect(Math.max(...differences)).toBeLessThan(1e-6);
    }
  });

  it('reads 256 tokens and no further', async () => {
    const [upTo, beyond, within] = await embedder.embed([
      'pressure '.repeat(300),
      `${'pressure '.repeat(300)}lemon cake`,
      `lemon cake ${'pressure '.repeat(300)}`,
    ]);
    expect(cosine(upTo!, beyond!)).toBeCloseTo(1, 5);
    expect(cosine(upTo!, within!)).toBeLessThan(0.999);
  });

  it('answers a question before the batch that was asked for earlier', async () => {
    const order: string[] = [];
    const batch = embedder
      .embed(Array.from({ length: 40 }, (_, index) => `passage ${index} `.repeat(40)))
      .then(() => order.push('batch'));
    await embedder.embed(['a question']).then(() => order.push('question'));
    await batch;
    expect(order).toEqual(['question', 'batch']);
  });

  it('ends a call whose signal is aborted, and goes on with others', async () => {
    const abort = new AbortController();
    const call = embedder.embed(
      Array.from({ length: 50 }, (_, index) => `text ${index} `.repeat(60)),
      abort.signal,
    );
    setTimeout(() => abort.abort(), 20);
    await expect(call).rejects.toThrow(/abort/i);
    await expect(embedder.embed(['still here'])).resolves.toHaveLength(1);
    await expect(embedder.embed(['never'], AbortSignal.abort())).rejects.toThrow(/abort/i);
  });

  it('rejects what a crashed worker was asked, and starts another for the next call', async () => {
    const crashing = `const { parentPort } = require('node:worker_threads');
      parentPort.postMessage({ type: 'ready', dimension: 384 });
      parentPort.on('message', () => { throw new Error('out of memory'); });`;
    const started: Worker[] = [];
    const own = await createBuiltinEmbedder({
      startWorker: (model) => {
        const worker =
          started.length === 0
            ? new Worker(crashing, { eval: true })
            : new Worker(new URL('./onnx-worker.js', import.meta.url), { workerData: model });
        started.push(worker);
        return worker;
      },
    });
    await expect(Promise.all([own.embed(['one']), own.embed(['two'])])).rejects.toThrow(EmbedderError);
    await expect(own.embed(['again'])).resolves.toHaveLength(1);
    expect(started).toHaveLength(2);
    await own.close();
  });

  it('ends its worker when closed in the middle of a batch, and rejects the rest', async () => {
    const own = await createBuiltinEmbedder();
    const rejected = expect(own.embed(Array.from({ length: 500 }, (_, index) => `${index} `.repeat(200)))).rejects.toBeInstanceOf(
      EmbedderError,
    );
    await new Promise((resolve) => setTimeout(resolve, 30));
    await own.close();
    await rejected;
    await expect(own.embed(['late'])).rejects.toThrow('closed');
  });
});

describe('the weights', () => {
  it.each(['model_quantized.onnx', 'tokenizer.json'])('names %s where it is damaged or missing', async (name) => {
    const folder = await mkdtemp(join(tmpdir(), 'ossian-weights-'));
    try {
      const other = name === 'tokenizer.json' ? 'model_quantized.onnx' : 'tokenizer.json';
      await symlink(join(weights, other), join(folder, other));
      await expect(createBuiltinEmbedder({ folder })).rejects.toThrow(join(folder, name));
      await copyFile(join(weights, name), join(folder, name));
      const content = await readFile(join(folder, name));
      content[content.length - 10]! ^= 1;
      await writeFile(join(folder, name), content);
      const failure = await createBuiltinEmbedder({ folder }).catch((error: unknown) => error);
      expect(failure).toBeInstanceOf(ModelFileError);
      expect((failure as ModelFileError).message).toContain(`${join(folder, name)} is damaged`);
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});
