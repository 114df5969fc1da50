-- Archived months: a month whose events are in a file, and the states that loading begins with then.

-- Written by `meterhouse archive write` once the file was read back and proven.
CREATE TABLE archived_period (
  period    integer NOT NULL,
  at        bigint  NOT NULL,
  file_hash bytea   NOT NULL,
  bytes     bigint  NOT NULL,
  links     integer NOT NULL,
  batches   bigint  NOT NULL,
  events    bigint  NOT NULL,
  CONSTRAINT archived_period_pkey PRIMARY KEY (period),
  CONSTRAINT archived_period_file_hash_sha256 CHECK (octet_length(file_hash) = 32),
  CONSTRAINT archived_period_counts_positive CHECK (bytes > 0 AND links > 0 AND batches > 0 AND events > 0)
);

-- The state of a link after its last batch of an archived month, computed from the events. Unlike a snapshot it is
-- needed: without the month's events nothing else gives it. `kinds` are the notable kinds of all archived events,
-- `paytables` what each table named when it joined, by its number: no state has that.
CREATE TABLE archived_state (
  link_id    integer    NOT NULL,
  period     integer    NOT NULL,
  batch      bigint     NOT NULL,
  chain_hash bytea      NOT NULL,
  format     smallint   NOT NULL,
  kinds      smallint[] NOT NULL,
  paytables  text[]     NOT NULL,
  state      bytea      NOT NULL,
  CONSTRAINT archived_state_pkey PRIMARY KEY (link_id, period),
  CONSTRAINT archived_state_period_fkey FOREIGN KEY (period) REFERENCES archived_period,
  CONSTRAINT archived_state_batch_positive CHECK (batch > 0),
  CONSTRAINT archived_state_chain_hash_sha256 CHECK (octet_length(chain_hash) = 32)
);

DO $$
DECLARE
  archived text;
BEGIN
  FOREACH archived IN ARRAY ARRAY['archived_period', 'archived_state'] LOOP
    EXECUTE format('CREATE TRIGGER append_only BEFORE UPDATE OR DELETE ON %I
                    FOR EACH ROW EXECUTE FUNCTION meterhouse_refuse_change()', archived);
    EXECUTE format('CREATE TRIGGER append_only_whole BEFORE TRUNCATE ON %I
                    FOR EACH STATEMENT EXECUTE FUNCTION meterhouse_refuse_change()', archived);
  END LOOP;
END
$$;

GRANT SELECT ON archived_period, archived_state TO meterhouse_app;

-- As before, but an archived month is never made again.
CREATE OR REPLACE FUNCTION meterhouse_make_periods(first_period integer, period_count integer) RETURNS integer
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  made integer := 0;
  one integer;
  partition text;
BEGIN
  -- The years 2000 to 2999, ten years at once: no call can fill the catalogue.
  IF first_period IS NULL OR period_count IS NULL OR first_period < 24000 OR first_period > 35999
     OR period_count < 0 OR period_count > 120 THEN
    RAISE EXCEPTION 'no periods to make: first %, count %', first_period, period_count
      USING ERRCODE = 'invalid_parameter_value';
  END IF;
  PERFORM pg_advisory_xact_lock(7740823519046);
  FOR one IN first_period .. first_period + period_count - 1 LOOP
    partition := format('event_%s', one);
    CONTINUE WHEN EXISTS (
      SELECT FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
      WHERE i.inhparent = 'public.event'::regclass AND c.relname = partition);
    CONTINUE WHEN EXISTS (SELECT FROM public.archived_period WHERE period = one);
    EXECUTE format('CREATE TABLE public.%I (LIKE public.event INCLUDING DEFAULTS INCLUDING CONSTRAINTS
                    INCLUDING INDEXES INCLUDING STORAGE) WITH (
                      autovacuum_vacuum_insert_threshold = 500000,
                      autovacuum_vacuum_insert_scale_factor = 0.05,
                      autovacuum_analyze_scale_factor = 0.05)', partition);
    EXECUTE format('CREATE TRIGGER append_only BEFORE UPDATE OR DELETE ON public.%I
                    FOR EACH ROW EXECUTE FUNCTION public.meterhouse_refuse_change()', partition);
    EXECUTE format('CREATE TRIGGER append_only_whole BEFORE TRUNCATE ON public.%I
                    FOR EACH STATEMENT EXECUTE FUNCTION public.meterhouse_refuse_change()', partition);
    EXECUTE format('ALTER TABLE public.event ATTACH PARTITION public.%I FOR VALUES FROM (%s) TO (%s)',
                   partition, one, one + 1);
    made := made + 1;
  END LOOP;
  RETURN made;
END
$$;
