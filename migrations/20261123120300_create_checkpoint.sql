-- Checkpoints: what the batches of a link add up to, so that loading it sums only the batches since the newest one.

CREATE TABLE checkpoint (
  link_id    integer  NOT NULL,
  number     bigint   NOT NULL,
  batch      bigint   NOT NULL,
  chain_hash bytea    NOT NULL,
  sums       bigint[] NOT NULL,
  hash       bytea    NOT NULL,
  CONSTRAINT checkpoint_pkey PRIMARY KEY (link_id, number),
  CONSTRAINT checkpoint_number_positive CHECK (number > 0),
  CONSTRAINT checkpoint_batch_positive CHECK (batch > 0),
  CONSTRAINT checkpoint_chain_hash_sha256 CHECK (octet_length(chain_hash) = 32),
  CONSTRAINT checkpoint_hash_sha256 CHECK (octet_length(hash) = 32)
);

CREATE TRIGGER append_only BEFORE UPDATE OR DELETE ON checkpoint
  FOR EACH ROW EXECUTE FUNCTION meterhouse_refuse_change();
CREATE TRIGGER append_only_whole BEFORE TRUNCATE ON checkpoint
  FOR EACH STATEMENT EXECUTE FUNCTION meterhouse_refuse_change();

GRANT SELECT, INSERT ON checkpoint TO meterhouse_app;
