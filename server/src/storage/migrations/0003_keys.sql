-- Bearer keys: only a hash is stored. Null limits mean no limit.
CREATE TABLE api_keys (
  id         uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  name       text NOT NULL,
  hash       bytea NOT NULL UNIQUE,
  scopes     text[] NOT NULL,
  corpora    text[],
  readers    text[],
  owners     text[],
  created_at timestamptz NOT NULL DEFAULT now(),
  revoked_at timestamptz
);
