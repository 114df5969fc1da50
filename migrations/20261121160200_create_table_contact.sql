-- When each table was last heard by any node, and whether it sends heartbeats. No part of the journal: what
-- follows from silence is journaled by whoever notices it.

-- All rows change about every second: half of each page stays free for heap-only updates, and vacuum comes
-- early. No foreign key: one table that is unknown must not keep all others of a note from being noted.
CREATE TABLE table_contact (
  link_id    integer NOT NULL,
  table_no   integer NOT NULL,
  heard_at   bigint  NOT NULL,
  heartbeats boolean NOT NULL,
  CONSTRAINT table_contact_pkey PRIMARY KEY (link_id, table_no),
  CONSTRAINT table_contact_table_no_positive CHECK (table_no > 0)
) WITH (
  fillfactor = 50,
  autovacuum_vacuum_threshold = 1000,
  autovacuum_vacuum_scale_factor = 0,
  autovacuum_vacuum_cost_delay = 0,
  autovacuum_analyze_threshold = 100000,
  autovacuum_analyze_scale_factor = 0
);

GRANT SELECT, INSERT, UPDATE ON table_contact TO meterhouse_app;
