-- Balances are stored once: a compact head has none of its own, and its batches store no zeros.

-- A batch had all deltas and all balances, most of them zero, and the head had the balances once more: half of the bytes of a
-- small batch. In a batch of a compact link each zero is NULL, which takes one bit, and the head's balances are those of its
-- batch. Programs before this migration can't read a compact link, so no link of theirs is one until `meterhouse migrate
-- --compact`. A new link is compact if all others are.
ALTER TABLE link_head ADD COLUMN is_compact boolean NOT NULL DEFAULT false;

-- The rules and names of meterhouse_guard_batch() stay. A delta or balance that is NULL is zero.
CREATE OR REPLACE FUNCTION meterhouse_guard_batch() RETURNS trigger
LANGUAGE plpgsql
AS $$
DECLARE
  deltas CONSTANT bigint[] := array_replace(NEW.deltas, NULL, 0);
  after CONSTANT bigint[] := array_replace(NEW.after, NULL, 0);
  places CONSTANT integer := cardinality(NEW.after);
  -- Eight deltas below 2^60 have a sum in range.
  is_large CONSTANT boolean :=
    (1152921504606846976 > ALL (deltas) AND -1152921504606846976 < ALL (deltas)) IS FALSE;
  stands boolean;
  falls boolean := false;
  broken text;
BEGIN
  stands := cardinality(deltas) = places AND places > 0 AND places % 8 = 0
    AND array_ndims(after) = 1 AND array_lower(after, 1) = 1;
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

-- What people read in dollars, from the balances of the head's batch where the head has none.
CREATE OR REPLACE VIEW book AS
SELECT link.name AS link,
       place / 8 AS book,
       8 * (place / 8 + 1) = cardinality(stands) AS is_fixed,
       stands[place + 1]::numeric / 1000000 AS players,
       stands[place + 2]::numeric / 1000000 AS house,
       stands[place + 3]::numeric / 1000000 AS meter,
       stands[place + 4]::numeric / 1000000 AS reserve,
       stands[place + 5]::numeric / 1000000 AS overflow,
       stands[place + 6]::numeric / 1000000 AS pending,
       stands[place + 7]::numeric / 1000000 AS paid,
       stands[place + 8]::numeric / 1000000 AS in_transit
FROM link
JOIN link_head AS head USING (link_id)
LEFT JOIN batch AS last USING (link_id, batch)
CROSS JOIN LATERAL array_replace(COALESCE(NULLIF(head.balances, '{}'), last.after), NULL, 0) AS stands
CROSS JOIN LATERAL generate_series(0, cardinality(stands) - 8, 8) AS place;
