-- The one way to a partition of event. CREATE … LIKE and ATTACH, because CREATE … PARTITION OF would lock the
-- whole journal; triggers before ATTACH, so that no moment is without them.

-- Makes the periods first_period, first_period + 1, … that are missing, and answers how many it made.
-- Runs as the owner for the application's role, which can't create anything else. Two nodes at once wait for
-- each other here (an advisory lock until the end of the transaction, bounded by the caller's lock_timeout);
-- each statement below then sees what the other one made.
CREATE FUNCTION meterhouse_make_periods(first_period integer, period_count integer) RETURNS integer
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

REVOKE ALL ON FUNCTION meterhouse_make_periods(integer, integer) FROM PUBLIC;
