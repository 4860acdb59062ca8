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
  -- the one model whose vectors answer questions
  active    boolean NOT NULL DEFAULT false,
  -- new chunks are queued for it
  filling   boolean NOT NULL DEFAULT false
);
CREATE UNIQUE INDEX embedding_models_active ON embedding_models (active) WHERE active;

-- An HNSW index for each model, over (vector::vector(dimension)) WHERE model_id = N, is made when the model is registered.
CREATE TABLE embeddings (
  model_id integer NOT NULL REFERENCES embedding_models ON DELETE CASCADE,
  hash     bytea NOT NULL,
  vector   vector NOT NULL,
  PRIMARY KEY (model_id, hash)
);

-- Chunks that wait for a vector. Keyed by chunk, so that writers of the same text never wait for one another, and a row that is
-- committed late is never taken for one that was already dealt with. A row whose chunk has gone is dropped by the worker.
CREATE TABLE embedding_queue (
  model_id integer NOT NULL REFERENCES embedding_models ON DELETE CASCADE,
  chunk_id bigint NOT NULL,
  hash     bytea NOT NULL,
  PRIMARY KEY (model_id, chunk_id)
);
CREATE INDEX embedding_queue_hash ON embedding_queue (model_id, hash);

-- A worker's lease on a text it is embedding (an expired one is taken over), or until when a text that failed is left alone.
CREATE TABLE embedding_leases (
  model_id     integer NOT NULL REFERENCES embedding_models ON DELETE CASCADE,
  hash         bytea NOT NULL,
  leased_until timestamptz NOT NULL,
  failures     integer NOT NULL DEFAULT 0,
  error        text,
  -- failed too often: no longer queued, kept to be shown
  set_aside    boolean NOT NULL DEFAULT false,
  PRIMARY KEY (model_id, hash)
);
CREATE INDEX embedding_leases_set_aside ON embedding_leases (model_id) WHERE set_aside;

-- Whoever writes a chunk queues it in the same transaction: no way of writing one can forget it.
CREATE FUNCTION queue_chunks_for_embedding() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO embedding_queue (model_id, chunk_id, hash)
  SELECT model.id, added.id, added.embedded_hash FROM added CROSS JOIN embedding_models AS model WHERE model.filling;
  RETURN NULL;
END $$;
CREATE TRIGGER chunks_queued AFTER INSERT ON chunks REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION queue_chunks_for_embedding();
