-- What retrieval reads: chunks with their lexical vector, embeddings by model and hash of the embedded text.

CREATE TABLE chunks (
  id           bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  corpus_id    bigint NOT NULL REFERENCES corpora ON DELETE CASCADE,
  document_id  uuid NOT NULL REFERENCES documents ON DELETE CASCADE,
  ordinal      integer NOT NULL,
  section      text NOT NULL,
  heading_path text[] NOT NULL DEFAULT '{}',
  -- character range (UTF-16 code units) within the section's text; text is exactly that range
  start_at     integer NOT NULL,
  end_at       integer NOT NULL,
  text         text NOT NULL,
  -- the exact string that is embedded (title and heading path included) and its sha256
  embedded_text text NOT NULL,
  embedded_hash bytea NOT NULL,
  lexical      tsvector NOT NULL,
  -- length for BM25: the number of lexeme positions
  lexical_length integer NOT NULL,
  UNIQUE (document_id, ordinal)
);
CREATE INDEX chunks_lexical ON chunks USING gin (lexical);
CREATE INDEX chunks_corpus ON chunks (corpus_id);
CREATE INDEX chunks_hash ON chunks (embedded_hash);

CREATE TABLE embedding_models (
  id        integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  name      text NOT NULL UNIQUE,
  dimension integer NOT NULL,
  active    boolean NOT NULL DEFAULT false
);
CREATE UNIQUE INDEX embedding_models_active ON embedding_models (active) WHERE active;

CREATE TABLE embeddings (
  model_id integer NOT NULL REFERENCES embedding_models ON DELETE CASCADE,
  hash     bytea NOT NULL,
  vector   vector NOT NULL,
  PRIMARY KEY (model_id, hash)
);

-- A worker's lease on texts it is embedding; an expired one is taken over.
CREATE TABLE embedding_leases (
  model_id   integer NOT NULL REFERENCES embedding_models ON DELETE CASCADE,
  hash       bytea NOT NULL,
  leased_until timestamptz NOT NULL,
  attempts   integer NOT NULL DEFAULT 1,
  error      text,
  PRIMARY KEY (model_id, hash)
);
