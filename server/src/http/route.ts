import type { KeyScope } from '@ossian/shared';
import type { Request, Response } from 'express';
import type { Caller } from '../auth/caller.js';
import type { CorpusReference } from '../corpus/scope.js';

export interface RequestContext {
  readonly request: Request;
  readonly response: Response;
  readonly caller: Caller;
  /** Aborted where the caller has gone before the answer was whole. */
  readonly signal: AbortSignal;
}
export interface CorpusContext extends RequestContext {
  readonly corpus: CorpusReference;
}

interface RouteForm {
  readonly method: 'get' | 'post' | 'put' | 'delete';
  readonly path: string;
  /** The caller needs one of these; undefined: no key at all. */
  readonly scopes: readonly KeyScope[] | undefined;
  /** Bytes of body that are read; undefined: no body. */
  readonly bodyLimit?: number;
}
/**
 * One way into the server. Key, scope and corpus are settled before a byte of the body is read, so that nobody without a key can
 * make the server hold one.
 */
export type Route = RouteForm &
  (
    | { readonly corpus?: false; readonly handle: (context: RequestContext) => Promise<void> | void }
    | { readonly corpus: true; readonly handle: (context: CorpusContext) => Promise<void> | void }
  );

export const kibibyte = 1024;
export const mebibyte = 1024 * kibibyte;
