import { type Logger, sleep } from '@ossian/shared';
import type { Database, Transaction } from '../storage/database.js';
import { sweepDocuments } from '../storage/document-sweeper.js';
import { pruneEvents } from '../storage/event-store.js';
import { pruneLinks } from '../storage/link-store.js';

const hour = 3_600_000;
/** Rows of one transaction: short enough that no event waits for it. */
const sliceSize = 500;

export interface HousekeepingDependencies {
  readonly database: Database;
  readonly logger: Logger;
  /** Hours that a link is kept after its halves have met (OSSIAN_LINK_HOURS, 24). */
  readonly linkHours: number;
  /** Days that ids of events with a position are kept; undefined: for good. */
  readonly eventDays?: number | undefined;
  readonly clock?: (() => Date) | undefined;
}

/** Deletes, slice by slice, what clears removed, links that have done their work, and old event ids. */
export async function tidy(dependencies: HousekeepingDependencies, signal?: AbortSignal): Promise<void> {
  const now = (dependencies.clock?.() ?? new Date()).getTime();
  const { database, linkHours, eventDays } = dependencies;
  const linksBefore = new Date(now - linkHours * hour);
  await inSlices(database, sweepDocuments, signal);
  await inSlices(database, (transaction, limit) => pruneLinks(transaction, linksBefore, limit), signal);
  if (eventDays === undefined) return;
  const eventsBefore = new Date(now - eventDays * 24 * hour);
  await inSlices(database, (transaction, limit) => pruneEvents(transaction, eventsBefore, limit), signal);
}

async function inSlices(
  database: Database,
  slice: (transaction: Transaction, limit: number) => Promise<number>,
  signal: AbortSignal | undefined,
): Promise<void> {
  while (!signal?.aborted) {
    if ((await database.transaction((transaction) => slice(transaction, sliceSize))) < sliceSize) return;
  }
}

export interface Housekeeping {
  /** Ends after the slice that is being worked on. */
  stop(): Promise<void>;
}

/** Tidies up from time to time, by default every 30 seconds; any number of servers may. */
export function startHousekeeping(dependencies: HousekeepingDependencies, everyMilliseconds = 30_000): Housekeeping {
  const stopping = new AbortController();
  const work = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      try {
        await tidy(dependencies, stopping.signal);
      } catch (error) {
        dependencies.logger.warn({ err: error }, 'housekeeping failed; it will be tried again');
      }
      await sleep(everyMilliseconds, stopping.signal);
    }
  };
  const ended = work();
  return {
    async stop() {
      stopping.abort();
      await ended;
    },
  };
}
