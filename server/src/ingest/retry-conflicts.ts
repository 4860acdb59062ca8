import { backoffMilliseconds, type Logger, ProblemError, sleep } from '@ossian/shared';
import { describeAway, isDatabaseAway } from '../storage/database-away.js';
import { CommitLostError } from '../storage/database.js';
import { isConflict, isDatabaseFault, isDataFault } from './ingest-errors.js';

const attempts = 10;
const retryAfterSeconds = '2';

/**
 * Runs a transaction again where it stood in another's way (deadlock, serialization failure).
 *
 * @throws ProblemError 503 with Retry-After where the database cannot do it now, whatever its reason, or the database's own error where
 *   the data is at fault; the transaction was rolled back.
 */
export async function retryConflicts<T>(logger: Logger | undefined, run: () => Promise<T>): Promise<T> {
  for (let attempt = 0; ; attempt++) {
    try {
      return await run();
    } catch (error) {
      if (isConflict(error) && attempt + 1 < attempts) {
        logger?.debug({ err: error, attempt }, 'the transaction stood in the way of another: it is run again');
        await sleep(backoffMilliseconds(attempt, 20, 1000));
        continue;
      }
      // Nothing to wait for: what was asked cannot be stored.
      if (isDataFault(error)) throw error;
      if (!isDatabaseFault(error) && !isDatabaseAway(error) && !CommitLostError.is(error) && !isConflict(error)) throw error;
      logger?.error({ err: error }, 'the database could not take it: answered 503');
      throw new ProblemError(503, 'database_unavailable', describeAway(error), {
        headers: { 'retry-after': retryAfterSeconds },
        cause: error,
      });
    }
  }
}
