-- People log in: passwords, second factors, sessions; what everybody did; and whose credentials the house vouches for.

ALTER TABLE actor DROP CONSTRAINT actor_role_known, ADD CONSTRAINT actor_role_known CHECK
  (role IN ('controller', 'display', 'supervisor', 'manager', 'auditor', 'administrator', 'server'));

-- The signature of the house's key for a credential and its owner: public key, signature. Programs that know none leave it out.
ALTER TABLE token ADD COLUMN voucher bytea;

-- The newest password of a person counts.
CREATE TABLE password (
  actor_id integer NOT NULL,
  set_at   bigint  NOT NULL,
  hash     text    NOT NULL,
  voucher  bytea,
  CONSTRAINT password_pkey PRIMARY KEY (actor_id, set_at),
  CONSTRAINT password_actor_id_fkey FOREIGN KEY (actor_id) REFERENCES actor
);

-- Codes with which a person sets the first password, or a new one.
CREATE TABLE password_code (
  code_hash  bytea   NOT NULL,
  actor_id   integer NOT NULL,
  created_at bigint  NOT NULL,
  expires_at bigint  NOT NULL,
  used_at    bigint,
  voucher    bytea,
  CONSTRAINT password_code_pkey PRIMARY KEY (code_hash),
  CONSTRAINT password_code_actor_id_fkey FOREIGN KEY (actor_id) REFERENCES actor,
  CONSTRAINT password_code_hash_sha256 CHECK (octet_length(code_hash) = 32)
);
CREATE INDEX password_code_actor_id_idx ON password_code (actor_id);

-- The newest second factor of a person counts; without a secret there is none. A step is used once.
CREATE TABLE second_factor (
  actor_id  integer NOT NULL,
  set_at    bigint  NOT NULL,
  secret    bytea,
  used_step bigint  NOT NULL DEFAULT 0,
  CONSTRAINT second_factor_pkey PRIMARY KEY (actor_id, set_at),
  CONSTRAINT second_factor_actor_id_fkey FOREIGN KEY (actor_id) REFERENCES actor
);

-- Whether a person or program may come in at all: the newest row counts, and without one they may.
CREATE TABLE actor_access (
  actor_id   integer NOT NULL,
  changed_at bigint  NOT NULL,
  is_ended   boolean NOT NULL,
  CONSTRAINT actor_access_pkey PRIMARY KEY (actor_id, changed_at),
  CONSTRAINT actor_access_actor_id_fkey FOREIGN KEY (actor_id) REFERENCES actor
);

CREATE TABLE session (
  session_hash bytea   NOT NULL,
  actor_id     integer NOT NULL,
  created_at   bigint  NOT NULL,
  expires_at   bigint  NOT NULL,
  seen_at      bigint  NOT NULL,
  ended_at     bigint,
  voucher      bytea,
  CONSTRAINT session_pkey PRIMARY KEY (session_hash),
  CONSTRAINT session_actor_id_fkey FOREIGN KEY (actor_id) REFERENCES actor,
  CONSTRAINT session_hash_sha256 CHECK (octet_length(session_hash) = 32)
);
CREATE INDEX session_actor_id_idx ON session (actor_id);

-- Failed logins in a row, by name. Names that nobody has share a limited number of rows.
CREATE TABLE login_failure (
  name      text    NOT NULL,
  failures  integer NOT NULL,
  failed_at bigint  NOT NULL,
  CONSTRAINT login_failure_pkey PRIMARY KEY (name),
  CONSTRAINT login_failure_failures_positive CHECK (failures > 0)
);

-- What people and programs did, beside the journal. The details are pairs: a name, then its value.
CREATE TABLE act (
  number   bigint  NOT NULL,
  at       bigint  NOT NULL,
  act      text    NOT NULL,
  actor_id integer,
  name     text,
  proof    text    NOT NULL,
  address  text,
  subject  text,
  details  text[]  NOT NULL,
  CONSTRAINT act_pkey PRIMARY KEY (number),
  CONSTRAINT act_number_positive CHECK (number > 0),
  CONSTRAINT act_details_paired CHECK (cardinality(details) % 2 = 0)
);
CREATE INDEX act_at_idx ON act (at, number);

CREATE TRIGGER append_only BEFORE UPDATE OR DELETE ON act
  FOR EACH ROW EXECUTE FUNCTION meterhouse_refuse_change();
CREATE TRIGGER append_only_whole BEFORE TRUNCATE ON act
  FOR EACH STATEMENT EXECUTE FUNCTION meterhouse_refuse_change();
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE ON password
  FOR EACH ROW EXECUTE FUNCTION meterhouse_refuse_change();
CREATE TRIGGER append_only_whole BEFORE TRUNCATE ON password
  FOR EACH STATEMENT EXECUTE FUNCTION meterhouse_refuse_change();
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE ON actor_access
  FOR EACH ROW EXECUTE FUNCTION meterhouse_refuse_change();
CREATE TRIGGER append_only_whole BEFORE TRUNCATE ON actor_access
  FOR EACH STATEMENT EXECUTE FUNCTION meterhouse_refuse_change();

GRANT SELECT, INSERT ON act, password, actor_access, password_code, second_factor, session TO meterhouse_app;
GRANT UPDATE (used_at) ON password_code TO meterhouse_app;
GRANT UPDATE (used_step) ON second_factor TO meterhouse_app;
GRANT UPDATE (seen_at, ended_at) ON session TO meterhouse_app;
GRANT SELECT, INSERT, UPDATE, DELETE ON login_failure TO meterhouse_app;
-- Credentials that were made before the house had a key are vouched for later, by a person's command.
GRANT UPDATE (voucher) ON token TO meterhouse_app;
