-- What people clear and sign: exceptions of the journal, and days of a link with the report as it was signed.

-- An exception is an event of the journal, named by its place there. A row says who cleared it.
CREATE TABLE exception_clearance (
  link_id  integer NOT NULL,
  batch    bigint  NOT NULL,
  position integer NOT NULL,
  actor_id integer NOT NULL,
  at       bigint  NOT NULL,
  reason   text    NOT NULL,
  CONSTRAINT exception_clearance_pkey PRIMARY KEY (link_id, batch, position),
  CONSTRAINT exception_clearance_batch_positive CHECK (batch > 0),
  CONSTRAINT exception_clearance_position_not_negative CHECK (position >= 0),
  CONSTRAINT exception_clearance_reason_length CHECK (octet_length(reason) BETWEEN 1 AND 256)
);

-- A day is counted from 1970-01-01 in UTC. The report is what the person saw and signed, as its bytes.
CREATE TABLE closing (
  link_id  integer NOT NULL,
  day      integer NOT NULL,
  actor_id integer NOT NULL,
  at       bigint  NOT NULL,
  note     text,
  report   bytea   NOT NULL,
  CONSTRAINT closing_pkey PRIMARY KEY (link_id, day),
  CONSTRAINT closing_note_length CHECK (octet_length(note) BETWEEN 1 AND 256),
  CONSTRAINT closing_report_there CHECK (octet_length(report) > 0)
);

DO $$
DECLARE
  one text;
BEGIN
  FOREACH one IN ARRAY ARRAY['exception_clearance', 'closing'] LOOP
    EXECUTE format('CREATE TRIGGER append_only BEFORE UPDATE OR DELETE ON %I
                    FOR EACH ROW EXECUTE FUNCTION meterhouse_refuse_change()', one);
    EXECUTE format('CREATE TRIGGER append_only_whole BEFORE TRUNCATE ON %I
                    FOR EACH STATEMENT EXECUTE FUNCTION meterhouse_refuse_change()', one);
  END LOOP;
END
$$;

GRANT SELECT, INSERT ON exception_clearance, closing TO meterhouse_app;

-- Counts that differ from the accepted wagers are few among all counts. Made on the parent, so that it is on every
-- partition, and meterhouse_make_periods copies it to later ones.
CREATE INDEX IF NOT EXISTS event_miscount_idx ON event (link_id, batch, position) WHERE kind = 2 AND i1 <> i2;
