-- Corpora, sources, documents, the event log, key-change links, clears, progress.
-- Integers that may pass 2^63 (source positions, offsets, timestamps) are numeric. Identities sort by bytes ("C"), so that every
-- server locks them in the same order.

CREATE EXTENSION IF NOT EXISTS vector;

CREATE TABLE corpora (
  id         bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  name       text COLLATE "C" NOT NULL UNIQUE,
  -- The Postgres text search configuration of the lexical leg.
  language   regconfig NOT NULL DEFAULT 'english',
  created_at timestamptz NOT NULL DEFAULT now()
);

-- Locked by every batch: FOR UPDATE by a clear, FOR SHARE by every other event. So nothing in it is updated by events.
CREATE TABLE sources (
  id        bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  corpus_id bigint NOT NULL REFERENCES corpora ON DELETE CASCADE,
  name      text COLLATE "C" NOT NULL,
  UNIQUE (corpus_id, name)
);

-- Apart from its source's row and written last in a batch: it would otherwise hold up every other batch of the source.
CREATE TABLE source_activity (
  source_id     bigint PRIMARY KEY REFERENCES sources ON DELETE CASCADE,
  last_event_at timestamptz NOT NULL
);

-- One row per identity that was ever seen; a deleted one stays as a tombstone (live = false) and remembers its position.
CREATE TABLE documents (
  id                 uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  corpus_id          bigint NOT NULL REFERENCES corpora ON DELETE CASCADE,
  source_id          bigint NOT NULL REFERENCES sources ON DELETE CASCADE,
  key                text COLLATE "C" NOT NULL,
  -- Whether it is there: every reader asks for this.
  live               boolean NOT NULL DEFAULT false,
  -- Its row is there and has no text: no document for readers, and yet a row whose key can change.
  blank              boolean NOT NULL DEFAULT false,
  -- Removed by a clear, and its content and chunks not yet deleted.
  unswept            boolean NOT NULL DEFAULT false,
  title              text,
  uri                text,
  -- null is public, an empty array is nobody
  acl                text[],
  metadata           jsonb NOT NULL DEFAULT '{}',
  -- ordered: [{"name": …, "text": …}]
  sections           jsonb NOT NULL DEFAULT '[]',
  -- sha256 of all that an event says of a document; of what its chunks are made of (title, sections); of its texts alone: documents
  -- with equal texts count as one voice. Null where the document is not live.
  state_hash         bytea,
  text_hash          bytea,
  content_hash       bytea,
  -- parts that wait for a link: {"/sections/body": link id, or null where no link will bring it}
  waiting            jsonb NOT NULL DEFAULT '{}',
  -- since when parts are waiting, and since when a skip says that the row went on without the document
  incomplete_since   timestamptz,
  mark_since         timestamptz,
  -- the position of that skip (the fields below as decimal text); null where it had none
  mark_position      jsonb,
  behind_since       timestamptz GENERATED ALWAYS AS (LEAST(incomplete_since, mark_since)) STORED,
  -- the last position; source_timestamp is the one that came with source_position
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
CREATE INDEX documents_unswept ON documents (source_id) WHERE unswept;

-- What was done with each event id; one row per id. No foreign key to documents: the log outlives what it tells of.
CREATE TABLE events (
  sequence     bigint GENERATED ALWAYS AS IDENTITY,
  corpus_id    bigint NOT NULL,
  source_id    bigint NOT NULL REFERENCES sources ON DELETE CASCADE,
  id           text COLLATE "C" NOT NULL,
  document_id  uuid,
  op           text NOT NULL,
  outcome      text NOT NULL,
  reason       text,
  -- sha256 of what the event says (document, operation and position)
  content_hash bytea NOT NULL,
  -- Ids of events with a position may be pruned by age.
  positioned   boolean NOT NULL,
  received_at  timestamptz NOT NULL,
  PRIMARY KEY (corpus_id, id)
);
CREATE INDEX events_newest ON events (corpus_id, sequence);
CREATE INDEX events_document ON events (document_id, sequence);
CREATE INDEX events_source ON events (source_id);

-- Where the halves of a key change meet.
CREATE TABLE links (
  id              uuid PRIMARY KEY,
  -- the order in which they were made
  sequence        bigint GENERATED ALWAYS AS IDENTITY,
  source_id       bigint NOT NULL REFERENCES sources ON DELETE CASCADE,
  old_key         text COLLATE "C" NOT NULL,
  new_key         text COLLATE "C" NOT NULL,
  source_position numeric,
  -- the half that has not come: 'delete', 'create'; null once both have met
  missing         text,
  met_at          timestamptz,
  -- what the old document last held: {title, uri, acl, metadata, sections}; null until the delete half has come
  content         jsonb,
  -- parts of it that wait for an earlier link, as in documents
  waiting         jsonb NOT NULL DEFAULT '{}',
  mark_since      timestamptz,
  mark_position   jsonb
);
CREATE INDEX links_old ON links (source_id, old_key);
CREATE INDEX links_new ON links (source_id, new_key);
CREATE INDEX links_met ON links (met_at) WHERE missing IS NULL;

-- Watermarks: whatever of this topic stands before one is gone.
CREATE TABLE clears (
  id               bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  source_id        bigint NOT NULL REFERENCES sources ON DELETE CASCADE,
  topic            text NOT NULL,
  partition        integer NOT NULL,
  "offset"         numeric NOT NULL,
  "timestamp"      numeric NOT NULL,
  source_position  numeric,
  source_timestamp numeric,
  snapshot         boolean NOT NULL
);
CREATE INDEX clears_source ON clears (source_id, topic);

-- How far each partition has come, as its sink tells.
CREATE TABLE progress (
  source_id    bigint NOT NULL REFERENCES sources ON DELETE CASCADE,
  topic        text NOT NULL,
  partition    integer NOT NULL,
  connector    text NOT NULL,
  committed    numeric NOT NULL,
  "end"        numeric NOT NULL,
  reported_at  timestamptz NOT NULL,
  -- the last report in which committed had reached the end
  caught_up_at timestamptz,
  PRIMARY KEY (source_id, topic, partition)
);
