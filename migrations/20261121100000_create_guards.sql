-- The two functions that the tables' own rules need: who may not change, and whether books stand.

-- Refuses what a journal never does. Known by the name of the "constraint", like every other violation.
CREATE FUNCTION meterhouse_refuse_change() RETURNS trigger
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  RAISE EXCEPTION 'the journal is append-only: % of % is refused', TG_OP, TG_TABLE_NAME
    USING ERRCODE = 'restrict_violation', CONSTRAINT = 'append_only', TABLE = TG_TABLE_NAME;
END
$$;

-- Whether what a batch did sums to zero in every book of eight accounts, and no meter (3rd), reserve (4th),
-- overflow (5th) or pending (6th) is below zero after it. plpgsql, because as an SQL function the same check
-- costs 80 µs a batch. Sums are numeric, so that a sum out of range is a violation and no other error.
CREATE FUNCTION meterhouse_books_stand(deltas bigint[], after bigint[]) RETURNS boolean
LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  places CONSTANT integer := cardinality(after);
  place integer := 0;
BEGIN
  IF deltas IS NULL OR after IS NULL OR places = 0 OR places % 8 <> 0 OR cardinality(deltas) <> places
     OR array_ndims(deltas) <> 1 OR array_ndims(after) <> 1
     OR array_lower(deltas, 1) <> 1 OR array_lower(after, 1) <> 1 THEN
    RETURN false;
  END IF;
  WHILE place < places LOOP
    IF (deltas[place + 1]::numeric + deltas[place + 2] + deltas[place + 3] + deltas[place + 4]
        + deltas[place + 5] + deltas[place + 6] + deltas[place + 7] + deltas[place + 8] = 0
        AND after[place + 3] >= 0 AND after[place + 4] >= 0
        AND after[place + 5] >= 0 AND after[place + 6] >= 0
        AND after[place + 1] IS NOT NULL AND after[place + 2] IS NOT NULL
        AND after[place + 7] IS NOT NULL AND after[place + 8] IS NOT NULL) IS NOT TRUE THEN
      RETURN false;
    END IF;
    place := place + 8;
  END LOOP;
  RETURN true;
END
$$;

REVOKE ALL ON FUNCTION meterhouse_refuse_change() FROM PUBLIC;
REVOKE ALL ON FUNCTION meterhouse_books_stand(bigint[], bigint[]) FROM PUBLIC;
