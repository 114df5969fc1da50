-- The identity of this database, so that a data folder that kept it recognises the database, and no other.

CREATE TABLE database_identity (
  is_only  boolean NOT NULL DEFAULT true,
  identity uuid    NOT NULL DEFAULT gen_random_uuid(),
  CONSTRAINT database_identity_pkey PRIMARY KEY (is_only),
  CONSTRAINT database_identity_is_only CHECK (is_only)
);

INSERT INTO database_identity DEFAULT VALUES;

CREATE TRIGGER append_only BEFORE UPDATE OR DELETE ON database_identity
  FOR EACH ROW EXECUTE FUNCTION meterhouse_refuse_change();
CREATE TRIGGER append_only_whole BEFORE TRUNCATE ON database_identity
  FOR EACH STATEMENT EXECUTE FUNCTION meterhouse_refuse_change();

GRANT SELECT ON database_identity TO meterhouse_app;
