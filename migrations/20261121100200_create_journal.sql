-- The journal: batches, their events, and the marks that find an old command.

CREATE TABLE batch (
  link_id      integer  NOT NULL,
  batch        bigint   NOT NULL,
  at           bigint   NOT NULL,
  node         text     NOT NULL,
  epoch        bigint   NOT NULL,
  rule_version smallint NOT NULL,
  period       integer  NOT NULL,
  events       integer  NOT NULL,
  deltas       bigint[] NOT NULL,
  after        bigint[] NOT NULL,
  chain_hash   bytea    NOT NULL,
  CONSTRAINT batch_pkey PRIMARY KEY (link_id, batch),
  CONSTRAINT batch_number_positive CHECK (batch > 0),
  CONSTRAINT batch_events_positive CHECK (events > 0),
  CONSTRAINT batch_chain_hash_sha256 CHECK (octet_length(chain_hash) = 32),
  CONSTRAINT batch_books_stand CHECK (meterhouse_books_stand(deltas, after))
) WITH (
  autovacuum_vacuum_insert_threshold = 200000,
  autovacuum_vacuum_insert_scale_factor = 0.05,
  autovacuum_analyze_scale_factor = 0.05
);
-- What the balances were at a moment, for the reconciliation.
CREATE INDEX batch_link_id_at_idx ON batch (link_id, at, batch);

-- The key is the only b-tree on all events. No foreign key from it or to it: one costs two thirds of the rate.
-- Sets of seats fit a smallint: their top bit is unused.
CREATE TABLE event (
  link_id      integer  NOT NULL,
  period       integer  NOT NULL,
  batch        bigint   NOT NULL,
  position     integer  NOT NULL,
  table_no     integer,
  actor_id     integer  NOT NULL,
  sequence     bigint,
  kind         smallint NOT NULL,
  refusal      smallint,
  own_seats    smallint,
  dealer_seats smallint,
  i1           bigint,
  i2           bigint,
  i3           bigint,
  i4           bigint,
  record       bytea,
  CONSTRAINT event_pkey PRIMARY KEY (link_id, period, batch, position)
) PARTITION BY RANGE (period);
-- What people, displays and reports ask for; kinds below 16 are a table's routine.
CREATE INDEX event_happening_idx ON event (link_id, batch, position) WHERE kind >= 16;

-- One row for each 64 commands of a table: where to begin to look for an old one.
CREATE TABLE table_mark (
  link_id  integer NOT NULL,
  table_no integer NOT NULL,
  sequence bigint  NOT NULL,
  period   integer NOT NULL,
  batch    bigint  NOT NULL,
  position integer NOT NULL,
  CONSTRAINT table_mark_pkey PRIMARY KEY (link_id, table_no, sequence)
);
