-- States of links, so that a start reads the journal's tail only. A cache: never needed, may be deleted.

CREATE TABLE snapshot (
  link_id    integer  NOT NULL,
  batch      bigint   NOT NULL,
  format     smallint NOT NULL,
  chain_hash bytea    NOT NULL,
  state      bytea    NOT NULL,
  CONSTRAINT snapshot_pkey PRIMARY KEY (link_id, batch)
);
