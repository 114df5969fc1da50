-- A meter falls for a reason that the journal names, or not at all.

-- Refuses a batch that lowered a meter without an event that may: 18 a hit recorded, 26 a round settled with
-- hits (it was won), 19 a hit cancelled, 21 a hit rejected (its restart is taken back), 23 a round voided,
-- 34 a change approved by two people. Money that a ceiling keeps out of a meter was never in it, and what
-- comes in with the same batch may hide a fall: each event's own entries are the rules' and `verify`'s matter.
CREATE FUNCTION meterhouse_refuse_meter_fall() RETURNS trigger
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  -- All these kinds are in event_happening_idx.
  IF NOT EXISTS (
    SELECT FROM public.event
    WHERE link_id = NEW.link_id AND period = NEW.period AND batch = NEW.batch
      AND kind >= 16 AND kind IN (18, 19, 21, 23, 26, 34)) THEN
    RAISE EXCEPTION 'batch % of link % lowers a meter, and no event in it may', NEW.batch, NEW.link_id
      USING ERRCODE = 'check_violation', CONSTRAINT = 'batch_meter_fall_has_reason', TABLE = TG_TABLE_NAME;
  END IF;
  RETURN NULL;
END
$$;

REVOKE ALL ON FUNCTION meterhouse_refuse_meter_fall() FROM PUBLIC;

-- After the statement that commits, so that the batch's events are there. The third of each book's eight
-- accounts is its meter; a link has at most five books. Most batches end at the WHEN.
CREATE TRIGGER batch_meter_fall_has_reason AFTER INSERT ON batch
  FOR EACH ROW
  WHEN (NEW.deltas[3] < 0 OR NEW.deltas[11] < 0 OR NEW.deltas[19] < 0 OR NEW.deltas[27] < 0
        OR NEW.deltas[35] < 0)
  EXECUTE FUNCTION meterhouse_refuse_meter_fall();
