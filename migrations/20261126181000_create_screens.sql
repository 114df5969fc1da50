-- Screens: the pairing of new displays, the displays of the house, and what each of them said that it shows.

-- A code that a new display shows, until a person names the screen. Rows are deleted once they have expired.
CREATE TABLE pairing (
  code       text   NOT NULL,
  key_hash   bytea  NOT NULL,
  address    text   NOT NULL,
  expires_at bigint NOT NULL,
  screen     text,
  CONSTRAINT pairing_pkey PRIMARY KEY (code),
  CONSTRAINT pairing_key_hash_key UNIQUE (key_hash),
  CONSTRAINT pairing_key_hash_sha256 CHECK (octet_length(key_hash) = 32)
);

CREATE TABLE screen (
  actor_id  integer NOT NULL,
  links     text[]  NOT NULL,
  paired_at bigint  NOT NULL,
  paired_by text    NOT NULL,
  CONSTRAINT screen_pkey PRIMARY KEY (actor_id),
  CONSTRAINT screen_links_some CHECK (cardinality(links) > 0)
);

-- What a screen showed from one moment to another. The newest row of a link is extended while the screen repeats the same
-- amounts. Rows are deleted after the retention.
CREATE TABLE shown (
  actor_id     integer  NOT NULL,
  since        bigint   NOT NULL,
  until        bigint   NOT NULL,
  link_name    text     NOT NULL,
  batch        bigint   NOT NULL,
  levels       text[]   NOT NULL,
  amounts      bigint[] NOT NULL,
  is_different boolean  NOT NULL,
  is_stale     boolean  NOT NULL,
  CONSTRAINT shown_pkey PRIMARY KEY (actor_id, since),
  CONSTRAINT shown_amounts_of_levels CHECK (cardinality(levels) = cardinality(amounts)),
  CONSTRAINT shown_until_after_since CHECK (until >= since)
);
-- Of the past nothing is changed.
CREATE FUNCTION meterhouse_extend_shown() RETURNS trigger
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  IF ROW(NEW.actor_id, NEW.since, NEW.link_name, NEW.levels, NEW.amounts, NEW.is_different, NEW.is_stale)
     IS DISTINCT FROM
     ROW(OLD.actor_id, OLD.since, OLD.link_name, OLD.levels, OLD.amounts, OLD.is_different, OLD.is_stale)
     OR NEW.until < OLD.until THEN
    RAISE EXCEPTION 'what a screen showed is only extended: % is refused', TG_OP
      USING ERRCODE = 'restrict_violation', CONSTRAINT = 'extended_only', TABLE = TG_TABLE_NAME;
  END IF;
  RETURN NEW;
END
$$;

REVOKE ALL ON FUNCTION meterhouse_extend_shown() FROM PUBLIC;

CREATE TRIGGER extended_only BEFORE UPDATE ON shown
  FOR EACH ROW EXECUTE FUNCTION meterhouse_extend_shown();

CREATE INDEX shown_link_idx ON shown (actor_id, link_name, since);
CREATE INDEX shown_until_idx ON shown (until);

GRANT SELECT, INSERT, UPDATE, DELETE ON pairing, screen, shown TO meterhouse_app;
