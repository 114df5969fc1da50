-- Hits and payouts as they stand now: projections of the journal for people, written by the commit statement.
-- `verify` rebuilds them. Codes (state, kind, hand, charged_to, handed_over) are the journal's.

CREATE TABLE hit (
  link_id          integer  NOT NULL,
  table_no         integer  NOT NULL,
  sequence         bigint   NOT NULL,
  hit_order        bigint   NOT NULL,
  round            bigint   NOT NULL,
  state            smallint NOT NULL,
  kind             smallint NOT NULL,
  hand             smallint NOT NULL,
  seat             smallint,
  level            smallint,
  percent          smallint,
  before           bigint,
  after            bigint,
  due              bigint   NOT NULL,
  keyed_by_actor   integer  NOT NULL,
  keyed_by         text,
  keyed_at         bigint   NOT NULL,
  decided_by_actor integer,
  decided_by       text,
  decided_at       bigint,
  note             text,
  cards            text,
  validated_cards  text,
  -- Payouts numbered above this were taken back when the hit was settled again; readers leave them out.
  payout_count     integer  NOT NULL,
  CONSTRAINT hit_pkey PRIMARY KEY (link_id, table_no, sequence),
  CONSTRAINT hit_order_key UNIQUE (link_id, hit_order),
  CONSTRAINT hit_due_not_negative CHECK (due >= 0)
) WITH (fillfactor = 80);
CREATE INDEX hit_state_idx ON hit (link_id, state, hit_order);

CREATE TABLE payout (
  link_id       integer  NOT NULL,
  table_no      integer  NOT NULL,
  sequence      bigint   NOT NULL,
  number        integer  NOT NULL,
  seat          smallint NOT NULL,
  player        text,
  kind          smallint NOT NULL,
  amount        bigint   NOT NULL,
  charged_to    smallint NOT NULL,
  handed_over   smallint NOT NULL,
  paid_at       bigint,
  paid_by_actor integer,
  document      text,
  CONSTRAINT payout_pkey PRIMARY KEY (link_id, table_no, sequence, number),
  CONSTRAINT payout_number_positive CHECK (number > 0),
  CONSTRAINT payout_amount_not_negative CHECK (amount >= 0)
) WITH (fillfactor = 80);
