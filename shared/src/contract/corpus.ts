import type { MetadataValue } from './primitives.js';
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
