-- What retrieval needs beside the tables: how metadata values compare, and the corpus's chunk count and lengths from an index alone.

-- Numbers travel as exact text; null where the text is not a number. The exponent is bounded, so that the cast cannot overflow.
CREATE FUNCTION ossian_number(value text) RETURNS numeric LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT CASE WHEN length(value) <= 1000 AND value ~ '^[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d{1,3})?$' THEN value::numeric END
$$;

-- An ISO 8601 time or date; one without an offset is read as UTC. Null where the text is neither, or names a day that does not exist.
CREATE FUNCTION ossian_time(value text) RETURNS timestamptz LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
BEGIN
  IF length(value) > 64 OR value !~ '^\d{4}-\d{2}-\d{2}([T ]\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}(:?\d{2})?)?)?$' THEN
    RETURN NULL;
  END IF;
  RETURN (value || CASE WHEN value ~ '([T ].*(Z|[+-]\d{2}(:?\d{2})?))$' THEN '' ELSE 'Z' END)::timestamptz;
EXCEPTION WHEN data_exception THEN
  RETURN NULL;
END
$$;

-- -1, 0 or 1: as numbers when both sides are numbers, as times when both are ISO times, else as text (by code point).
CREATE FUNCTION ossian_compare(a text, b text) RETURNS integer LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
DECLARE
  a_number numeric := ossian_number(a);
  b_number numeric := ossian_number(b);
  a_time timestamptz;
  b_time timestamptz;
BEGIN
  IF a_number IS NOT NULL AND b_number IS NOT NULL THEN
    RETURN sign(a_number - b_number);
  END IF;
  a_time := ossian_time(a);
  b_time := ossian_time(b);
  IF a_time IS NOT NULL AND b_time IS NOT NULL THEN
    RETURN CASE WHEN a_time < b_time THEN -1 WHEN a_time > b_time THEN 1 ELSE 0 END;
  END IF;
  RETURN CASE WHEN a COLLATE "C" < b COLLATE "C" THEN -1 WHEN a COLLATE "C" > b COLLATE "C" THEN 1 ELSE 0 END;
END
$$;

-- One lexeme as a tsquery that holds nothing else, whatever characters it has.
CREATE FUNCTION ossian_term(lexeme text) RETURNS tsquery LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT ('''' || replace(replace(lexeme, '\', '\\'), '''', '''''') || '''')::tsquery
$$;

CREATE INDEX chunks_length ON chunks (corpus_id, lexical_length);
