-- The numbers of documents that are being recorded. Two cages that enter one number in the same moment, even on two nodes, for
-- payouts of two hits are told apart here: the second one is refused. A row ends with the recording; one that a dead node left
-- counts for a minute. It says nothing about money.
CREATE TABLE document_claim (
  document   text        NOT NULL,
  link_id    integer     NOT NULL,
  table_no   integer     NOT NULL,
  sequence   bigint      NOT NULL,
  hit_number smallint    NOT NULL,
  at         timestamptz NOT NULL,
  CONSTRAINT document_claim_pkey PRIMARY KEY (document)
);

GRANT SELECT, INSERT, UPDATE, DELETE ON document_claim TO meterhouse_app;
