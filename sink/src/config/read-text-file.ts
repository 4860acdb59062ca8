import { readFileSync } from 'node:fs';

/** The text of a file, or in one word why it cannot be read (ENOENT, EACCES, …). */
export function readTextFile(path: string): { readonly text: string } | { readonly reason: string } {
  try {
    return { text: readFileSync(path, 'utf8') };
  } catch (error) {
    const code: unknown = typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
    return { reason: typeof code === 'string' ? code : 'unknown reason' };
  }
}
