-- Attempts that were refused before the rules saw them: another command under a used number, another content under a
-- used name. No part of the journal: no table's sequence and no state of a link follows from them.

-- 1: another command under a used number; 2: other terms for an open link; 3: a table that is on another link; 4: another
-- proposal under a used name. A row stands for itself and for the suppressed ones of its kind and subject before it.
CREATE TABLE attempt (
  attempt_id bigint   NOT NULL GENERATED ALWAYS AS IDENTITY,
  at         bigint   NOT NULL,
  kind       smallint NOT NULL,
  actor_id   integer  NOT NULL,
  link_id    integer  NOT NULL,
  table_no   integer,
  sequence   bigint,
  node       text     NOT NULL,
  detail     text     NOT NULL,
  suppressed bigint   NOT NULL,
  CONSTRAINT attempt_pkey PRIMARY KEY (attempt_id),
  CONSTRAINT attempt_kind_known CHECK (kind BETWEEN 1 AND 4),
  CONSTRAINT attempt_detail_short CHECK (char_length(detail) <= 1000),
  CONSTRAINT attempt_suppressed_not_negative CHECK (suppressed >= 0)
);
CREATE INDEX attempt_link_id_idx ON attempt (link_id, attempt_id);

CREATE TRIGGER append_only BEFORE UPDATE OR DELETE ON attempt
  FOR EACH ROW EXECUTE FUNCTION meterhouse_refuse_change();
CREATE TRIGGER append_only_whole BEFORE TRUNCATE ON attempt
  FOR EACH STATEMENT EXECUTE FUNCTION meterhouse_refuse_change();

GRANT SELECT, INSERT ON attempt TO meterhouse_app;
