-- Signed heads of the chains, and the nodes of the hash trees that their proofs are made of.

-- Link 0 is the house's chain. The key is outside the database, so nobody with the database alone makes a head.
CREATE TABLE signed_head (
  link_id    integer NOT NULL,
  number     bigint  NOT NULL,
  batch      bigint  NOT NULL,
  chain_hash bytea   NOT NULL,
  root       bytea   NOT NULL,
  at         bigint  NOT NULL,
  previous   bytea   NOT NULL,
  public_key bytea   NOT NULL,
  signature  bytea   NOT NULL,
  CONSTRAINT signed_head_pkey PRIMARY KEY (link_id, number),
  CONSTRAINT signed_head_number_positive CHECK (number > 0),
  CONSTRAINT signed_head_batch_positive CHECK (batch > 0),
  CONSTRAINT signed_head_chain_hash_sha256 CHECK (octet_length(chain_hash) = 32),
  CONSTRAINT signed_head_root_sha256 CHECK (octet_length(root) = 32),
  CONSTRAINT signed_head_previous_sha256 CHECK (octet_length(previous) = 32),
  CONSTRAINT signed_head_public_key_length CHECK (octet_length(public_key) = 32),
  CONSTRAINT signed_head_signature_length CHECK (octet_length(signature) = 64)
);

-- Nodes below level 8 are made from the batches when they are needed.
CREATE TABLE tree_node (
  link_id  integer  NOT NULL,
  level    smallint NOT NULL,
  position bigint   NOT NULL,
  hash     bytea    NOT NULL,
  CONSTRAINT tree_node_pkey PRIMARY KEY (link_id, level, position),
  CONSTRAINT tree_node_level_stored CHECK (level BETWEEN 8 AND 63),
  CONSTRAINT tree_node_hash_sha256 CHECK (octet_length(hash) = 32)
);

DO $$
DECLARE
  one text;
BEGIN
  FOREACH one IN ARRAY ARRAY['signed_head', 'tree_node'] LOOP
    EXECUTE format('CREATE TRIGGER append_only BEFORE UPDATE OR DELETE ON %I
                    FOR EACH ROW EXECUTE FUNCTION meterhouse_refuse_change()', one);
    EXECUTE format('CREATE TRIGGER append_only_whole BEFORE TRUNCATE ON %I
                    FOR EACH STATEMENT EXECUTE FUNCTION meterhouse_refuse_change()', one);
  END LOOP;
END
$$;

GRANT SELECT, INSERT ON signed_head, tree_node TO meterhouse_app;
