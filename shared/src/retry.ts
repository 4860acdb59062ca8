/**
 * Reads a `Retry-After` header (RFC 9110, 10.2.3): seconds, or an HTTP date.
 *
 * @returns milliseconds to wait from `now`, never negative; undefined where the header is absent or unreadable.
 */
export function retryAfterMilliseconds(header: string | null | undefined, now: number): number | undefined {
  const text = header?.trim();
  if (!text) return undefined;
  if (/^\d+(\.\d+)?$/.test(text)) return Number(text) * 1000;
  // Date.parse alone takes almost anything ("-5" is a year), so the form of an HTTP date is asked for first.
  if (!/^(Mon|Tue|Wed|Thu|Fri|Sat|Sun)/.test(text)) return undefined;
  const at = Date.parse(text);
  return Number.isNaN(at) ? undefined : Math.max(0, at - now);
}

/**
 * Exponential backoff with full jitter: a random time between 0 and `base · 2^attempt`, at most `cap`.
 *
 * @param attempt counts from 0. All times in milliseconds.
 */
export function backoffMilliseconds(attempt: number, base: number, cap: number, random: () => number = Math.random): number {
  return Math.floor(random() * Math.min(cap, base * 2 ** Math.min(attempt, 30)));
}

/** Waits, and ends early (resolved, not rejected) when the signal is aborted. */
export function sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted) return resolve();
    const done = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, milliseconds);
    signal?.addEventListener('abort', done, { once: true });
  });
}
