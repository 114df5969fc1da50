-- Append-only in the database itself. TRUNCATE has no row trigger, and a parent's TRUNCATE trigger does not
-- stop TRUNCATE of a partition, so that each partition of event gets its own two (meterhouse_make_periods).

DO $$
DECLARE
  journal text;
BEGIN
  FOREACH journal IN ARRAY ARRAY['paytable', 'link', 'game_table', 'batch', 'table_mark'] LOOP
    EXECUTE format('CREATE TRIGGER append_only BEFORE UPDATE OR DELETE ON %I
                    FOR EACH ROW EXECUTE FUNCTION meterhouse_refuse_change()', journal);
    EXECUTE format('CREATE TRIGGER append_only_whole BEFORE TRUNCATE ON %I
                    FOR EACH STATEMENT EXECUTE FUNCTION meterhouse_refuse_change()', journal);
  END LOOP;
END
$$;

CREATE TRIGGER append_only_whole BEFORE UPDATE OR DELETE OR TRUNCATE ON event
  FOR EACH STATEMENT EXECUTE FUNCTION meterhouse_refuse_change();
