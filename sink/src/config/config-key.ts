export type Importance = 'high' | 'medium' | 'low';
export type KeyType = 'string' | 'list' | 'int' | 'boolean' | 'password' | 'class' | 'enum';

/** What reading a value gives: the value, or what is wrong with it (without the value, which may be a secret). */
export type Reading<T> = { readonly value: T } | { readonly fault: string };

/** A key of a connector's configuration, declared once: it is parsed, explained and documented from this alone. */
export interface ConfigKey<T> {
  readonly name: string;
  readonly group: string;
  readonly type: KeyType;
  readonly importance: Importance;
  readonly doc: string;
  /** As it would be written in a file; undefined where there is none. */
  readonly default: string | undefined;
  readonly required: boolean;
  /** True where `ossian.topic.<topic>.…` may set it for one topic. */
  readonly perTopic: boolean;
  /** What may be written, for the reference, e.g. `[1,10000]` or the values of an enumeration. */
  readonly valid: string;
  readonly read: (text: string) => Reading<T>;
}

export interface KeyDeclaration {
  readonly name: string;
  readonly group: string;
  readonly importance: Importance;
  readonly doc: string;
  readonly perTopic?: boolean;
}
interface WithDefault extends KeyDeclaration {
  readonly default: string;
}
type Checker = (text: string) => string | undefined;

function declare<T>(
  { perTopic = false, ...declaration }: KeyDeclaration & { default?: string | undefined },
  type: KeyType,
  read: (text: string) => Reading<T>,
  valid = '',
  required = false,
): ConfigKey<T> {
  return { default: undefined, ...declaration, perTopic, type, read, valid, required };
}

const checked =
  (check: Checker | undefined) =>
  (text: string): Reading<string> => {
    const trimmed = text.trim();
    const fault = trimmed === '' ? 'is empty' : check?.(trimmed);
    return fault === undefined ? { value: trimmed } : { fault };
  };

export function requiredText(declaration: KeyDeclaration, check?: Checker, type: KeyType = 'string'): ConfigKey<string> {
  return declare(declaration, type, checked(check), '', true);
}
export function optionalText(
  declaration: KeyDeclaration,
  check?: Checker,
  type: KeyType = 'string',
): ConfigKey<string | undefined> {
  return declare<string | undefined>(declaration, type, checked(check));
}
/** As `optionalText`, but an empty text is none, so that one topic can do without what the connector sets for all. */
export function clearableText(declaration: KeyDeclaration, check?: Checker): ConfigKey<string | undefined> {
  return declare<string | undefined>(declaration, 'string', (value) =>
    value.trim() === '' ? { value: undefined } : checked(check)(value),
  );
}
export function text(declaration: WithDefault, check?: Checker, type: KeyType = 'string'): ConfigKey<string> {
  return declare(declaration, type, checked(check));
}

/** A comma-separated list; an empty text is an empty list. */
function readList(text: string, check: Checker | undefined): Reading<readonly string[]> {
  const items = text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');
  const twice = items.find((item, index) => items.indexOf(item) !== index);
  if (twice !== undefined) return { fault: `names "${twice}" twice` };
  const fault = items.map((item) => check?.(item)).find((found) => found !== undefined);
  return fault === undefined ? { value: items } : { fault };
}
export function list(declaration: WithDefault, check?: Checker): ConfigKey<readonly string[]> {
  return declare(declaration, 'list', (value) => readList(value, check));
}
export function optionalList(declaration: KeyDeclaration, check?: Checker): ConfigKey<readonly string[] | undefined> {
  return declare<readonly string[] | undefined>(declaration, 'list', (value) => {
    const reading = readList(value, check);
    return 'value' in reading && reading.value.length === 0 ? { fault: 'is empty: name at least one, or leave it out' } : reading;
  });
}

export function integer(declaration: WithDefault, minimum: number, maximum: number): ConfigKey<number> {
  const read = (value: string): Reading<number> => {
    const number = /^-?\d{1,15}$/.test(value.trim()) ? Number(value.trim()) : Number.NaN;
    if (number >= minimum && number <= maximum) return { value: number };
    return { fault: `must be a whole number from ${minimum} to ${maximum}` };
  };
  return declare(declaration, 'int', read, `${minimum} to ${maximum}`);
}

export function boolean(declaration: WithDefault): ConfigKey<boolean> {
  const read = (value: string): Reading<boolean> => {
    const word = value.trim().toLowerCase();
    return word === 'true' || word === 'false' ? { value: word === 'true' } : { fault: 'must be true or false' };
  };
  return declare(declaration, 'boolean', read, 'true, false');
}

export function oneOf<const T extends string>(declaration: WithDefault, values: readonly T[]): ConfigKey<T> {
  const read = (value: string): Reading<T> => {
    const found = values.find((allowed) => allowed === value.trim().toLowerCase());
    return found === undefined ? { fault: `must be one of: ${values.join(', ')}` } : { value: found };
  };
  return declare(declaration, 'enum', read, values.join(', '));
}
