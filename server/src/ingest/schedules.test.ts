import { describe, expect, it } from '@jest/globals';
import { configurations } from './testing/configurations.js';
import { MemoryBackend } from './testing/memory-backend.js';
import { runSchedule } from './testing/schedule.js';

/** Schedules of each configuration; more with OSSIAN_PROPERTY_RUNS. */
const runs = Number(process.env['OSSIAN_PROPERTY_RUNS'] ?? 60);

describe('random schedules, in memory', () => {
  it.each(configurations.map((options, index) => ({ ...options, index })))(
    'V3: any interleaving ends as the table is: $partitions partitions, $features, lsn $lsn, flat $flat',
    async (options) => {
      for (let seed = 1; seed <= runs; seed++) {
        const backend = new MemoryBackend('table');
        const { expected, found, trace } = await runSchedule(seed, options, backend, 'table');
        expect({ seed, configuration: options.index, trace, documents: found }).toEqual({
          seed,
          configuration: options.index,
          trace,
          documents: expected,
        });
      }
    },
  );
});
