import { types } from 'node:util';
import { BackendProblem, ForeignAnswer, retryAfterMilliseconds } from '@ossian/shared';
import { FatalError } from '../errors/fatal-error.js';
import { RequestTimeout } from './request-timeout.js';

// `instanceof` fails on errors of another realm, and fetch's may be of one.
const { isNativeError } = types;

/** What a fault of a request means for the records in it. */
export type Verdict =
  /** Wait and send again, without end. `halve`: in two halves; `foreign`: not for ever, see `foreignLimit`. */
  | {
      readonly kind: 'wait';
      readonly reason: string;
      readonly retryAfter: number | undefined;
      readonly halve: boolean;
      readonly foreign: boolean;
    }
  /** The backend refuses this batch itself: part it; a single record is rejected. */
  | { readonly kind: 'split'; readonly code: string; readonly message: string }
  /** The key is refused: read the secrets again, once. */
  | { readonly kind: 'unauthorized'; readonly message: string }
  | { readonly kind: 'fail'; readonly code: string; readonly message: string };

/** How long answers that are not the backend's are taken as an outage; milliseconds. */
export const foreignLimit = 5 * 60_000;

/**
 * The table of verdicts: an outage is never a reason to dead-letter, only an answer of ours about a record is.
 *
 * @param now milliseconds since 1970, for a `Retry-After` that is a date.
 */
export function judgeFault(error: unknown, now: number): Verdict {
  if (RequestTimeout.is(error)) return wait(error.message, undefined, { halve: true });
  if (BackendProblem.is(error)) return judgeProblem(error, now);
  if (ForeignAnswer.is(error)) return judgeForeign(error, now);
  if (FatalError.is(error)) return { kind: 'fail', code: error.code, message: error.message };
  const network = networkReason(error);
  if (network !== undefined) return wait(`the backend cannot be reached: ${network}`, undefined);
  // What fetch refuses to send at all. Its own words may hold the key.
  const message = 'the request could not be made: ossian.url or ossian.api.key holds what no request may hold';
  return { kind: 'fail', code: 'request_impossible', message };
}

function judgeProblem(error: BackendProblem, now: number): Verdict {
  const { status, code } = error.problem;
  if (status === 401) return { kind: 'unauthorized', message: error.message };
  if (status === 403) return fail(code, error.message, forbiddenRemedy);
  if (isOutage(status))
    return wait(error.message, retryAfterMilliseconds(error.retryAfter, now), { halve: mayBeTooMuch(status) });
  if (status === 400 || status === 413) return { kind: 'split', code, message: error.message };
  if (status >= 400) return fail(code, error.message, 'correct ossian.url or ossian.corpus (or create the corpus), then restart');
  return wait(`unexpected answer: ${error.message}`, undefined, { foreign: true });
}

function judgeForeign(error: ForeignAnswer, now: number): Verdict {
  const { status, message } = error;
  if (status === 401) return { kind: 'unauthorized', message };
  if (status === 403) return fail('forbidden', message, forbiddenRemedy);
  const retryAfter = retryAfterMilliseconds(error.retryAfter, now);
  if (isOutage(status)) return wait(message, retryAfter, { halve: mayBeTooMuch(status) });
  return wait(message, retryAfter, { foreign: true });
}

const forbiddenRemedy = 'use a key with the scope ingest for this corpus, then restart';

function isOutage(status: number): boolean {
  return status === 408 || status === 425 || status === 429 || status >= 500;
}

/** The answers behind which a batch may stand that is too much at once: its failure (500), and a timeout on the way. */
function mayBeTooMuch(status: number): boolean {
  return status === 500 || status === 504 || status === 408;
}

function wait(reason: string, retryAfter: number | undefined, flags: { halve?: boolean; foreign?: boolean } = {}): Verdict {
  return { kind: 'wait', reason, retryAfter, halve: flags.halve ?? false, foreign: flags.foreign ?? false };
}

function fail(code: string, message: string, remedy: string): Verdict {
  return { kind: 'fail', code, message: `${message}; ${remedy}` };
}

/** What went wrong on the wire; undefined where the error is of another kind. */
function networkReason(error: unknown): string | undefined {
  if (!isNativeError(error)) return undefined;
  if (isNativeError(error.cause)) return networkReason(error.cause) ?? oneLine(error.cause);
  if ('code' in error && typeof error.code === 'string' && error.code !== 'ERR_INVALID_URL') return oneLine(error);
  return error.message === 'fetch failed' || error.message === 'terminated' ? error.message : undefined;
}

function oneLine(error: Error): string {
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  const text = error.message.replace(/\s+/g, ' ').trim();
  return text.includes(code) ? text || code : `${code} ${text}`.trim();
}
