import { sleep } from '@ossian/shared';
import type { Backend } from './backend.js';
import { failedBy, type ForeignAnswers, unauthorized, type VerdictSettings, waitTime } from './end-by-verdict.js';
import { judgeFault } from './verdict.js';

export interface AskPorts {
  readonly backend: Pick<Backend, 'sendEvents' | 'readKeyAgain'>;
  readonly settings: VerdictSettings;
  /** Ends the question, answered or not. */
  readonly stop: AbortSignal;
  /** Told at each wait, which is over when the question is. */
  readonly waiting: (reason: string, attempt: number) => void;
  readonly foreign: ForeignAnswers;
  readonly now: () => number;
  readonly sleep?: typeof sleep;
}

/**
 * Asks the backend with an empty batch whether address, corpus and key are right, so that a wrong one is told before the first
 * event comes. While the backend is away it asks again.
 *
 * @throws FatalError where events would end the task too (by the same verdicts).
 */
export async function askBackend(ports: AskPorts): Promise<void> {
  const { backend, settings, stop } = ports;
  let readKeyAgain = false;
  for (let attempt = 0; !stop.aborted; attempt += 1) {
    const fault = await refusal(ports);
    if (fault === undefined || stop.aborted) return;
    const verdict = judgeFault(fault.error, ports.now());
    // Ours, and past key and corpus: what it has to say about a batch without events concerns no event.
    if (verdict.kind === 'split') return;
    if (verdict.kind === 'fail') throw failedBy(verdict, settings);
    if (verdict.kind === 'unauthorized') {
      if (readKeyAgain || !backend.readKeyAgain()) throw unauthorized(verdict.message, settings);
      readKeyAgain = true;
      continue;
    }
    const { foreign, now } = ports;
    const milliseconds = waitTime(verdict, attempt, settings, { foreign, now: now() });
    ports.waiting(verdict.reason, attempt);
    await (ports.sleep ?? sleep)(milliseconds, stop);
  }
}

async function refusal({ backend, stop, foreign }: AskPorts): Promise<{ error: unknown } | undefined> {
  try {
    await backend.sendEvents([], stop);
    foreign.since = undefined;
    return undefined;
  } catch (error) {
    return { error };
  }
}
