import { createHash } from 'node:crypto';
import type { DocumentParts } from './part.js';

/** sha256 in hex, over what the name says. */
export interface ContentHashes {
  /** Title, URI, ACL, sections and metadata: equal means that an event changes nothing. */
  readonly state: string;
  /** Title and sections: what chunks are made of. */
  readonly text: string;
  /** The sections' texts alone, white space as it is: documents with equal texts count as one voice, whatever their titles. */
  readonly content: string;
}

/** JSON with its strings quoted is unambiguous, so that no two different documents are hashed from one string. */
export function sha256(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value), 'utf8').digest('hex');
}

export function hashParts(parts: DocumentParts): ContentHashes {
  const content = sha256(parts.sections.map((section) => section.text));
  const text = sha256([parts.title, parts.sections.map((section) => section.name), content]);
  const metadata = Object.entries(parts.metadata).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
  return { content, text, state: sha256([text, parts.uri, parts.acl, metadata]) };
}
