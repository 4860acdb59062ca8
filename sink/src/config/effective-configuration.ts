import type { Configuration } from './configuration.js';
import { declaredKeys } from './declared-keys.js';
import { hidden, isSecretName } from './secrets.js';

export interface EffectiveEntry {
  readonly name: string;
  /** As it would be written; secrets, and whatever came from the environment or a file, are hidden. */
  readonly value: string;
  readonly isDefault: boolean;
}

/** What holds after defaults, for people: no secret is ever in it. */
export function effectiveConfiguration(configuration: Configuration): readonly EffectiveEntry[] {
  const { entries, fromReference } = configuration;
  const show = (name: string, value: string): string => (fromReference.has(name) || isSecretName(name) ? hidden : value);
  const set = [...entries].map(([name, value]) => ({ name, value: show(name, value), isDefault: false }));
  const defaults = declaredKeys
    .filter((key) => key.default !== undefined && !entries.has(key.name))
    .map((key) => ({ name: key.name, value: key.default ?? '', isDefault: true }));
  return Object.freeze([...set, ...defaults].sort((one, other) => (one.name < other.name ? -1 : 1)));
}
