import type { EventDocument, EventError, Section } from '@ossian/shared';
import { type DocumentParts, hasPart, type Part, parsePart, partPointer } from '../corpus/part.js';
import { storableMetadata, storableText } from './storable-text.js';

/** What one document may hold: text, title, URI, readers and metadata together, in bytes of UTF-8. */
export const maxDocumentBytes = 8 * 1024 * 1024;

export type ReadParts = { readonly parts: DocumentParts; readonly unchanged: readonly Part[] } | { readonly error: EventError };

/** The document's parts, as they are stored; sections whose text is all white space are none. */
export function readParts(document: EventDocument): ReadParts {
  const bytes = sizeOf(document);
  if (bytes > maxDocumentBytes) return { error: tooLarge(bytes) };
  const sections = document.sections
    .map((section) => ({ name: storableText(section.name), text: storableText(section.text) }))
    .filter((section) => section.text.trim() !== '');
  const parts: DocumentParts = {
    title: document.title == null ? null : storableText(document.title),
    uri: document.uri == null ? null : storableText(document.uri),
    acl: document.acl == null ? null : document.acl.map(storableText),
    metadata: storableMetadata(document.metadata),
    sections,
  };
  const unchanged = uniqueParts(document.unchanged.map(storableText));
  const error = repeatedSection(sections) ?? givenAndUnchanged(parts, unchanged);
  return error === undefined ? { parts, unchanged } : { error };
}

function sizeOf(document: EventDocument): number {
  const texts = [document.title ?? '', document.uri ?? '', ...document.sections.map((section) => section.text)];
  return texts.reduce(
    (sum, text) => sum + Buffer.byteLength(text),
    Buffer.byteLength(JSON.stringify([document.metadata, document.acl])),
  );
}

function tooLarge(bytes: number): EventError {
  const mebibytes = (count: number): string => `${(count / 1024 / 1024).toFixed(1)} MiB`;
  return {
    code: 'document_too_large',
    message:
      `the document has ${mebibytes(bytes)} of text and metadata, and the limit is ${mebibytes(maxDocumentBytes)}: ` +
      'leave out the column that is not prose, or split the row into several documents at the source',
    field: 'document.sections',
  };
}

function uniqueParts(pointers: readonly string[]): Part[] {
  return [...new Set(pointers.map((pointer) => partPointer(parsePart(pointer))))].map(parsePart);
}

function repeatedSection(sections: readonly Section[]): EventError | undefined {
  const seen = new Set<string>();
  for (const section of sections) {
    if (seen.has(section.name)) {
      return {
        code: 'invalid_event',
        message: `two sections are called "${section.name}": give each its own name`,
        field: 'document.sections',
      };
    }
    seen.add(section.name);
  }
  return undefined;
}

function givenAndUnchanged(parts: DocumentParts, unchanged: readonly Part[]): EventError | undefined {
  const both = unchanged.find((part) => hasPart(parts, part));
  if (both === undefined) return undefined;
  const pointer = partPointer(both);
  return {
    code: 'invalid_event',
    message: `${pointer} is given and called unchanged: send one of the two`,
    field: 'document.unchanged',
  };
}
