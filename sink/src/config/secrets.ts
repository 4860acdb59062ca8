/** What is shown where a secret stands, as Kafka does (org.apache.kafka.common.config.types.Password). */
export const hidden = '[hidden]';

const secretName = /(?:password|secret|api\.key|jaas\.config|user\.info|credentials|token|ssl\.keystore\.key|private\.key)$/;

/** True where a key's value is a secret by its name. */
export function isSecretName(name: string): boolean {
  return secretName.test(name) && !name.endsWith('credentials.source');
}

/**
 * Makes an object that shows `shown` wherever it is printed (JSON, the logger, `util.inspect`) and still holds the real
 * values for those who read them by name.
 */
export function concealing<T extends object>(value: T, shown: Record<string, unknown>): T {
  const show = { value: () => shown, enumerable: false };
  return Object.freeze(Object.defineProperties(value, { toJSON: show, [Symbol.for('nodejs.util.inspect.custom')]: show }));
}

/** Kafka client settings that conceal their secrets. */
export function concealSecrets(values: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const shown = Object.entries(values).map(([name, value]) => [name, isSecretName(name) ? hidden : value] as const);
  return concealing({ ...values }, Object.fromEntries(shown));
}
