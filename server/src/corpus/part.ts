import type { MetadataValue, Section } from '@ossian/shared';
import { mergeSections } from './merge-sections.js';

/** All that an event says of a document. */
export interface DocumentParts {
  readonly title: string | null;
  readonly uri: string | null;
  /** Reader groups: null is public, an empty array is nobody. */
  readonly acl: readonly string[] | null;
  readonly metadata: Readonly<Record<string, MetadataValue>>;
  readonly sections: readonly Section[];
}

/** One part of a document, as `unchanged` names it. */
export type Part =
  | { readonly kind: 'title' }
  | { readonly kind: 'uri' }
  | { readonly kind: 'acl' }
  | { readonly kind: 'section'; readonly name: string }
  | { readonly kind: 'metadata'; readonly name: string };

export const noParts: DocumentParts = { title: null, uri: null, acl: null, metadata: {}, sections: [] };

/** Reads a JSON pointer (RFC 6901: `~1` is `/`, `~0` is `~`) of the form that the event contract allows. */
export function parsePart(pointer: string): Part {
  if (pointer === '/title' || pointer === '/uri' || pointer === '/acl') {
    return { kind: pointer.slice(1) as 'title' | 'uri' | 'acl' };
  }
  const slash = pointer.indexOf('/', 1);
  const name = pointer
    .slice(slash + 1)
    .replaceAll('~1', '/')
    .replaceAll('~0', '~');
  return { kind: pointer.startsWith('/sections/') ? 'section' : 'metadata', name };
}

/** The one pointer of a part, however the event wrote it. */
export function partPointer(part: Part): string {
  if (part.kind !== 'section' && part.kind !== 'metadata') return `/${part.kind}`;
  return `/${part.kind === 'section' ? 'sections' : 'metadata'}/${part.name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
}

/**
 * Whether a document has the part. A null title, URI or ACL is none: an unchanged column has a value, so a document that was stored
 * before the column was configured does not have it. (A null ACL would otherwise stay public.)
 */
export function hasPart(parts: DocumentParts, part: Part): boolean {
  switch (part.kind) {
    case 'title':
    case 'uri':
    case 'acl':
      return parts[part.kind] !== null;
    case 'section':
      return parts.sections.some((section) => section.name === part.name);
    case 'metadata':
      return Object.hasOwn(parts.metadata, part.name);
  }
}

/** `parts`, with these parts as `from` has them; what `from` lacks is left out. */
export function takeParts(parts: DocumentParts, names: readonly Part[], from: DocumentParts): DocumentParts {
  let { title, uri, acl } = parts;
  const metadata = { ...parts.metadata };
  const sections: string[] = [];
  for (const part of names) {
    if (!hasPart(from, part)) continue;
    if (part.kind === 'title') title = from.title;
    else if (part.kind === 'uri') uri = from.uri;
    else if (part.kind === 'acl') acl = from.acl;
    else if (part.kind === 'section') sections.push(part.name);
    else metadata[part.name] = from.metadata[part.name] ?? null;
  }
  return { title, uri, acl, metadata, sections: mergeSections(parts.sections, sections, from.sections) };
}
