import { backoffMilliseconds, type EventInput, type EventResult, type Logger, sleep } from '@ossian/shared';
import type { ConnectorSettings } from '../config/settings.js';
import type { OutgoingEvent } from '../deliver/backend.js';
import { DeliveryStopped } from '../deliver/delivery-stopped.js';
import { FatalError } from '../errors/fatal-error.js';
import { OutageError } from '../errors/outage-error.js';
import { RecordError } from '../errors/record-error.js';
import { deadLetter, type DeadLetterQueue, type Reporter } from '../errors/reporters/dead-letter.js';
import { logBadRecord } from '../errors/reporters/log-reporter.js';
import type { ConsumedRecord } from '../record/consumed-record.js';
import type { OutgoingRecord } from './partition-work.js';
import type { RecordEnd } from './task-counts.js';

export interface SettlePorts {
  readonly settings: ConnectorSettings;
  readonly reporter: Reporter;
  readonly logger: Logger;
  readonly deadLetters: DeadLetterQueue | undefined;
  readonly end: (item: OutgoingRecord, end: RecordEnd) => void;
  /** Sends the skips of records that the backend rejected, and comes back when each was answered. */
  readonly deliverSkips: (items: readonly OutgoingRecord[], stop: AbortSignal) => Promise<void>;
  /** Shows in the status that the dead letter queue is away; undefined where it is back. */
  readonly waiting: (reason: string | undefined, record: ConsumedRecord, attempt: number) => void;
}

interface BadRecord {
  readonly item: OutgoingRecord;
  readonly error: RecordError;
  /** Still to be sent: the backend rejected the record, so that its skip could not be in its place. */
  readonly skip: EventInput | undefined;
}

/**
 * Ends the records of a stretch that was answered. What the backend took is delivered; what is bad is tolerance's: under
 * `none` the task fails, with nothing committed past the record; under `all` the record has ended when the dead letter
 * queue (or the log) and the backend have both answered.
 *
 * @throws FatalError under tolerance `none`; DeliveryStopped where `stop` came first.
 */
export async function settleRecords(
  ports: SettlePorts,
  items: readonly OutgoingRecord[],
  results: readonly (EventResult | undefined)[],
  stop: AbortSignal,
): Promise<void> {
  const bad: BadRecord[] = [];
  items.forEach((item, index) => {
    const found = judgeResult(item, results[index], ports.logger);
    if ('error' in found) bad.push(found);
    else ports.end(item, found);
  });
  const first = bad[0];
  if (first === undefined) return;
  const { tolerance } = ports.settings.tolerance;
  if (tolerance === 'none') throw failure(ports, first);
  await reportBad(ports, bad, stop);
  const skips = bad.flatMap(({ item, skip }) => (skip === undefined ? [] : [{ ...item, input: skip, event: outgoing(skip) }]));
  if (skips.length > 0) await ports.deliverSkips(skips, stop);
  const kind = ports.deadLetters === undefined ? 'skipped' : 'dead-lettered';
  for (const { item, error } of bad) ports.end(item, { kind, code: error.code });
}

/** An event's JSON, and its size on the wire. */
export function outgoing(event: EventInput): OutgoingEvent {
  const text = JSON.stringify(event);
  return { id: event.id, text, bytes: Buffer.byteLength(text) };
}

function judgeResult(item: OutgoingRecord, result: EventResult | undefined, logger: Logger): RecordEnd | BadRecord {
  if (item.error !== undefined) {
    const { topic, partition, offset } = item.record;
    if (result?.outcome === 'rejected')
      logger.warn({ topic, partition, offset: String(offset), code: result.error?.code }, 'the backend rejected a skip');
    return { item, error: item.error, skip: undefined };
  }
  if (result === undefined) throw new FatalError('no_result', 'a record that was sent has no result');
  if (result.outcome !== 'rejected') return { kind: 'delivered', outcome: result.outcome };
  const code = result.error?.code ?? 'rejected';
  const field = result.error?.field === undefined ? '' : ` (${result.error.field})`;
  const error = new RecordError(code, 'TASK_PUT', `the backend rejected the event: ${result.error?.message ?? code}${field}`);
  return { item, error, skip: item.input && skipOf(item.input, code) };
}

/** The skip in the place of an event that was rejected; a clear is of no one document. */
function skipOf(event: EventInput, reason: string): EventInput | undefined {
  if (event.op === 'clear' || event.op === 'skip') return undefined;
  const { source, key } = event.document;
  return { id: event.id, op: 'skip', document: { source, key }, reason, position: event.position };
}

function failure(ports: SettlePorts, { item, error }: BadRecord): FatalError {
  const { topic, partition, offset } = item.record;
  logBadRecord(ports.logger, item.record, error, logOptions(ports, 'failed'));
  return new FatalError(
    error.code,
    `bad record ${topic}-${partition} offset ${offset} (${error.stage}): ${error.message.replace(/\.$/, '')}. errors.tolerance is none: correct ` +
      `what it names and restart, or set errors.tolerance=all with errors.deadletterqueue.topic.name`,
    { cause: error },
  );
}

function logOptions(ports: SettlePorts, end: 'dead-lettered' | 'skipped' | 'failed') {
  return { reporter: ports.reporter, includeMessages: ports.settings.tolerance.logIncludeMessages, end };
}

async function reportBad(ports: SettlePorts, bad: readonly BadRecord[], stop: AbortSignal): Promise<void> {
  const { deadLetters, settings, logger } = ports;
  if (settings.tolerance.logEnable || deadLetters === undefined) {
    const options = logOptions(ports, deadLetters === undefined ? 'skipped' : 'dead-lettered');
    for (const { item, error } of bad) logBadRecord(logger, item.record, error, options);
  }
  if (deadLetters === undefined) return;
  const reporter = settings.tolerance.deadLetterContextHeaders ? ports.reporter : undefined;
  const letters = bad.map(({ item, error }) => deadLetter(item.record, error, reporter));
  const first = bad[0]?.item.record;
  if (first === undefined) return;
  for (let attempt = 0; ; attempt += 1) {
    if (stop.aborted) throw new DeliveryStopped();
    try {
      await deadLetters.write(letters);
      ports.waiting(undefined, first, attempt);
      return;
    } catch (error) {
      if (!OutageError.is(error)) throw error;
      ports.waiting(error.message, first, attempt);
      const { retryBackoff, retryBackoffMax } = settings.delivery;
      await sleep(backoffMilliseconds(attempt, retryBackoff, retryBackoffMax), stop);
    }
  }
}
