import type { Configuration } from './configuration.js';
import { chainKeys } from './keys/converter-keys.js';

/** The chain is empty in this version: a transformation that is asked for and would not happen must stop the start. */
export function readTransforms(configuration: Configuration): void {
  const names = [...configuration.get(chainKeys.transforms), ...configuration.get(chainKeys.predicates)];
  for (const name of names) {
    const type = configuration.entries.get(`transforms.${name}.type`) ?? configuration.entries.get(`predicates.${name}.type`);
    configuration.fault(
      'transforms',
      `transforms: "${name}"${type === undefined ? '' : ` (${type})`} is not in this version yet. Envelopes and flattened rows are both understood without it: take it out, or have Debezium's own worker apply it.`,
    );
  }
  if (names.length > 0) return;
  const orphan = [...configuration.entries.keys()].find((key) => /^(?:transforms|predicates)\../.test(key));
  if (orphan !== undefined)
    configuration.fault(orphan, `${orphan} belongs to no transformation that "transforms" names: take it out.`);
}
