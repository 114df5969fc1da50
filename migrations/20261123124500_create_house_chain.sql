-- The house's hash chain: its people, their tokens and its paytables, so that a changed row shows.

CREATE TABLE house_chain (
  number bigint   NOT NULL,
  at     bigint   NOT NULL,
  kind   smallint NOT NULL,
  body   bytea    NOT NULL,
  hash   bytea    NOT NULL,
  CONSTRAINT house_chain_pkey PRIMARY KEY (number),
  CONSTRAINT house_chain_number_positive CHECK (number > 0),
  CONSTRAINT house_chain_hash_sha256 CHECK (octet_length(hash) = 32)
);

CREATE TRIGGER append_only BEFORE UPDATE OR DELETE ON house_chain
  FOR EACH ROW EXECUTE FUNCTION meterhouse_refuse_change();
CREATE TRIGGER append_only_whole BEFORE TRUNCATE ON house_chain
  FOR EACH STATEMENT EXECUTE FUNCTION meterhouse_refuse_change();

GRANT SELECT, INSERT ON house_chain TO meterhouse_app;

-- The rows that are there already are chained here, each body marked as found (its first byte is 1). The bytes are
-- those of docs/JOURNAL.md.
CREATE FUNCTION meterhouse_text_bytes(value text) RETURNS bytea
LANGUAGE sql IMMUTABLE
SET search_path = pg_catalog, pg_temp
AS $$
  SELECT CASE WHEN value IS NULL THEN '\xffffffff'::bytea
              ELSE int4send(octet_length(convert_to(value, 'UTF8'))) || convert_to(value, 'UTF8') END
$$;

DO $$
DECLARE
  moment CONSTANT bigint := (extract(epoch FROM now()) * 1000000)::bigint;
  place bigint := 0;
  previous bytea := decode(repeat('00', 32), 'hex');
  one record;
BEGIN
  FOR one IN
    SELECT 1 AS kind, int4send(actor_id) AS sorted,
           '\x01'::bytea || int4send(actor_id) || meterhouse_text_bytes(name)
             || meterhouse_text_bytes(role) || meterhouse_text_bytes(table_name)
             || meterhouse_text_bytes(link_name) || meterhouse_text_bytes(department)
             || int8send(created_at) AS body
    FROM actor
    UNION ALL
    SELECT 2, token_hash,
           '\x01'::bytea || token_hash || int4send(actor_id) || int8send(created_at)
             || COALESCE('\x01'::bytea || int8send(expires_at), '\x00'::bytea)
    FROM token
    UNION ALL
    SELECT 3, token_hash, '\x01'::bytea || token_hash || int8send(revoked_at)
    FROM token WHERE revoked_at IS NOT NULL
    UNION ALL
    SELECT 4, content_hash,
           '\x01'::bytea || content_hash || meterhouse_text_bytes(paytable_id) || sha256(document)
    FROM paytable
    ORDER BY kind, sorted
  LOOP
    place := place + 1;
    previous := sha256(previous || '\x01'::bytea || int8send(place) || int8send(moment)
                       || substr(int4send(one.kind), 4) || int4send(octet_length(one.body)) || one.body);
    INSERT INTO house_chain (number, at, kind, body, hash)
    VALUES (place, moment, one.kind, one.body, previous);
  END LOOP;
END
$$;

DROP FUNCTION meterhouse_text_bytes(text);
