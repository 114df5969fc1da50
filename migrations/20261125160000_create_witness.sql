-- Signed heads of other houses that this one witnesses, and how far its own heads were sent to its witnesses.

-- The holder of a token of this role is another house: it deposits its heads here, and may do nothing else.
ALTER TABLE actor
  DROP CONSTRAINT actor_role_known,
  ADD CONSTRAINT actor_role_known
    CHECK (role IN ('controller', 'display', 'supervisor', 'manager', 'auditor', 'administrator', 'server', 'witnessed'));

-- The keys of a house: the first that was seen, and those that a known key vouched for.
CREATE TABLE witness_key (
  identity   bytea   NOT NULL,
  public_key bytea   NOT NULL,
  vouched_by bytea,
  at         bigint  NOT NULL,
  actor_id   integer NOT NULL,
  CONSTRAINT witness_key_pkey PRIMARY KEY (identity, public_key),
  CONSTRAINT witness_key_identity_length CHECK (octet_length(identity) = 16),
  CONSTRAINT witness_key_public_key_length CHECK (octet_length(public_key) = 32),
  CONSTRAINT witness_key_vouched_by_length CHECK (octet_length(vouched_by) = 32)
);

-- Two first keys of a house can't both be its first.
CREATE UNIQUE INDEX witness_key_first ON witness_key (identity) WHERE vouched_by IS NULL;

-- A fork is a head that contradicts another one. Both are kept: together they convict the house.
CREATE TABLE witness_head (
  identity   bytea   NOT NULL,
  link_id    integer NOT NULL,
  number     bigint  NOT NULL,
  hash       bytea   NOT NULL,
  previous   bytea   NOT NULL,
  head       bytea   NOT NULL,
  public_key bytea   NOT NULL,
  signature  bytea   NOT NULL,
  is_fork    boolean NOT NULL,
  at         bigint  NOT NULL,
  actor_id   integer NOT NULL,
  CONSTRAINT witness_head_pkey PRIMARY KEY (identity, link_id, number, hash),
  CONSTRAINT witness_head_key_known FOREIGN KEY (identity, public_key) REFERENCES witness_key,
  CONSTRAINT witness_head_number_positive CHECK (number > 0),
  CONSTRAINT witness_head_hash_sha256 CHECK (octet_length(hash) = 32),
  CONSTRAINT witness_head_previous_sha256 CHECK (octet_length(previous) = 32),
  CONSTRAINT witness_head_signature_length CHECK (octet_length(signature) = 64)
);

-- One head follows another. A second one is a fork, also if two nodes take both at the same moment.
CREATE UNIQUE INDEX witness_head_follows ON witness_head (identity, link_id, number, previous) WHERE NOT is_fork;
CREATE INDEX witness_head_forks ON witness_head (identity, link_id) WHERE is_fork;

-- The number of the newest head of each chain that a witness has. A witness is named by its address.
CREATE TABLE witness_position (
  witness text    NOT NULL,
  link_id integer NOT NULL,
  number  bigint  NOT NULL,
  CONSTRAINT witness_position_pkey PRIMARY KEY (witness, link_id)
);

DO $$
DECLARE
  one text;
BEGIN
  FOREACH one IN ARRAY ARRAY['witness_key', 'witness_head'] LOOP
    EXECUTE format('CREATE TRIGGER append_only BEFORE UPDATE OR DELETE ON %I
                    FOR EACH ROW EXECUTE FUNCTION meterhouse_refuse_change()', one);
    EXECUTE format('CREATE TRIGGER append_only_whole BEFORE TRUNCATE ON %I
                    FOR EACH STATEMENT EXECUTE FUNCTION meterhouse_refuse_change()', one);
  END LOOP;
END
$$;

GRANT SELECT, INSERT ON witness_key, witness_head TO meterhouse_app;
GRANT SELECT, INSERT, UPDATE ON witness_position TO meterhouse_app;
