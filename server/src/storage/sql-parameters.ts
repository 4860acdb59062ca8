/** Collects a statement's parameters while its text is put together: values never become part of the text. */
export class SqlParameters {
  readonly values: unknown[] = [];

  /** The placeholder of this value, e.g. `$3`. */
  add(value: unknown): string {
    this.values.push(value);
    return `$${this.values.length}`;
  }
}
