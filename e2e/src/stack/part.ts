import { StackError } from './stack-error.js';

/** What a stack can be made of, in the order in which parts are stopped. */
export const parts = ['connect', 'schema-registry', 'kafka', 'source-postgres', 'backend-postgres'] as const;
export type Part = (typeof parts)[number];

/** What is started where nobody says otherwise. */
export const defaultParts: readonly Part[] = ['kafka', 'connect', 'source-postgres', 'backend-postgres'];

/** The named parts and those that they need, each once. */
export function withNeeded(wanted: readonly Part[]): Part[] {
  const all = new Set(wanted);
  if (all.has('connect')) all.add('kafka');
  return parts.filter((part) => all.has(part));
}

export function parsePart(text: string): Part {
  const part = parts.find((candidate) => candidate === text);
  if (part === undefined) throw new StackError(`there is no part called "${text}"; the parts are ${parts.join(', ')}`);
  return part;
}
