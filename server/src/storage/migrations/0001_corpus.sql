-- Corpora, sources, documents, the event log, key-change links, clears, progress.
-- Integers that may pass 2^63 (source positions, offsets) are numeric.

CREATE EXTENSION IF NOT EXISTS vector;

CREATE TABLE corpora (
  id         bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  name       text NOT NULL UNIQUE,
  -- The Postgres text search configuration of the lexical leg.
  language   regconfig NOT NULL DEFAULT 'english',
  created_at timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE sources (
  id            bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  corpus_id     bigint NOT NULL REFERENCES corpora ON DELETE CASCADE,
  name          text NOT NULL,
  last_event_at timestamptz,
  UNIQUE (corpus_id, name)
);

-- One row per identity that was ever seen; a deleted one stays as a tombstone (live = false) and remembers its position.
CREATE TABLE documents (
  id                 uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  corpus_id          bigint NOT NULL REFERENCES corpora ON DELETE CASCADE,
  source_id          bigint NOT NULL REFERENCES sources ON DELETE CASCADE,
  key                text NOT NULL,
  live               boolean NOT NULL DEFAULT false,
  title              text,
  uri                text,
  -- null is public, an empty array is nobody
  acl                text[],
  metadata           jsonb NOT NULL DEFAULT '{}',
  -- ordered: [{"name": …, "text": …}]
  sections           jsonb NOT NULL DEFAULT '[]',
  -- hash of what an answer shows (title and sections): equal ones count as one voice
  content_hash       bytea,
  -- parts that wait for a link: {"/sections/body": link id}
  waiting            jsonb NOT NULL DEFAULT '{}',
  -- since when the document is known to be behind its row or incomplete; null where it is not
  behind_since       timestamptz,
  -- the position of the skip that marked it (same fields as below), null where no skip stands
  behind_position    jsonb,
  -- the last position
  topic              text,
  partition          integer,
  "offset"           numeric,
  "timestamp"        numeric,
  source_position    numeric,
  source_timestamp   numeric,
  snapshot           boolean NOT NULL DEFAULT false,
  created_at         timestamptz NOT NULL DEFAULT now(),
  updated_at         timestamptz NOT NULL DEFAULT now(),
  UNIQUE (source_id, key)
);
CREATE INDEX documents_live ON documents (corpus_id, source_id, id) WHERE live;
CREATE INDEX documents_content ON documents (corpus_id, content_hash) WHERE live;
