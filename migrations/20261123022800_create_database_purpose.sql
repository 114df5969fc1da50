-- What a database was made for, where that is play money: the demo and the load generator play nowhere else.
-- No row: a database of a casino. A database that has a link or a person is never made another's.
CREATE TABLE database_purpose (
  purpose text NOT NULL
    CONSTRAINT database_purpose_known CHECK (purpose IN ('demo', 'load')),
  made_at bigint NOT NULL,
  only_row boolean NOT NULL DEFAULT true
    CONSTRAINT database_purpose_pkey PRIMARY KEY
    CONSTRAINT database_purpose_one CHECK (only_row)
);

CREATE FUNCTION meterhouse_refuse_purpose() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM link) OR EXISTS (SELECT FROM actor WHERE role <> 'server') THEN
    RAISE EXCEPTION 'a database in use keeps its purpose'
      USING ERRCODE = 'integrity_constraint_violation', CONSTRAINT = 'database_purpose_unused';
  END IF;
  RETURN NEW;
END $$;

CREATE TRIGGER unused BEFORE INSERT ON database_purpose
  FOR EACH ROW EXECUTE FUNCTION meterhouse_refuse_purpose();
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE ON database_purpose
  FOR EACH ROW EXECUTE FUNCTION meterhouse_refuse_change();
CREATE TRIGGER append_only_whole BEFORE TRUNCATE ON database_purpose
  FOR EACH STATEMENT EXECUTE FUNCTION meterhouse_refuse_change();

GRANT SELECT, INSERT ON database_purpose TO meterhouse_app;
