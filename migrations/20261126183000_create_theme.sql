-- Themes of the house and their artwork. Like presentations they move no money, and are not in the journal.

-- Each change is a row, and the newest one counts. A row without a base says that the theme was deleted.
CREATE TABLE theme (
  name          text    NOT NULL,
  number        integer NOT NULL,
  actor_id      integer NOT NULL,
  at            bigint  NOT NULL,
  base          text,
  title         text,
  locale        text,
  currency      text,
  colours       text[]  NOT NULL,
  level_names   text[]  NOT NULL,
  level_colours text[]  NOT NULL,
  CONSTRAINT theme_pkey PRIMARY KEY (name, number),
  CONSTRAINT theme_number_positive CHECK (number > 0),
  CONSTRAINT theme_name_length CHECK (octet_length(name) BETWEEN 1 AND 32),
  CONSTRAINT theme_title_length CHECK (octet_length(title) BETWEEN 1 AND 48),
  CONSTRAINT theme_levels_alike CHECK (cardinality(level_names) = cardinality(level_colours))
);

-- Which picture a theme has. A row without a digest says that it has none any more.
CREATE TABLE theme_artwork (
  theme    text    NOT NULL,
  kind     text    NOT NULL,
  number   integer NOT NULL,
  actor_id integer NOT NULL,
  at       bigint  NOT NULL,
  digest   bytea,
  CONSTRAINT theme_artwork_pkey PRIMARY KEY (theme, kind, number),
  CONSTRAINT theme_artwork_number_positive CHECK (number > 0)
);
CREATE INDEX theme_artwork_digest_idx ON theme_artwork (digest);

-- The pictures, as the server encoded them. One that no theme has any more is deleted; its digest stays above.
CREATE TABLE artwork (
  digest    bytea   NOT NULL,
  at        bigint  NOT NULL,
  width     integer NOT NULL,
  height    integer NOT NULL,
  brightest text    NOT NULL,
  bytes     bytea   NOT NULL,
  CONSTRAINT artwork_pkey PRIMARY KEY (digest),
  CONSTRAINT artwork_digest_length CHECK (octet_length(digest) = 32)
);

DO $$
DECLARE
  one text;
BEGIN
  FOREACH one IN ARRAY ARRAY['theme', 'theme_artwork'] LOOP
    EXECUTE format('CREATE TRIGGER append_only BEFORE UPDATE OR DELETE ON %I
                    FOR EACH ROW EXECUTE FUNCTION meterhouse_refuse_change()', one);
    EXECUTE format('CREATE TRIGGER append_only_whole BEFORE TRUNCATE ON %I
                    FOR EACH STATEMENT EXECUTE FUNCTION meterhouse_refuse_change()', one);
  END LOOP;
END
$$;

GRANT SELECT, INSERT ON theme, theme_artwork TO meterhouse_app;
GRANT SELECT, INSERT, DELETE ON artwork TO meterhouse_app;
GRANT UPDATE (at) ON artwork TO meterhouse_app;
