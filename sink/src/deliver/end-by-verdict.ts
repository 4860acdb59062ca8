import { backoffMilliseconds } from '@ossian/shared';
import type { DeliverySettings } from '../config/settings.js';
import { FatalError } from '../errors/fatal-error.js';
import { foreignLimit, type Verdict } from './verdict.js';

export type VerdictSettings = Pick<DeliverySettings, 'retryBackoff' | 'retryBackoffMax' | 'corpus' | 'url'>;

/** Since when only foreign answers have come (milliseconds since 1970), shared by all requests of a task. */
export interface ForeignAnswers {
  since: number | undefined;
}

/** Milliseconds: `Retry-After: 0` is no leave to ask without a pause. */
const leastWait = 50;

/** The end of the task by a verdict, with the corpus and the address that it concerns. */
export function failedBy(verdict: Verdict & { kind: 'fail' }, settings: VerdictSettings): FatalError {
  return new FatalError(verdict.code, `${verdict.message} (${target(settings)})`);
}

export function unauthorized(message: string, settings: VerdictSettings): FatalError {
  return new FatalError(
    'unauthorized',
    `${message}; set ossian.api.key to a key with the scope ingest (ossian-server keys create), then restart (${target(settings)})`,
  );
}

/**
 * How long to wait before the next request; milliseconds.
 *
 * @throws FatalError (`foreign_answers`) where nothing but foreign answers has come for too long: an outage in between, of
 *   which nothing is known but that it was one, begins the time anew.
 */
export function waitTime(
  verdict: Verdict & { kind: 'wait' },
  attempt: number,
  settings: VerdictSettings,
  { foreign, now, random }: { foreign: ForeignAnswers; now: number; random?: (() => number) | undefined },
): number {
  if (!verdict.foreign) foreign.since = undefined;
  else if (now - (foreign.since ??= now) >= foreignLimit) {
    const reason = `for ${foreignLimit / 60_000} minutes: ${verdict.reason}; check ossian.url (${target(settings)})`;
    throw new FatalError('foreign_answers', reason);
  }
  const { retryBackoff, retryBackoffMax } = settings;
  const asked = verdict.retryAfter === undefined ? undefined : Math.max(verdict.retryAfter, leastWait);
  return Math.min(asked ?? backoffMilliseconds(attempt, retryBackoff, retryBackoffMax, random), retryBackoffMax);
}

function target({ corpus, url }: VerdictSettings): string {
  return `corpus ${corpus} at ${url}`;
}
