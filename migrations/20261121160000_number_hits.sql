-- A settled round records several hits under one number of its table, and a late hit stands under its round's
-- coin-in: both are told apart by their own number. A bonus of the draw has no hand.

-- The defaults stay: a server of the release before knows none of these columns and goes on meanwhile.
ALTER TABLE hit
  ADD COLUMN number          smallint NOT NULL DEFAULT 0,
  ADD COLUMN reserve_before  bigint,
  ADD COLUMN overflow_before bigint,
  ADD CONSTRAINT hit_number_not_negative CHECK (number >= 0),
  ALTER COLUMN hand DROP NOT NULL,
  DROP CONSTRAINT hit_pkey,
  ADD CONSTRAINT hit_pkey PRIMARY KEY (link_id, table_no, sequence, number);

ALTER TABLE payout
  ADD COLUMN hit_number smallint NOT NULL DEFAULT 0,
  ADD CONSTRAINT payout_hit_number_not_negative CHECK (hit_number >= 0),
  DROP CONSTRAINT payout_pkey,
  ADD CONSTRAINT payout_pkey PRIMARY KEY (link_id, table_no, sequence, hit_number, number);
