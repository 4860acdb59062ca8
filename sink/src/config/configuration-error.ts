/** One thing that is wrong with a configuration, and what to do about it. Never holds a value that may be a secret. */
export interface ConfigurationFault {
  readonly key: string | undefined;
  readonly message: string;
}

/** A configuration that must not start: every fault at once, each with its remedy. The command ends with exit code 2. */
export class ConfigurationError extends Error {
  override readonly name = 'ConfigurationError';
  readonly exitCode = 2;
  readonly faults: readonly ConfigurationFault[];
  constructor(subject: string, faults: readonly ConfigurationFault[]) {
    const count = faults.length === 1 ? '1 fault' : `${faults.length} faults`;
    super(`${subject}: ${count}\n${faults.map(({ message }) => `  - ${message}`).join('\n')}`);
    this.faults = faults;
  }
  static is(error: unknown): error is ConfigurationError {
    return error instanceof ConfigurationError;
  }
}
