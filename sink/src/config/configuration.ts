import type { ConfigKey } from './config-key.js';
import type { ConfigurationFault } from './configuration-error.js';

/** Which values a command can do without. */
export type Purpose = 'run' | 'records' | 'inspect' | 'offsets';

/** A connector's texts by key, with references resolved, and the faults found so far. */
export class Configuration {
  readonly entries: ReadonlyMap<string, string>;
  /** Keys whose value came from the environment or a file, or could not be resolved. */
  readonly fromReference: ReadonlySet<string>;
  readonly unresolved: ReadonlySet<string>;
  readonly faults: ConfigurationFault[];
  readonly warnings: string[] = [];

  constructor(
    entries: ReadonlyMap<string, string>,
    faults: readonly ConfigurationFault[],
    references: { fromReference: ReadonlySet<string>; unresolved: ReadonlySet<string> },
  ) {
    this.entries = entries;
    this.faults = [...faults];
    this.fromReference = references.fromReference;
    this.unresolved = references.unresolved;
  }

  /** Notes a fault, once: a value that every topic inherits is read for each of them. */
  fault(key: string | undefined, message: string): void {
    if (!this.faults.some((fault) => fault.message === message)) this.faults.push({ key, message });
  }

  has(key: ConfigKey<unknown>): boolean {
    return this.entries.has(key.name);
  }

  /**
   * The value of a key. A fault is noted and the default given instead, so that reading goes on and every fault is found;
   * a required value without one is then undefined, which nobody sees, for a configuration with a fault gives no settings.
   *
   * @param name where the value stands if not under the key's own name (`ossian.topic.…`)
   */
  get<T>(key: ConfigKey<T>, name = key.name): T {
    const text = this.entries.get(name);
    if (text !== undefined) {
      const reading = key.read(text);
      if ('value' in reading) return reading.value;
      this.fault(name, `${name} ${reading.fault}.`);
    } else if (key.required && !this.unresolved.has(name)) {
      this.fault(name, `${name} is missing: ${lowerFirst(key.doc)}`);
    }
    return this.#defaultOf(key);
  }

  #defaultOf<T>(key: ConfigKey<T>): T {
    const reading = key.default === undefined ? undefined : key.read(key.default);
    return (reading && 'value' in reading ? reading.value : undefined) as T;
  }
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}
