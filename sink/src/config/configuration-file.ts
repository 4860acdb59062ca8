import { basename, extname } from 'node:path';
import { Properties } from 'properties-file/parser';
import type { ConfigurationFault } from './configuration-error.js';
import { readTextFile } from './read-text-file.js';

export interface ConfigurationFile {
  readonly path: string;
  readonly text: string;
}
export interface ConfigurationEntries {
  readonly entries: ReadonlyMap<string, string>;
  readonly faults: readonly ConfigurationFault[];
  /** False where nothing at all could be read: then there is no more to say. */
  readonly readable: boolean;
}

/** Reads a file's text; a file that cannot be read is a fault like any other. */
export function openConfigurationFile(path: string): ConfigurationFile | ConfigurationFault {
  const file = readTextFile(path);
  if ('text' in file) return { path, text: file.text };
  return { key: undefined, message: `The configuration file ${path} cannot be read (${file.reason}): check the path.` };
}

/**
 * Reads a connector: a `.properties` file (java.util.Properties), or JSON in either of Connect's forms, `{"name","config"}`
 * or one flat object. Which of them it is, is told by the name, else by the first character.
 */
export function readConfigurationFile({ path, text }: ConfigurationFile): ConfigurationEntries {
  const extension = extname(path).toLowerCase();
  const isJson = extension === '.json' || (extension !== '.properties' && text.trimStart().startsWith('{'));
  return isJson ? readJson(path, text) : readProperties(text);
}

/** The last of several equal keys would count in Java, silently; two values for one key are more likely a slip. */
function readProperties(text: string): ConfigurationEntries {
  const properties = parseProperties(text);
  if (properties === undefined) {
    const message = 'The file has a "\\u" that four hexadecimal digits do not follow: write a backslash as "\\\\".';
    return { entries: new Map(), faults: [{ key: undefined, message }], readable: false };
  }
  const faults = properties
    .getKeyCollisions()
    .filter(({ nodes }) => nodes.some((node) => node.value !== nodes[0]?.value))
    .map(({ key, nodes }) => {
      const lines = nodes.map((node) => node.startingLineNumber).join(' and ');
      return { key, message: `${key} has different values in lines ${lines}: keep one of them.` };
    });
  return { entries: new Map(properties.getProperties().map(({ key, value }) => [key, value])), faults, readable: true };
}

/** The parser throws at a malformed Unicode escape alone. */
function parseProperties(text: string): Properties | undefined {
  try {
    return new Properties(text);
  } catch {
    return undefined;
  }
}

function readJson(path: string, text: string): ConfigurationEntries {
  const whole = parse(text);
  if (!isObject(whole)) {
    const message = `${basename(path)} is not a JSON object: write {"name": …, "config": {…}} or one flat object of keys and values.`;
    return { entries: new Map(), faults: [{ key: undefined, message }], readable: false };
  }
  if (!isObject(whole.config)) return readFlat(whole);
  const { config: inner, name, ...rest } = whole;
  if (name !== undefined && inner.name !== undefined && name !== inner.name) {
    const message = `"name" beside "config" and "name" within it differ: keep one of them.`;
    return { ...readFlat(inner), faults: [{ key: 'name', message }] };
  }
  return readFlat({ ...rest, ...(name === undefined ? {} : { name }), ...inner });
}

/** Connect's values are strings; numbers and booleans are taken as their text, null as not given. */
function readFlat(object: Record<string, unknown>): ConfigurationEntries {
  const entries = new Map<string, string>();
  const faults: ConfigurationFault[] = [];
  for (const [key, value] of Object.entries(object)) {
    if (value === null) continue;
    if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') entries.set(key, String(value));
    else faults.push({ key, message: `${key} must be a text: write lists as "a,b,c".` });
  }
  return { entries, faults, readable: true };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch {
    return undefined;
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
