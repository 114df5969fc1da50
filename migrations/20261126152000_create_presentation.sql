-- How links and tables are presented: names for people, and settings of signs. No money, so that they are not in the journal.

-- Each change is a row, and the newest one counts: who changed what is never lost. Words are those of the API.
CREATE TABLE link_presentation (
  link_id     integer NOT NULL,
  number      integer NOT NULL,
  actor_id    integer NOT NULL,
  at          bigint  NOT NULL,
  name        text,
  celebration text    NOT NULL,
  theme       text,
  locale      text,
  CONSTRAINT link_presentation_pkey PRIMARY KEY (link_id, number),
  CONSTRAINT link_presentation_number_positive CHECK (number > 0),
  CONSTRAINT link_presentation_name_length CHECK (octet_length(name) BETWEEN 1 AND 64)
);

CREATE TABLE table_presentation (
  link_id  integer NOT NULL,
  table_no integer NOT NULL,
  number   integer NOT NULL,
  actor_id integer NOT NULL,
  at       bigint  NOT NULL,
  pit      text,
  CONSTRAINT table_presentation_pkey PRIMARY KEY (link_id, table_no, number),
  CONSTRAINT table_presentation_number_positive CHECK (number > 0),
  CONSTRAINT table_presentation_pit_length CHECK (octet_length(pit) BETWEEN 1 AND 64)
);

DO $$
DECLARE
  one text;
BEGIN
  FOREACH one IN ARRAY ARRAY['link_presentation', 'table_presentation'] LOOP
    EXECUTE format('CREATE TRIGGER append_only BEFORE UPDATE OR DELETE ON %I
                    FOR EACH ROW EXECUTE FUNCTION meterhouse_refuse_change()', one);
    EXECUTE format('CREATE TRIGGER append_only_whole BEFORE TRUNCATE ON %I
                    FOR EACH STATEMENT EXECUTE FUNCTION meterhouse_refuse_change()', one);
  END LOOP;
END
$$;

GRANT SELECT, INSERT ON link_presentation, table_presentation TO meterhouse_app;
