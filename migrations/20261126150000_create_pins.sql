-- Signatures: the PINs of people, wrong PINs in a row, and the sessions that are signatures.

-- The newest row of a person counts; without a hash there is none.
CREATE TABLE pin (
  actor_id integer NOT NULL,
  set_at   bigint  NOT NULL,
  hash     text,
  voucher  bytea,
  CONSTRAINT pin_pkey PRIMARY KEY (actor_id, set_at),
  CONSTRAINT pin_actor_id_fkey FOREIGN KEY (actor_id) REFERENCES actor
);

-- Wrong PINs in a row, by name. Names that nobody has share a limited number of rows.
CREATE TABLE pin_failure (
  name      text    NOT NULL,
  failures  integer NOT NULL,
  failed_at bigint  NOT NULL,
  CONSTRAINT pin_failure_pkey PRIMARY KEY (name),
  CONSTRAINT pin_failure_failures_positive CHECK (failures > 0)
);

-- A signature is a short session of a person whose PIN was right on the session of another.
ALTER TABLE session ADD COLUMN is_signature boolean NOT NULL DEFAULT false;

CREATE TRIGGER append_only BEFORE UPDATE OR DELETE ON pin
  FOR EACH ROW EXECUTE FUNCTION meterhouse_refuse_change();
CREATE TRIGGER append_only_whole BEFORE TRUNCATE ON pin
  FOR EACH STATEMENT EXECUTE FUNCTION meterhouse_refuse_change();

GRANT SELECT, INSERT ON pin TO meterhouse_app;
GRANT SELECT, INSERT, UPDATE, DELETE ON pin_failure TO meterhouse_app;
