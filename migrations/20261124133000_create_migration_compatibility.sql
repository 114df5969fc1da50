-- Which programs run on the schema after a migration, so that an older server knows if it may start on a newer schema.

-- A program whose newest migration is `compatible_from` or later runs on the schema after `version`. `meterhouse migrate`
-- adds the row before it applies that migration. A version without a row allows no older program.
CREATE TABLE migration_compatibility (
  version         bigint NOT NULL,
  compatible_from bigint NOT NULL,
  CONSTRAINT migration_compatibility_pkey PRIMARY KEY (version),
  CONSTRAINT migration_compatibility_not_later CHECK (compatible_from <= version)
);

CREATE TRIGGER append_only BEFORE UPDATE OR DELETE ON migration_compatibility
  FOR EACH ROW EXECUTE FUNCTION meterhouse_refuse_change();
CREATE TRIGGER append_only_whole BEFORE TRUNCATE ON migration_compatibility
  FOR EACH STATEMENT EXECUTE FUNCTION meterhouse_refuse_change();

GRANT SELECT ON migration_compatibility TO meterhouse_app;
