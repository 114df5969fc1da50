-- Links, the paytables they were opened with, their tables, and the one row of each that moves.

CREATE TABLE paytable (
  content_hash bytea NOT NULL,
  paytable_id  text  NOT NULL,
  document     bytea NOT NULL,
  CONSTRAINT paytable_pkey PRIMARY KEY (content_hash),
  CONSTRAINT paytable_content_hash_sha256 CHECK (octet_length(content_hash) = 32)
);

CREATE TABLE link (
  link_id        integer GENERATED ALWAYS AS IDENTITY,
  name           text     NOT NULL,
  paytable_id    text     NOT NULL,
  content_hash   bytea    NOT NULL,
  wager_micros   bigint   NOT NULL,
  decks          smallint NOT NULL,
  reserve_policy text     NOT NULL,
  created_at     bigint   NOT NULL,
  CONSTRAINT link_pkey PRIMARY KEY (link_id),
  CONSTRAINT link_name_key UNIQUE (name),
  CONSTRAINT link_content_hash_fkey FOREIGN KEY (content_hash) REFERENCES paytable,
  CONSTRAINT link_wager_positive CHECK (wager_micros > 0),
  CONSTRAINT link_decks_positive CHECK (decks > 0)
);

-- Every commit of a link updates its row: half of each page stays free, so that the new version finds room
-- beside the old one (heap-only, no index is touched), and vacuum comes early.
CREATE TABLE link_head (
  link_id    integer  NOT NULL,
  batch      bigint   NOT NULL,
  epoch      bigint   NOT NULL,
  chain_hash bytea    NOT NULL,
  period     integer  NOT NULL,
  status     smallint NOT NULL,
  balances   bigint[] NOT NULL,
  CONSTRAINT link_head_pkey PRIMARY KEY (link_id),
  CONSTRAINT link_head_link_id_fkey FOREIGN KEY (link_id) REFERENCES link,
  CONSTRAINT link_head_batch_not_negative CHECK (batch >= 0),
  CONSTRAINT link_head_chain_hash_sha256 CHECK (octet_length(chain_hash) = 32)
) WITH (
  fillfactor = 50,
  autovacuum_vacuum_threshold = 1000,
  autovacuum_vacuum_scale_factor = 0,
  autovacuum_vacuum_cost_delay = 0,
  autovacuum_analyze_threshold = 100000,
  autovacuum_analyze_scale_factor = 0
);

CREATE TABLE game_table (
  link_id   integer  NOT NULL,
  table_no  integer  NOT NULL,
  name      text     NOT NULL,
  game      text     NOT NULL,
  seats     smallint NOT NULL,
  joined_at bigint   NOT NULL,
  CONSTRAINT game_table_pkey PRIMARY KEY (link_id, table_no),
  CONSTRAINT game_table_name_key UNIQUE (name),
  CONSTRAINT game_table_link_id_fkey FOREIGN KEY (link_id) REFERENCES link,
  CONSTRAINT game_table_table_no_positive CHECK (table_no > 0),
  CONSTRAINT game_table_seats_positive CHECK (seats > 0)
);
