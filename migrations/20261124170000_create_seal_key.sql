-- The key of the seals that tables and displays receive, so that a restored database recognises what it sent before.

CREATE TABLE seal_key (
  is_only boolean NOT NULL DEFAULT true,
  key     bytea   NOT NULL,
  CONSTRAINT seal_key_pkey PRIMARY KEY (is_only),
  CONSTRAINT seal_key_is_only CHECK (is_only),
  CONSTRAINT seal_key_length CHECK (octet_length(key) = 32)
);

-- Two random UUIDs have 244 random bits.
INSERT INTO seal_key (key) VALUES (uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()));

CREATE TRIGGER append_only BEFORE UPDATE OR DELETE ON seal_key
  FOR EACH ROW EXECUTE FUNCTION meterhouse_refuse_change();
CREATE TRIGGER append_only_whole BEFORE TRUNCATE ON seal_key
  FOR EACH STATEMENT EXECUTE FUNCTION meterhouse_refuse_change();

GRANT SELECT ON seal_key TO meterhouse_app;
