import { z } from 'zod';
import { limit, type MetadataValue } from './primitives.js';
import type { Section } from './event.js';

export interface SourceStatistics {
  source: string;
  documents: number;
  /** Documents known to be behind their row, or incomplete. */
  behind: number;
  last_event_at: string | null;
  caught_up_at: string | null;
}
export interface CorpusStatistics {
  name: string;
  documents: number;
  chunks: number;
  embeddings_pending: number;
  events: number;
  sources: SourceStatistics[];
}
export interface DocumentView {
  id: string;
  source: string;
  key: string;
  title: string | null;
  uri: string | null;
  metadata: Record<string, MetadataValue>;
  acl: string[] | null;
  sections?: Section[];
  chunks: number;
  behind_since: string | null;
  updated_at: string;
}
export interface DocumentPage {
  documents: DocumentView[];
  next_cursor: string | null;
}

/** `PUT /v1/corpora/{corpus}`: makes it where it is missing. */
export const putCorpusSchema = z.strictObject({
  /** Postgres text search configuration of the lexical leg, e.g. english, german, simple; fixed once the corpus is made. */
  language: z
    .string()
    .regex(/^[a-z_]{1,63}$/, 'expected the name of a Postgres text search configuration, e.g. english')
    .optional(),
});
export interface CorpusView {
  name: string;
  language: string;
  created_at: string;
}

const pageQuery = z.object({
  limit: z.coerce.number().pipe(limit).default(50),
  cursor: z.string().max(16_384).optional(),
});
/** The query of `GET …/documents`; `readers` are given apart by commas, or several times. */
export const documentsQuerySchema = pageQuery.extend({
  source: z.string().optional(),
  include: z.enum(['sections']).optional(),
});
/** The query of `GET …/events`: what happened to a document, newest first. */
export const eventsQuerySchema = pageQuery.extend({
  source: z.string().optional(),
  document_id: z.string().optional(),
});
/** One line of the event log. */
export interface EventView {
  id: string;
  op: string;
  outcome: string;
  reason: string | null;
  source: string;
  document_id: string | null;
  received_at: string;
}
export interface EventPage {
  events: EventView[];
  next_cursor: string | null;
}
