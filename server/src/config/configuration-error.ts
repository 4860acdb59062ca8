/** The environment or the command line is wrong; every fault is a line that says what to do. */
export class ConfigurationError extends Error {
  override readonly name = 'ConfigurationError';
  readonly faults: readonly string[];
  constructor(faults: readonly string[]) {
    super(faults.join('\n'));
    this.faults = faults;
  }
  static is(error: unknown): error is ConfigurationError {
    return error instanceof ConfigurationError;
  }
}
