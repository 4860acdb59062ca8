import { getProperties } from 'properties-file';
import { readTextFile } from './read-text-file.js';

export type Environment = Readonly<Record<string, string | undefined>>;
/** Either the text with everything resolved, or why not (never with a secret in it). */
export type Resolution = { readonly text: string; readonly secret: boolean } | { readonly fault: string };

/** As Connect's ConfigTransformer: `${provider:key}` or `${provider:path:key}`. `${column}` and `${topic}` are no reference. */
const reference = /\$\{([^}:]*):(?:([^}]*):)?([^}:]*)\}/g;

export function hasReference(text: string): boolean {
  return new RegExp(reference.source).test(text);
}

/**
 * Resolves `${env:NAME}`, `${file:/path}` (the whole file, without a final line break) and, as in Connect,
 * `${file:/path:key}` (a key of a .properties file). What comes from there is taken for a secret.
 */
export function resolveReferences(text: string, environment: Environment): Resolution {
  const faults: string[] = [];
  const resolved = text.replace(reference, (_whole, provider: string, path: string | undefined, key: string) => {
    const found = readReference(provider, path, key, environment);
    if ('fault' in found) faults.push(found.fault);
    return 'fault' in found ? '' : found.text;
  });
  const [fault] = faults;
  return fault === undefined ? { text: resolved, secret: hasReference(text) } : { fault };
}

function readReference(
  provider: string,
  path: string | undefined,
  key: string,
  environment: Environment,
): { text: string } | { fault: string } {
  if (provider === 'env') {
    if (path !== undefined)
      return { fault: 'names an environment variable with a ":": one reference cannot stand within another' };
    const value = environment[key];
    if (value !== undefined && value !== '') return { text: value };
    return { fault: `needs the environment variable ${key}, which is not set: set it before the start` };
  }
  if (provider === 'file') return path === undefined ? readWhole(key) : readKey(path, key);
  return { fault: `names the provider "${provider}", which is not known: use \${env:NAME} or \${file:/path}` };
}

function readWhole(path: string): { text: string } | { fault: string } {
  const file = readTextFile(path);
  if ('reason' in file) return { fault: `needs the file ${path}, which cannot be read (${file.reason})` };
  return { text: file.text.replace(/\r?\n$/, '') };
}

function readKey(path: string, key: string): { text: string } | { fault: string } {
  const file = readWhole(path);
  if ('fault' in file) return file;
  const value = readProperty(file.text, key);
  if (value === null) return { fault: `needs the key ${key} in the file ${path}, which has a malformed \\u escape` };
  return value === undefined ? { fault: `needs the key ${key} in the file ${path}, which has none` } : { text: value };
}

/** null where the text is not in the form of java.util.Properties: only `\uXXXX` can be malformed. */
function readProperty(text: string, key: string): string | undefined | null {
  try {
    return getProperties(text)[key];
  } catch {
    return null;
  }
}
