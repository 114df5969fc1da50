-- Slips of payouts: numbered for the whole house without a gap, with their reprints.

-- The number of the newest slip. A transaction locks this row, so that a number is used once, and given back if it fails.
CREATE TABLE slip_counter (
  is_only boolean NOT NULL DEFAULT true,
  last    bigint  NOT NULL,
  CONSTRAINT slip_counter_pkey PRIMARY KEY (is_only),
  CONSTRAINT slip_counter_one_row CHECK (is_only),
  CONSTRAINT slip_counter_last_counts CHECK (last >= 0)
);

INSERT INTO slip_counter (last) VALUES (0);

CREATE FUNCTION meterhouse_count_slips() RETURNS trigger
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  IF TG_OP <> 'UPDATE' OR NEW.last <> OLD.last + 1 THEN
    RAISE EXCEPTION 'slips are counted by one: % is refused', TG_OP
      USING ERRCODE = 'restrict_violation', CONSTRAINT = 'counts_by_one', TABLE = TG_TABLE_NAME;
  END IF;
  RETURN NEW;
END
$$;

REVOKE ALL ON FUNCTION meterhouse_count_slips() FROM PUBLIC;

CREATE TRIGGER counts_by_one BEFORE INSERT OR UPDATE OR DELETE ON slip_counter
  FOR EACH ROW EXECUTE FUNCTION meterhouse_count_slips();
CREATE TRIGGER counts_by_one_whole BEFORE TRUNCATE ON slip_counter
  FOR EACH STATEMENT EXECUTE FUNCTION meterhouse_refuse_change();

-- What a slip says is what was decided when it was made. Codes are those of the journal.
CREATE TABLE slip (
  number       bigint   NOT NULL,
  at           bigint   NOT NULL,
  actor_id     integer  NOT NULL,
  link_id      integer  NOT NULL,
  table_no     integer  NOT NULL,
  sequence     bigint   NOT NULL,
  hit_number   smallint NOT NULL,
  payout       integer  NOT NULL,
  amount       bigint   NOT NULL,
  seat         smallint NOT NULL,
  player       text,
  kind         smallint NOT NULL,
  charged_to   smallint NOT NULL,
  hit_order    bigint   NOT NULL,
  round        bigint   NOT NULL,
  hit_kind     smallint NOT NULL,
  hand         smallint,
  level        smallint,
  percent      smallint,
  cards        text,
  keyed_by     text,
  keyed_at     bigint   NOT NULL,
  decided_by   text,
  decided_at   bigint,
  replaces     bigint,
  CONSTRAINT slip_pkey PRIMARY KEY (number),
  CONSTRAINT slip_number_positive CHECK (number > 0),
  CONSTRAINT slip_amount_not_negative CHECK (amount >= 0),
  CONSTRAINT slip_replaces_an_earlier_one CHECK (replaces < number)
);

CREATE INDEX slip_payout_key ON slip (link_id, table_no, sequence, hit_number, payout, number);

CREATE TABLE slip_reprint (
  number   bigint  NOT NULL,
  reprint  integer NOT NULL,
  at       bigint  NOT NULL,
  actor_id integer NOT NULL,
  reason   text    NOT NULL,
  CONSTRAINT slip_reprint_pkey PRIMARY KEY (number, reprint),
  CONSTRAINT slip_reprint_of_a_slip FOREIGN KEY (number) REFERENCES slip (number),
  CONSTRAINT slip_reprint_positive CHECK (reprint > 0)
);

DO $$
DECLARE
  one text;
BEGIN
  FOREACH one IN ARRAY ARRAY['slip', 'slip_reprint'] LOOP
    EXECUTE format('CREATE TRIGGER append_only BEFORE UPDATE OR DELETE ON %I
                    FOR EACH ROW EXECUTE FUNCTION meterhouse_refuse_change()', one);
    EXECUTE format('CREATE TRIGGER append_only_whole BEFORE TRUNCATE ON %I
                    FOR EACH STATEMENT EXECUTE FUNCTION meterhouse_refuse_change()', one);
  END LOOP;
END
$$;

GRANT SELECT, INSERT ON slip, slip_reprint TO meterhouse_app;
GRANT SELECT, UPDATE ON slip_counter TO meterhouse_app;
