-- The guard of batches lets a round that was settled with its fixed wagers lower a meter: its event has a kind of its own.

-- The rules and names of meterhouse_guard_batch() stay. Of the events that may lower a meter, 40 is new: a round settled with
-- fixed wagers and hits. The others are 18, 19, 21, 23, 26 and 34, as before.
CREATE OR REPLACE FUNCTION meterhouse_guard_batch() RETURNS trigger
LANGUAGE plpgsql
AS $$
DECLARE
  deltas CONSTANT bigint[] := NEW.deltas;
  after CONSTANT bigint[] := NEW.after;
  places CONSTANT integer := cardinality(NEW.after);
  -- Eight deltas below 2^60 have a sum in range.
  is_large CONSTANT boolean :=
    (1152921504606846976 > ALL (NEW.deltas) AND -1152921504606846976 < ALL (NEW.deltas)) IS FALSE;
  stands boolean;
  falls boolean := false;
  broken text;
BEGIN
  stands := cardinality(deltas) = places AND places > 0 AND places % 8 = 0
    AND array_ndims(after) = 1 AND array_lower(after, 1) = 1
    AND num_nulls(VARIADIC after) = 0 AND num_nulls(VARIADIC deltas) = 0;
  IF stands IS TRUE THEN
    FOR place IN 0 .. places - 8 BY 8 LOOP
      stands := stands
        AND (is_large OR deltas[place + 1] + deltas[place + 2] + deltas[place + 3] + deltas[place + 4]
          + deltas[place + 5] + deltas[place + 6] + deltas[place + 7] + deltas[place + 8] = 0)
        AND 0 <= ALL (after[place + 3 : place + 6]);
      falls := falls OR deltas[place + 3] < 0;
    END LOOP;
    IF is_large THEN
      stands := stands AND NOT EXISTS (
        SELECT FROM unnest(deltas) WITH ORDINALITY AS moved (delta, place)
        GROUP BY (place - 1) / 8 HAVING sum(delta) <> 0);
    END IF;
  END IF;
  IF (stands AND NEW.batch > 0 AND NEW.events > 0 AND octet_length(NEW.chain_hash) = 32) IS NOT TRUE THEN
    broken := CASE
      WHEN stands IS NOT TRUE THEN 'batch_books_stand'
      WHEN NEW.batch <= 0 THEN 'batch_number_positive'
      WHEN NEW.events <= 0 THEN 'batch_events_positive'
      ELSE 'batch_chain_hash_sha256'
    END;
    RAISE EXCEPTION 'batch % of link % is refused: %', NEW.batch, NEW.link_id, broken
      USING ERRCODE = 'check_violation', CONSTRAINT = broken, TABLE = TG_TABLE_NAME;
  END IF;
  -- A condition with a query is executed as a query, so that it stands by itself.
  IF falls THEN
    -- All these kinds are in event_happening_idx.
    IF NOT EXISTS (
      SELECT FROM public.event
      WHERE link_id = NEW.link_id AND period = NEW.period AND batch = NEW.batch
        AND kind >= 16 AND kind IN (18, 19, 21, 23, 26, 34, 40)) THEN
      RAISE EXCEPTION 'batch % of link % lowers a meter, and no event in it may', NEW.batch, NEW.link_id
        USING ERRCODE = 'check_violation', CONSTRAINT = 'batch_meter_fall_has_reason', TABLE = TG_TABLE_NAME;
    END IF;
  END IF;
  RETURN NULL;
END
$$;
