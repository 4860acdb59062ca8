/** A BERT-like ONNX model with mean pooling. */
export interface OnnxModel {
  readonly modelFile: ModelFile;
  readonly tokenizerFile: ModelFile;
  /** Longer texts are cut off there, special tokens included. */
  readonly maxTokens: number;
  /** Threads that one inference may use. */
  readonly threads: number;
}

export interface ModelFile {
  readonly path: string;
  /** Checked as the file is loaded, in hexadecimal; undefined: not checked. */
  readonly sha256: string | undefined;
}

export type ToWorker =
  | { readonly type: 'embed'; readonly job: number; readonly texts: readonly string[] }
  | { readonly type: 'cancel'; readonly job: number }
  /** Ends the worker after the text it is at. To terminate it from outside while the native code runs would abort the process. */
  | { readonly type: 'close' };

export type FromWorker =
  | { readonly type: 'ready'; readonly dimension: number }
  /** The model cannot be loaded; the worker ends. */
  | { readonly type: 'failed'; readonly message: string; readonly file: string | undefined }
  | { readonly type: 'vectors'; readonly job: number; readonly vectors: readonly Float32Array[] }
  | { readonly type: 'error'; readonly job: number; readonly message: string };
