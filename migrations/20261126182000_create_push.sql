-- Web push: the browsers that are told of waiting hits, and the hits that were told. No money, so that they are not in the journal.

-- A browser has one subscription, of the person who turned it on last.
CREATE TABLE push_subscription (
  endpoint_hash bytea   NOT NULL,
  actor_id      integer NOT NULL,
  endpoint      text    NOT NULL,
  p256dh        text    NOT NULL,
  auth          text    NOT NULL,
  created_at    bigint  NOT NULL,
  CONSTRAINT push_subscription_pkey PRIMARY KEY (endpoint_hash),
  CONSTRAINT push_subscription_actor_id_fkey FOREIGN KEY (actor_id) REFERENCES actor,
  CONSTRAINT push_subscription_endpoint_length CHECK (octet_length(endpoint) <= 2048)
);
CREATE INDEX push_subscription_actor_idx ON push_subscription (actor_id, created_at);

-- A hit is told once, by the node whose row this is. Rows are kept for a day.
CREATE TABLE push_notice (
  link_id  integer  NOT NULL,
  table_no integer  NOT NULL,
  sequence bigint   NOT NULL,
  number   smallint NOT NULL,
  at       bigint   NOT NULL,
  CONSTRAINT push_notice_pkey PRIMARY KEY (link_id, table_no, sequence, number)
);

GRANT SELECT, INSERT, UPDATE, DELETE ON push_subscription TO meterhouse_app;
GRANT SELECT, INSERT, DELETE ON push_notice TO meterhouse_app;
