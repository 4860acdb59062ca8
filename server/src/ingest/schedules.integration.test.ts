import { expect, it } from '@jest/globals';
import { describeEachDatabase } from '../testing/test-databases.js';
import { configurations } from './testing/configurations.js';
import { createIngest, DatabaseBackend } from './testing/database-backend.js';
import { runSchedule } from './testing/schedule.js';

/** Schedules of each configuration on each database; more with OSSIAN_PROPERTY_RUNS. */
const runs = Number(process.env['OSSIAN_PROPERTY_RUNS'] ?? 3);

describeEachDatabase('random schedules', (getDatabase) => {
  it('V3: any interleaving, batch split, redelivery and crash ends as the table is', async () => {
    const ingest = await createIngest(getDatabase());
    for (const [configuration, options] of configurations.entries()) {
      for (let run = 1; run <= runs; run++) {
        // Seeds of their own, so that each configuration sees other schedules.
        const seed = configuration * 1_000_000 + run;
        const source = `table-${seed}`;
        const { expected, found, trace } = await runSchedule(seed, options, new DatabaseBackend(ingest, source), source);
        expect({ seed, configuration, trace, documents: found }).toEqual({ seed, configuration, trace, documents: expected });
      }
    }
  }, 3_600_000);
});
