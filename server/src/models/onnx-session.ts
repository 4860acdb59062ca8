import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import * as tokenizers from '@huggingface/tokenizers';
import { InferenceSession, Tensor } from 'onnxruntime-node';
import { EmbedderError } from './embedder-error.js';
import { ModelFileError } from './model-file-error.js';
import type { ModelFile, OnnxModel } from './onnx-messages.js';

/** UTF-16 code units: far more than any model's tokens, so that a huge text is not tokenized whole to be cut off. */
const LONGEST_TEXT = 8192;

/** What is used of the tokenizer: the package's own types do not resolve under Node's module resolution. */
interface Tokenizer {
  encode(text: string): { readonly ids: readonly number[] };
}
const { Tokenizer: TokenizerClass } = tokenizers as unknown as {
  Tokenizer: new (tokenizer: object, config: object) => Tokenizer;
};

/** A loaded model. */
export interface OnnxSession {
  /** The L2-normalised vector of one text. */
  embed(text: string): Promise<Float32Array>;
}

/**
 * Loads a model. Texts are run one by one and not as a batch: the quantized weights scale their inputs by the whole batch, so that a
 * text's vector would depend on its neighbours (cosine down to 0.993, measured), and padding made batches slower besides.
 *
 * @throws ModelFileError where a file is missing or damaged.
 */
export async function loadOnnxSession(model: OnnxModel): Promise<OnnxSession> {
  const [weights, tokenizerText] = await Promise.all([readModelFile(model.modelFile), readModelFile(model.tokenizerFile)]);
  const tokenizer = new TokenizerClass(JSON.parse(tokenizerText.toString('utf8')) as object, {});
  const session = await InferenceSession.create(weights, {
    intraOpNumThreads: model.threads,
    interOpNumThreads: 1,
    // Threads that wait by spinning would take the processor from the database and from requests.
    extra: { session: { intra_op: { allow_spinning: '0' } } },
  });
  const embed = async (text: string): Promise<Float32Array> => {
    const ids = truncate(tokenizer.encode(text.slice(0, LONGEST_TEXT)).ids, model.maxTokens);
    const outputs = await session.run(inputsOf(session, ids));
    const hidden = outputs[session.outputNames[0] ?? ''];
    if (!hidden || !(hidden.data instanceof Float32Array)) throw new EmbedderError('the model has no output of float32 numbers');
    return normalise(meanOverTokens(hidden.data, ids.length));
  };
  return { embed };
}

async function readModelFile(file: ModelFile): Promise<Buffer> {
  const content = await readFile(file.path).catch((error: unknown) => {
    throw new ModelFileError(file.path, `the model file ${file.path} cannot be read: ${String(error)}`);
  });
  const sum = createHash('sha256').update(content).digest('hex');
  if (file.sha256 === undefined || sum === file.sha256) return content;
  throw new ModelFileError(
    file.path,
    `the model file ${file.path} is damaged: its sha256 is ${sum} and should be ${file.sha256}; install it again`,
  );
}

/** Keeps the closing special token. */
function truncate(ids: readonly number[], most: number): readonly number[] {
  return ids.length <= most ? ids : [...ids.slice(0, most - 1), ids.at(-1)!];
}

function inputsOf(session: InferenceSession, ids: readonly number[]): Record<string, Tensor> {
  const shape = [1, ids.length];
  const all: Record<string, BigInt64Array> = {
    input_ids: BigInt64Array.from(ids, BigInt),
    attention_mask: new BigInt64Array(ids.length).fill(1n),
    token_type_ids: new BigInt64Array(ids.length),
  };
  return Object.fromEntries(
    session.inputNames.map((name) => [name, new Tensor('int64', all[name] ?? new BigInt64Array(ids.length), shape)]),
  );
}

/** Every token counts: a text that is run alone has no padding for an attention mask to leave out. */
function meanOverTokens(hidden: Float32Array, tokens: number): Float32Array {
  const dimension = hidden.length / tokens;
  const mean = new Float32Array(dimension);
  for (let token = 0; token < tokens; token += 1) {
    for (let index = 0; index < dimension; index += 1) mean[index]! += hidden[token * dimension + index]! / tokens;
  }
  return mean;
}

function normalise(vector: Float32Array): Float32Array {
  const norm = Math.hypot(...vector);
  return norm === 0 ? vector : vector.map((value) => value / norm);
}
