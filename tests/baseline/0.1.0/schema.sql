--
-- PostgreSQL database dump
--


-- Dumped from database version 15.18 (Debian 15.18-0+deb12u1)
-- Dumped by pg_dump version 15.18 (Debian 15.18-0+deb12u1)

SET statement_timeout = 0;
SET lock_timeout = 0;
SET idle_in_transaction_session_timeout = 0;
SET client_encoding = 'UTF8';
SET standard_conforming_strings = on;
SELECT pg_catalog.set_config('search_path', '', false);
SET check_function_bodies = false;
SET xmloption = content;
SET client_min_messages = warning;
SET row_security = off;

--
-- Name: meterhouse_books_stand(bigint[], bigint[]); Type: FUNCTION; Schema: public; Owner: meterhouse_owner
--

CREATE FUNCTION public.meterhouse_books_stand(deltas bigint[], after bigint[]) RETURNS boolean
    LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
DECLARE
  places CONSTANT integer := cardinality(after);
  place integer := 0;
BEGIN
  IF deltas IS NULL OR after IS NULL OR places = 0 OR places % 8 <> 0 OR cardinality(deltas) <> places
     OR array_ndims(deltas) <> 1 OR array_ndims(after) <> 1
     OR array_lower(deltas, 1) <> 1 OR array_lower(after, 1) <> 1 THEN
    RETURN false;
  END IF;
  WHILE place < places LOOP
    IF (deltas[place + 1]::numeric + deltas[place + 2] + deltas[place + 3] + deltas[place + 4]
        + deltas[place + 5] + deltas[place + 6] + deltas[place + 7] + deltas[place + 8] = 0
        AND after[place + 3] >= 0 AND after[place + 4] >= 0
        AND after[place + 5] >= 0 AND after[place + 6] >= 0
        AND after[place + 1] IS NOT NULL AND after[place + 2] IS NOT NULL
        AND after[place + 7] IS NOT NULL AND after[place + 8] IS NOT NULL) IS NOT TRUE THEN
      RETURN false;
    END IF;
    place := place + 8;
  END LOOP;
  RETURN true;
END
$$;


ALTER FUNCTION public.meterhouse_books_stand(deltas bigint[], after bigint[]) OWNER TO meterhouse_owner;

--
-- Name: meterhouse_make_periods(integer, integer); Type: FUNCTION; Schema: public; Owner: meterhouse_owner
--

CREATE FUNCTION public.meterhouse_make_periods(first_period integer, period_count integer) RETURNS integer
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
DECLARE
  made integer := 0;
  one integer;
  partition text;
BEGIN
  -- The years 2000 to 2999, ten years at once: no call can fill the catalogue.
  IF first_period IS NULL OR period_count IS NULL OR first_period < 24000 OR first_period > 35999
     OR period_count < 0 OR period_count > 120 THEN
    RAISE EXCEPTION 'no periods to make: first %, count %', first_period, period_count
      USING ERRCODE = 'invalid_parameter_value';
  END IF;
  PERFORM pg_advisory_xact_lock(7740823519046);
  FOR one IN first_period .. first_period + period_count - 1 LOOP
    partition := format('event_%s', one);
    CONTINUE WHEN EXISTS (
      SELECT FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
      WHERE i.inhparent = 'public.event'::regclass AND c.relname = partition);
    EXECUTE format('CREATE TABLE public.%I (LIKE public.event INCLUDING DEFAULTS INCLUDING CONSTRAINTS
                    INCLUDING INDEXES INCLUDING STORAGE) WITH (
                      autovacuum_vacuum_insert_threshold = 500000,
                      autovacuum_vacuum_insert_scale_factor = 0.05,
                      autovacuum_analyze_scale_factor = 0.05)', partition);
    EXECUTE format('CREATE TRIGGER append_only BEFORE UPDATE OR DELETE ON public.%I
                    FOR EACH ROW EXECUTE FUNCTION public.meterhouse_refuse_change()', partition);
    EXECUTE format('CREATE TRIGGER append_only_whole BEFORE TRUNCATE ON public.%I
                    FOR EACH STATEMENT EXECUTE FUNCTION public.meterhouse_refuse_change()', partition);
    EXECUTE format('ALTER TABLE public.event ATTACH PARTITION public.%I FOR VALUES FROM (%s) TO (%s)',
                   partition, one, one + 1);
    made := made + 1;
  END LOOP;
  RETURN made;
END
$$;


ALTER FUNCTION public.meterhouse_make_periods(first_period integer, period_count integer) OWNER TO meterhouse_owner;

--
-- Name: meterhouse_refuse_change(); Type: FUNCTION; Schema: public; Owner: meterhouse_owner
--

CREATE FUNCTION public.meterhouse_refuse_change() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
BEGIN
  RAISE EXCEPTION 'the journal is append-only: % of % is refused', TG_OP, TG_TABLE_NAME
    USING ERRCODE = 'restrict_violation', CONSTRAINT = 'append_only', TABLE = TG_TABLE_NAME;
END
$$;


ALTER FUNCTION public.meterhouse_refuse_change() OWNER TO meterhouse_owner;

--
-- Name: meterhouse_refuse_meter_fall(); Type: FUNCTION; Schema: public; Owner: meterhouse_owner
--

CREATE FUNCTION public.meterhouse_refuse_meter_fall() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
BEGIN
  -- All these kinds are in event_happening_idx.
  IF NOT EXISTS (
    SELECT FROM public.event
    WHERE link_id = NEW.link_id AND period = NEW.period AND batch = NEW.batch
      AND kind >= 16 AND kind IN (18, 19, 21, 23, 26, 34)) THEN
    RAISE EXCEPTION 'batch % of link % lowers a meter, and no event in it may', NEW.batch, NEW.link_id
      USING ERRCODE = 'check_violation', CONSTRAINT = 'batch_meter_fall_has_reason', TABLE = TG_TABLE_NAME;
  END IF;
  RETURN NULL;
END
$$;


ALTER FUNCTION public.meterhouse_refuse_meter_fall() OWNER TO meterhouse_owner;

--
-- Name: meterhouse_refuse_purpose(); Type: FUNCTION; Schema: public; Owner: meterhouse_owner
--

CREATE FUNCTION public.meterhouse_refuse_purpose() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
  IF EXISTS (SELECT FROM link) OR EXISTS (SELECT FROM actor WHERE role <> 'server') THEN
    RAISE EXCEPTION 'a database in use keeps its purpose'
      USING ERRCODE = 'integrity_constraint_violation', CONSTRAINT = 'database_purpose_unused';
  END IF;
  RETURN NEW;
END $$;


ALTER FUNCTION public.meterhouse_refuse_purpose() OWNER TO meterhouse_owner;

SET default_tablespace = '';

SET default_table_access_method = heap;

--
-- Name: _sqlx_migrations; Type: TABLE; Schema: public; Owner: meterhouse_owner
--

CREATE TABLE public._sqlx_migrations (
    version bigint NOT NULL,
    description text NOT NULL,
    installed_on timestamp with time zone DEFAULT now() NOT NULL,
    success boolean NOT NULL,
    checksum bytea NOT NULL,
    execution_time bigint NOT NULL
);


ALTER TABLE public._sqlx_migrations OWNER TO meterhouse_owner;

--
-- Name: actor; Type: TABLE; Schema: public; Owner: meterhouse_owner
--

CREATE TABLE public.actor (
    actor_id integer NOT NULL,
    name text NOT NULL,
    role text NOT NULL,
    table_name text,
    link_name text,
    department text,
    created_at bigint NOT NULL,
    CONSTRAINT actor_role_known CHECK ((role = ANY (ARRAY['controller'::text, 'display'::text, 'supervisor'::text, 'manager'::text, 'auditor'::text, 'server'::text])))
);


ALTER TABLE public.actor OWNER TO meterhouse_owner;

--
-- Name: actor_actor_id_seq; Type: SEQUENCE; Schema: public; Owner: meterhouse_owner
--

ALTER TABLE public.actor ALTER COLUMN actor_id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.actor_actor_id_seq
    START WITH 2
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);


--
-- Name: attempt; Type: TABLE; Schema: public; Owner: meterhouse_owner
--

CREATE TABLE public.attempt (
    attempt_id bigint NOT NULL,
    at bigint NOT NULL,
    kind smallint NOT NULL,
    actor_id integer NOT NULL,
    link_id integer NOT NULL,
    table_no integer,
    sequence bigint,
    node text NOT NULL,
    detail text NOT NULL,
    suppressed bigint NOT NULL,
    CONSTRAINT attempt_detail_short CHECK ((char_length(detail) <= 1000)),
    CONSTRAINT attempt_kind_known CHECK (((kind >= 1) AND (kind <= 4))),
    CONSTRAINT attempt_suppressed_not_negative CHECK ((suppressed >= 0))
);


ALTER TABLE public.attempt OWNER TO meterhouse_owner;

--
-- Name: attempt_attempt_id_seq; Type: SEQUENCE; Schema: public; Owner: meterhouse_owner
--

ALTER TABLE public.attempt ALTER COLUMN attempt_id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.attempt_attempt_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);


--
-- Name: batch; Type: TABLE; Schema: public; Owner: meterhouse_owner
--

CREATE TABLE public.batch (
    link_id integer NOT NULL,
    batch bigint NOT NULL,
    at bigint NOT NULL,
    node text NOT NULL,
    epoch bigint NOT NULL,
    rule_version smallint NOT NULL,
    period integer NOT NULL,
    events integer NOT NULL,
    deltas bigint[] NOT NULL,
    after bigint[] NOT NULL,
    chain_hash bytea NOT NULL,
    CONSTRAINT batch_books_stand CHECK (public.meterhouse_books_stand(deltas, after)),
    CONSTRAINT batch_chain_hash_sha256 CHECK ((octet_length(chain_hash) = 32)),
    CONSTRAINT batch_events_positive CHECK ((events > 0)),
    CONSTRAINT batch_number_positive CHECK ((batch > 0))
)
WITH (autovacuum_vacuum_insert_threshold='200000', autovacuum_vacuum_insert_scale_factor='0.05', autovacuum_analyze_scale_factor='0.05');


ALTER TABLE public.batch OWNER TO meterhouse_owner;

--
-- Name: link; Type: TABLE; Schema: public; Owner: meterhouse_owner
--

CREATE TABLE public.link (
    link_id integer NOT NULL,
    name text NOT NULL,
    paytable_id text NOT NULL,
    content_hash bytea NOT NULL,
    wager_micros bigint NOT NULL,
    decks smallint NOT NULL,
    reserve_policy text NOT NULL,
    created_at bigint NOT NULL,
    CONSTRAINT link_decks_positive CHECK ((decks > 0)),
    CONSTRAINT link_name_form CHECK ((name ~ '^[A-Za-z0-9-]{1,32}$'::text)),
    CONSTRAINT link_wager_positive CHECK ((wager_micros > 0))
);


ALTER TABLE public.link OWNER TO meterhouse_owner;

--
-- Name: link_head; Type: TABLE; Schema: public; Owner: meterhouse_owner
--

CREATE TABLE public.link_head (
    link_id integer NOT NULL,
    batch bigint NOT NULL,
    epoch bigint NOT NULL,
    chain_hash bytea NOT NULL,
    period integer NOT NULL,
    status smallint NOT NULL,
    balances bigint[] NOT NULL,
    CONSTRAINT link_head_batch_not_negative CHECK ((batch >= 0)),
    CONSTRAINT link_head_chain_hash_sha256 CHECK ((octet_length(chain_hash) = 32))
)
WITH (fillfactor='50', autovacuum_vacuum_threshold='1000', autovacuum_vacuum_scale_factor='0', autovacuum_vacuum_cost_delay='0', autovacuum_analyze_threshold='100000', autovacuum_analyze_scale_factor='0');


ALTER TABLE public.link_head OWNER TO meterhouse_owner;

--
-- Name: book; Type: VIEW; Schema: public; Owner: meterhouse_owner
--

CREATE VIEW public.book AS
 SELECT link.name AS link,
    (place.place / 8) AS book,
    ((8 * ((place.place / 8) + 1)) = cardinality(head.balances)) AS is_fixed,
    ((head.balances[(place.place + 1)])::numeric / (1000000)::numeric) AS players,
    ((head.balances[(place.place + 2)])::numeric / (1000000)::numeric) AS house,
    ((head.balances[(place.place + 3)])::numeric / (1000000)::numeric) AS meter,
    ((head.balances[(place.place + 4)])::numeric / (1000000)::numeric) AS reserve,
    ((head.balances[(place.place + 5)])::numeric / (1000000)::numeric) AS overflow,
    ((head.balances[(place.place + 6)])::numeric / (1000000)::numeric) AS pending,
    ((head.balances[(place.place + 7)])::numeric / (1000000)::numeric) AS paid,
    ((head.balances[(place.place + 8)])::numeric / (1000000)::numeric) AS in_transit
   FROM ((public.link
     JOIN public.link_head head USING (link_id))
     CROSS JOIN LATERAL generate_series(0, (cardinality(head.balances) - 8), 8) place(place));


ALTER TABLE public.book OWNER TO meterhouse_owner;

--
-- Name: checkpoint; Type: TABLE; Schema: public; Owner: meterhouse_owner
--

CREATE TABLE public.checkpoint (
    link_id integer NOT NULL,
    number bigint NOT NULL,
    batch bigint NOT NULL,
    chain_hash bytea NOT NULL,
    sums bigint[] NOT NULL,
    hash bytea NOT NULL,
    CONSTRAINT checkpoint_batch_positive CHECK ((batch > 0)),
    CONSTRAINT checkpoint_chain_hash_sha256 CHECK ((octet_length(chain_hash) = 32)),
    CONSTRAINT checkpoint_hash_sha256 CHECK ((octet_length(hash) = 32)),
    CONSTRAINT checkpoint_number_positive CHECK ((number > 0))
);


ALTER TABLE public.checkpoint OWNER TO meterhouse_owner;

--
-- Name: database_identity; Type: TABLE; Schema: public; Owner: meterhouse_owner
--

CREATE TABLE public.database_identity (
    is_only boolean DEFAULT true NOT NULL,
    identity uuid DEFAULT gen_random_uuid() NOT NULL,
    CONSTRAINT database_identity_is_only CHECK (is_only)
);


ALTER TABLE public.database_identity OWNER TO meterhouse_owner;

--
-- Name: database_purpose; Type: TABLE; Schema: public; Owner: meterhouse_owner
--

CREATE TABLE public.database_purpose (
    purpose text NOT NULL,
    made_at bigint NOT NULL,
    only_row boolean DEFAULT true NOT NULL,
    CONSTRAINT database_purpose_known CHECK ((purpose = ANY (ARRAY['demo'::text, 'load'::text]))),
    CONSTRAINT database_purpose_one CHECK (only_row)
);


ALTER TABLE public.database_purpose OWNER TO meterhouse_owner;

--
-- Name: event; Type: TABLE; Schema: public; Owner: meterhouse_owner
--

CREATE TABLE public.event (
    link_id integer NOT NULL,
    period integer NOT NULL,
    batch bigint NOT NULL,
    "position" integer NOT NULL,
    table_no integer,
    actor_id integer NOT NULL,
    sequence bigint,
    kind smallint NOT NULL,
    refusal smallint,
    own_seats smallint,
    dealer_seats smallint,
    i1 bigint,
    i2 bigint,
    i3 bigint,
    i4 bigint,
    record bytea
)
PARTITION BY RANGE (period);


ALTER TABLE public.event OWNER TO meterhouse_owner;

--
-- Name: event_24322; Type: TABLE; Schema: public; Owner: meterhouse_owner
--

CREATE TABLE public.event_24322 (
    link_id integer NOT NULL,
    period integer NOT NULL,
    batch bigint NOT NULL,
    "position" integer NOT NULL,
    table_no integer,
    actor_id integer NOT NULL,
    sequence bigint,
    kind smallint NOT NULL,
    refusal smallint,
    own_seats smallint,
    dealer_seats smallint,
    i1 bigint,
    i2 bigint,
    i3 bigint,
    i4 bigint,
    record bytea
)
WITH (autovacuum_vacuum_insert_threshold='500000', autovacuum_vacuum_insert_scale_factor='0.05', autovacuum_analyze_scale_factor='0.05');


ALTER TABLE public.event_24322 OWNER TO meterhouse_owner;

--
-- Name: event_24323; Type: TABLE; Schema: public; Owner: meterhouse_owner
--

CREATE TABLE public.event_24323 (
    link_id integer NOT NULL,
    period integer NOT NULL,
    batch bigint NOT NULL,
    "position" integer NOT NULL,
    table_no integer,
    actor_id integer NOT NULL,
    sequence bigint,
    kind smallint NOT NULL,
    refusal smallint,
    own_seats smallint,
    dealer_seats smallint,
    i1 bigint,
    i2 bigint,
    i3 bigint,
    i4 bigint,
    record bytea
)
WITH (autovacuum_vacuum_insert_threshold='500000', autovacuum_vacuum_insert_scale_factor='0.05', autovacuum_analyze_scale_factor='0.05');


ALTER TABLE public.event_24323 OWNER TO meterhouse_owner;

--
-- Name: event_24324; Type: TABLE; Schema: public; Owner: meterhouse_owner
--

CREATE TABLE public.event_24324 (
    link_id integer NOT NULL,
    period integer NOT NULL,
    batch bigint NOT NULL,
    "position" integer NOT NULL,
    table_no integer,
    actor_id integer NOT NULL,
    sequence bigint,
    kind smallint NOT NULL,
    refusal smallint,
    own_seats smallint,
    dealer_seats smallint,
    i1 bigint,
    i2 bigint,
    i3 bigint,
    i4 bigint,
    record bytea
)
WITH (autovacuum_vacuum_insert_threshold='500000', autovacuum_vacuum_insert_scale_factor='0.05', autovacuum_analyze_scale_factor='0.05');


ALTER TABLE public.event_24324 OWNER TO meterhouse_owner;

--
-- Name: event_24325; Type: TABLE; Schema: public; Owner: meterhouse_owner
--

CREATE TABLE public.event_24325 (
    link_id integer NOT NULL,
    period integer NOT NULL,
    batch bigint NOT NULL,
    "position" integer NOT NULL,
    table_no integer,
    actor_id integer NOT NULL,
    sequence bigint,
    kind smallint NOT NULL,
    refusal smallint,
    own_seats smallint,
    dealer_seats smallint,
    i1 bigint,
    i2 bigint,
    i3 bigint,
    i4 bigint,
    record bytea
)
WITH (autovacuum_vacuum_insert_threshold='500000', autovacuum_vacuum_insert_scale_factor='0.05', autovacuum_analyze_scale_factor='0.05');


ALTER TABLE public.event_24325 OWNER TO meterhouse_owner;

--
-- Name: game_table; Type: TABLE; Schema: public; Owner: meterhouse_owner
--

CREATE TABLE public.game_table (
    link_id integer NOT NULL,
    table_no integer NOT NULL,
    name text NOT NULL,
    game text NOT NULL,
    seats smallint NOT NULL,
    joined_at bigint NOT NULL,
    CONSTRAINT game_table_name_form CHECK ((name ~ '^[A-Za-z0-9-]{1,32}$'::text)),
    CONSTRAINT game_table_seats_positive CHECK ((seats > 0)),
    CONSTRAINT game_table_table_no_positive CHECK ((table_no > 0))
);


ALTER TABLE public.game_table OWNER TO meterhouse_owner;

--
-- Name: hit; Type: TABLE; Schema: public; Owner: meterhouse_owner
--

CREATE TABLE public.hit (
    link_id integer NOT NULL,
    table_no integer NOT NULL,
    sequence bigint NOT NULL,
    hit_order bigint NOT NULL,
    round bigint NOT NULL,
    state smallint NOT NULL,
    kind smallint NOT NULL,
    hand smallint,
    seat smallint,
    level smallint,
    percent smallint,
    before bigint,
    after bigint,
    due bigint NOT NULL,
    keyed_by_actor integer NOT NULL,
    keyed_by text,
    keyed_at bigint NOT NULL,
    decided_by_actor integer,
    decided_by text,
    decided_at bigint,
    note text,
    cards text,
    validated_cards text,
    payout_count integer NOT NULL,
    number smallint DEFAULT 0 NOT NULL,
    reserve_before bigint,
    overflow_before bigint,
    CONSTRAINT hit_due_not_negative CHECK ((due >= 0)),
    CONSTRAINT hit_number_not_negative CHECK ((number >= 0))
)
WITH (fillfactor='80');


ALTER TABLE public.hit OWNER TO meterhouse_owner;

--
-- Name: house_chain; Type: TABLE; Schema: public; Owner: meterhouse_owner
--

CREATE TABLE public.house_chain (
    number bigint NOT NULL,
    at bigint NOT NULL,
    kind smallint NOT NULL,
    body bytea NOT NULL,
    hash bytea NOT NULL,
    CONSTRAINT house_chain_hash_sha256 CHECK ((octet_length(hash) = 32)),
    CONSTRAINT house_chain_number_positive CHECK ((number > 0))
);


ALTER TABLE public.house_chain OWNER TO meterhouse_owner;

--
-- Name: link_link_id_seq; Type: SEQUENCE; Schema: public; Owner: meterhouse_owner
--

ALTER TABLE public.link ALTER COLUMN link_id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.link_link_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);


--
-- Name: meter; Type: VIEW; Schema: public; Owner: meterhouse_owner
--

CREATE VIEW public.meter AS
 SELECT book.link,
    book.book AS level,
    book.meter,
    book.reserve,
    book.pending
   FROM public.book
  WHERE (NOT book.is_fixed);


ALTER TABLE public.meter OWNER TO meterhouse_owner;

--
-- Name: payout; Type: TABLE; Schema: public; Owner: meterhouse_owner
--

CREATE TABLE public.payout (
    link_id integer NOT NULL,
    table_no integer NOT NULL,
    sequence bigint NOT NULL,
    number integer NOT NULL,
    seat smallint NOT NULL,
    player text,
    kind smallint NOT NULL,
    amount bigint NOT NULL,
    charged_to smallint NOT NULL,
    handed_over smallint NOT NULL,
    paid_at bigint,
    paid_by_actor integer,
    document text,
    hit_number smallint DEFAULT 0 NOT NULL,
    CONSTRAINT payout_amount_not_negative CHECK ((amount >= 0)),
    CONSTRAINT payout_hit_number_not_negative CHECK ((hit_number >= 0)),
    CONSTRAINT payout_number_positive CHECK ((number > 0))
)
WITH (fillfactor='80');


ALTER TABLE public.payout OWNER TO meterhouse_owner;

--
-- Name: paytable; Type: TABLE; Schema: public; Owner: meterhouse_owner
--

CREATE TABLE public.paytable (
    content_hash bytea NOT NULL,
    paytable_id text NOT NULL,
    document bytea NOT NULL,
    CONSTRAINT paytable_content_hash_sha256 CHECK ((octet_length(content_hash) = 32))
);


ALTER TABLE public.paytable OWNER TO meterhouse_owner;

--
-- Name: snapshot; Type: TABLE; Schema: public; Owner: meterhouse_owner
--

CREATE TABLE public.snapshot (
    link_id integer NOT NULL,
    batch bigint NOT NULL,
    format smallint NOT NULL,
    chain_hash bytea NOT NULL,
    state bytea NOT NULL
);


ALTER TABLE public.snapshot OWNER TO meterhouse_owner;

--
-- Name: table_contact; Type: TABLE; Schema: public; Owner: meterhouse_owner
--

CREATE TABLE public.table_contact (
    link_id integer NOT NULL,
    table_no integer NOT NULL,
    heard_at bigint NOT NULL,
    heartbeats boolean NOT NULL,
    CONSTRAINT table_contact_table_no_positive CHECK ((table_no > 0))
)
WITH (fillfactor='50', autovacuum_vacuum_threshold='1000', autovacuum_vacuum_scale_factor='0', autovacuum_vacuum_cost_delay='0', autovacuum_analyze_threshold='100000', autovacuum_analyze_scale_factor='0');


ALTER TABLE public.table_contact OWNER TO meterhouse_owner;

--
-- Name: table_mark; Type: TABLE; Schema: public; Owner: meterhouse_owner
--

CREATE TABLE public.table_mark (
    link_id integer NOT NULL,
    table_no integer NOT NULL,
    sequence bigint NOT NULL,
    period integer NOT NULL,
    batch bigint NOT NULL,
    "position" integer NOT NULL
);


ALTER TABLE public.table_mark OWNER TO meterhouse_owner;

--
-- Name: token; Type: TABLE; Schema: public; Owner: meterhouse_owner
--

CREATE TABLE public.token (
    token_hash bytea NOT NULL,
    actor_id integer NOT NULL,
    created_at bigint NOT NULL,
    expires_at bigint,
    revoked_at bigint,
    CONSTRAINT token_hash_sha256 CHECK ((octet_length(token_hash) = 32))
);


ALTER TABLE public.token OWNER TO meterhouse_owner;

--
-- Name: event_24322; Type: TABLE ATTACH; Schema: public; Owner: meterhouse_owner
--

ALTER TABLE ONLY public.event ATTACH PARTITION public.event_24322 FOR VALUES FROM (24322) TO (24323);


--
-- Name: event_24323; Type: TABLE ATTACH; Schema: public; Owner: meterhouse_owner
--

ALTER TABLE ONLY public.event ATTACH PARTITION public.event_24323 FOR VALUES FROM (24323) TO (24324);


--
-- Name: event_24324; Type: TABLE ATTACH; Schema: public; Owner: meterhouse_owner
--

ALTER TABLE ONLY public.event ATTACH PARTITION public.event_24324 FOR VALUES FROM (24324) TO (24325);


--
-- Name: event_24325; Type: TABLE ATTACH; Schema: public; Owner: meterhouse_owner
--

ALTER TABLE ONLY public.event ATTACH PARTITION public.event_24325 FOR VALUES FROM (24325) TO (24326);


--
-- Name: _sqlx_migrations _sqlx_migrations_pkey; Type: CONSTRAINT; Schema: public; Owner: meterhouse_owner
--

ALTER TABLE ONLY public._sqlx_migrations
    ADD CONSTRAINT _sqlx_migrations_pkey PRIMARY KEY (version);


--
-- Name: actor actor_name_key; Type: CONSTRAINT; Schema: public; Owner: meterhouse_owner
--

ALTER TABLE ONLY public.actor
    ADD CONSTRAINT actor_name_key UNIQUE (name);


--
-- Name: actor actor_pkey; Type: CONSTRAINT; Schema: public; Owner: meterhouse_owner
--

ALTER TABLE ONLY public.actor
    ADD CONSTRAINT actor_pkey PRIMARY KEY (actor_id);


--
-- Name: attempt attempt_pkey; Type: CONSTRAINT; Schema: public; Owner: meterhouse_owner
--

ALTER TABLE ONLY public.attempt
    ADD CONSTRAINT attempt_pkey PRIMARY KEY (attempt_id);


--
-- Name: batch batch_pkey; Type: CONSTRAINT; Schema: public; Owner: meterhouse_owner
--

ALTER TABLE ONLY public.batch
    ADD CONSTRAINT batch_pkey PRIMARY KEY (link_id, batch);


--
-- Name: checkpoint checkpoint_pkey; Type: CONSTRAINT; Schema: public; Owner: meterhouse_owner
--

ALTER TABLE ONLY public.checkpoint
    ADD CONSTRAINT checkpoint_pkey PRIMARY KEY (link_id, number);


--
-- Name: database_identity database_identity_pkey; Type: CONSTRAINT; Schema: public; Owner: meterhouse_owner
--

ALTER TABLE ONLY public.database_identity
    ADD CONSTRAINT database_identity_pkey PRIMARY KEY (is_only);


--
-- Name: database_purpose database_purpose_pkey; Type: CONSTRAINT; Schema: public; Owner: meterhouse_owner
--

ALTER TABLE ONLY public.database_purpose
    ADD CONSTRAINT database_purpose_pkey PRIMARY KEY (only_row);


--
-- Name: event event_pkey; Type: CONSTRAINT; Schema: public; Owner: meterhouse_owner
--

ALTER TABLE ONLY public.event
    ADD CONSTRAINT event_pkey PRIMARY KEY (link_id, period, batch, "position");


--
-- Name: event_24322 event_24322_pkey; Type: CONSTRAINT; Schema: public; Owner: meterhouse_owner
--

ALTER TABLE ONLY public.event_24322
    ADD CONSTRAINT event_24322_pkey PRIMARY KEY (link_id, period, batch, "position");


--
-- Name: event_24323 event_24323_pkey; Type: CONSTRAINT; Schema: public; Owner: meterhouse_owner
--

ALTER TABLE ONLY public.event_24323
    ADD CONSTRAINT event_24323_pkey PRIMARY KEY (link_id, period, batch, "position");


--
-- Name: event_24324 event_24324_pkey; Type: CONSTRAINT; Schema: public; Owner: meterhouse_owner
--

ALTER TABLE ONLY public.event_24324
    ADD CONSTRAINT event_24324_pkey PRIMARY KEY (link_id, period, batch, "position");


--
-- Name: event_24325 event_24325_pkey; Type: CONSTRAINT; Schema: public; Owner: meterhouse_owner
--

ALTER TABLE ONLY public.event_24325
    ADD CONSTRAINT event_24325_pkey PRIMARY KEY (link_id, period, batch, "position");


--
-- Name: game_table game_table_name_key; Type: CONSTRAINT; Schema: public; Owner: meterhouse_owner
--

ALTER TABLE ONLY public.game_table
    ADD CONSTRAINT game_table_name_key UNIQUE (name);


--
-- Name: game_table game_table_pkey; Type: CONSTRAINT; Schema: public; Owner: meterhouse_owner
--

ALTER TABLE ONLY public.game_table
    ADD CONSTRAINT game_table_pkey PRIMARY KEY (link_id, table_no);


--
-- Name: hit hit_order_key; Type: CONSTRAINT; Schema: public; Owner: meterhouse_owner
--

ALTER TABLE ONLY public.hit
    ADD CONSTRAINT hit_order_key UNIQUE (link_id, hit_order);


--
-- Name: hit hit_pkey; Type: CONSTRAINT; Schema: public; Owner: meterhouse_owner
--

ALTER TABLE ONLY public.hit
    ADD CONSTRAINT hit_pkey PRIMARY KEY (link_id, table_no, sequence, number);


--
-- Name: house_chain house_chain_pkey; Type: CONSTRAINT; Schema: public; Owner: meterhouse_owner
--

ALTER TABLE ONLY public.house_chain
    ADD CONSTRAINT house_chain_pkey PRIMARY KEY (number);


--
-- Name: link_head link_head_pkey; Type: CONSTRAINT; Schema: public; Owner: meterhouse_owner
--

ALTER TABLE ONLY public.link_head
    ADD CONSTRAINT link_head_pkey PRIMARY KEY (link_id);


--
-- Name: link link_name_key; Type: CONSTRAINT; Schema: public; Owner: meterhouse_owner
--

ALTER TABLE ONLY public.link
    ADD CONSTRAINT link_name_key UNIQUE (name);


--
-- Name: link link_pkey; Type: CONSTRAINT; Schema: public; Owner: meterhouse_owner
--

ALTER TABLE ONLY public.link
    ADD CONSTRAINT link_pkey PRIMARY KEY (link_id);


--
-- Name: payout payout_pkey; Type: CONSTRAINT; Schema: public; Owner: meterhouse_owner
--

ALTER TABLE ONLY public.payout
    ADD CONSTRAINT payout_pkey PRIMARY KEY (link_id, table_no, sequence, hit_number, number);


--
-- Name: paytable paytable_pkey; Type: CONSTRAINT; Schema: public; Owner: meterhouse_owner
--

ALTER TABLE ONLY public.paytable
    ADD CONSTRAINT paytable_pkey PRIMARY KEY (content_hash);


--
-- Name: snapshot snapshot_pkey; Type: CONSTRAINT; Schema: public; Owner: meterhouse_owner
--

ALTER TABLE ONLY public.snapshot
    ADD CONSTRAINT snapshot_pkey PRIMARY KEY (link_id, batch);


--
-- Name: table_contact table_contact_pkey; Type: CONSTRAINT; Schema: public; Owner: meterhouse_owner
--

ALTER TABLE ONLY public.table_contact
    ADD CONSTRAINT table_contact_pkey PRIMARY KEY (link_id, table_no);


--
-- Name: table_mark table_mark_pkey; Type: CONSTRAINT; Schema: public; Owner: meterhouse_owner
--

ALTER TABLE ONLY public.table_mark
    ADD CONSTRAINT table_mark_pkey PRIMARY KEY (link_id, table_no, sequence);


--
-- Name: token token_pkey; Type: CONSTRAINT; Schema: public; Owner: meterhouse_owner
--

ALTER TABLE ONLY public.token
    ADD CONSTRAINT token_pkey PRIMARY KEY (token_hash);


--
-- Name: attempt_link_id_idx; Type: INDEX; Schema: public; Owner: meterhouse_owner
--

CREATE INDEX attempt_link_id_idx ON public.attempt USING btree (link_id, attempt_id);


--
-- Name: batch_link_id_at_idx; Type: INDEX; Schema: public; Owner: meterhouse_owner
--

CREATE INDEX batch_link_id_at_idx ON public.batch USING btree (link_id, at, batch);


--
-- Name: event_happening_idx; Type: INDEX; Schema: public; Owner: meterhouse_owner
--

CREATE INDEX event_happening_idx ON ONLY public.event USING btree (link_id, batch, "position") WHERE (kind >= 16);


--
-- Name: event_24322_link_id_batch_position_idx; Type: INDEX; Schema: public; Owner: meterhouse_owner
--

CREATE INDEX event_24322_link_id_batch_position_idx ON public.event_24322 USING btree (link_id, batch, "position") WHERE (kind >= 16);


--
-- Name: event_kind_idx; Type: INDEX; Schema: public; Owner: meterhouse_owner
--

CREATE INDEX event_kind_idx ON ONLY public.event USING btree (link_id, kind, batch, "position") WHERE (kind >= 16);


--
-- Name: event_24322_link_id_kind_batch_position_idx; Type: INDEX; Schema: public; Owner: meterhouse_owner
--

CREATE INDEX event_24322_link_id_kind_batch_position_idx ON public.event_24322 USING btree (link_id, kind, batch, "position") WHERE (kind >= 16);


--
-- Name: event_24323_link_id_batch_position_idx; Type: INDEX; Schema: public; Owner: meterhouse_owner
--

CREATE INDEX event_24323_link_id_batch_position_idx ON public.event_24323 USING btree (link_id, batch, "position") WHERE (kind >= 16);


--
-- Name: event_24323_link_id_kind_batch_position_idx; Type: INDEX; Schema: public; Owner: meterhouse_owner
--

CREATE INDEX event_24323_link_id_kind_batch_position_idx ON public.event_24323 USING btree (link_id, kind, batch, "position") WHERE (kind >= 16);


--
-- Name: event_24324_link_id_batch_position_idx; Type: INDEX; Schema: public; Owner: meterhouse_owner
--

CREATE INDEX event_24324_link_id_batch_position_idx ON public.event_24324 USING btree (link_id, batch, "position") WHERE (kind >= 16);


--
-- Name: event_24324_link_id_kind_batch_position_idx; Type: INDEX; Schema: public; Owner: meterhouse_owner
--

CREATE INDEX event_24324_link_id_kind_batch_position_idx ON public.event_24324 USING btree (link_id, kind, batch, "position") WHERE (kind >= 16);


--
-- Name: event_24325_link_id_batch_position_idx; Type: INDEX; Schema: public; Owner: meterhouse_owner
--

CREATE INDEX event_24325_link_id_batch_position_idx ON public.event_24325 USING btree (link_id, batch, "position") WHERE (kind >= 16);


--
-- Name: event_24325_link_id_kind_batch_position_idx; Type: INDEX; Schema: public; Owner: meterhouse_owner
--

CREATE INDEX event_24325_link_id_kind_batch_position_idx ON public.event_24325 USING btree (link_id, kind, batch, "position") WHERE (kind >= 16);


--
-- Name: hit_level_idx; Type: INDEX; Schema: public; Owner: meterhouse_owner
--

CREATE INDEX hit_level_idx ON public.hit USING btree (link_id, level, hit_order);


--
-- Name: hit_state_idx; Type: INDEX; Schema: public; Owner: meterhouse_owner
--

CREATE INDEX hit_state_idx ON public.hit USING btree (link_id, state, hit_order);


--
-- Name: token_actor_id_idx; Type: INDEX; Schema: public; Owner: meterhouse_owner
--

CREATE INDEX token_actor_id_idx ON public.token USING btree (actor_id);


--
-- Name: event_24322_link_id_batch_position_idx; Type: INDEX ATTACH; Schema: public; Owner: meterhouse_owner
--

ALTER INDEX public.event_happening_idx ATTACH PARTITION public.event_24322_link_id_batch_position_idx;


--
-- Name: event_24322_link_id_kind_batch_position_idx; Type: INDEX ATTACH; Schema: public; Owner: meterhouse_owner
--

ALTER INDEX public.event_kind_idx ATTACH PARTITION public.event_24322_link_id_kind_batch_position_idx;


--
-- Name: event_24322_pkey; Type: INDEX ATTACH; Schema: public; Owner: meterhouse_owner
--

ALTER INDEX public.event_pkey ATTACH PARTITION public.event_24322_pkey;


--
-- Name: event_24323_link_id_batch_position_idx; Type: INDEX ATTACH; Schema: public; Owner: meterhouse_owner
--

ALTER INDEX public.event_happening_idx ATTACH PARTITION public.event_24323_link_id_batch_position_idx;


--
-- Name: event_24323_link_id_kind_batch_position_idx; Type: INDEX ATTACH; Schema: public; Owner: meterhouse_owner
--

ALTER INDEX public.event_kind_idx ATTACH PARTITION public.event_24323_link_id_kind_batch_position_idx;


--
-- Name: event_24323_pkey; Type: INDEX ATTACH; Schema: public; Owner: meterhouse_owner
--

ALTER INDEX public.event_pkey ATTACH PARTITION public.event_24323_pkey;


--
-- Name: event_24324_link_id_batch_position_idx; Type: INDEX ATTACH; Schema: public; Owner: meterhouse_owner
--

ALTER INDEX public.event_happening_idx ATTACH PARTITION public.event_24324_link_id_batch_position_idx;


--
-- Name: event_24324_link_id_kind_batch_position_idx; Type: INDEX ATTACH; Schema: public; Owner: meterhouse_owner
--

ALTER INDEX public.event_kind_idx ATTACH PARTITION public.event_24324_link_id_kind_batch_position_idx;


--
-- Name: event_24324_pkey; Type: INDEX ATTACH; Schema: public; Owner: meterhouse_owner
--

ALTER INDEX public.event_pkey ATTACH PARTITION public.event_24324_pkey;


--
-- Name: event_24325_link_id_batch_position_idx; Type: INDEX ATTACH; Schema: public; Owner: meterhouse_owner
--

ALTER INDEX public.event_happening_idx ATTACH PARTITION public.event_24325_link_id_batch_position_idx;


--
-- Name: event_24325_link_id_kind_batch_position_idx; Type: INDEX ATTACH; Schema: public; Owner: meterhouse_owner
--

ALTER INDEX public.event_kind_idx ATTACH PARTITION public.event_24325_link_id_kind_batch_position_idx;


--
-- Name: event_24325_pkey; Type: INDEX ATTACH; Schema: public; Owner: meterhouse_owner
--

ALTER INDEX public.event_pkey ATTACH PARTITION public.event_24325_pkey;


--
-- Name: actor append_only; Type: TRIGGER; Schema: public; Owner: meterhouse_owner
--

CREATE TRIGGER append_only BEFORE DELETE OR UPDATE ON public.actor FOR EACH ROW EXECUTE FUNCTION public.meterhouse_refuse_change();


--
-- Name: attempt append_only; Type: TRIGGER; Schema: public; Owner: meterhouse_owner
--

CREATE TRIGGER append_only BEFORE DELETE OR UPDATE ON public.attempt FOR EACH ROW EXECUTE FUNCTION public.meterhouse_refuse_change();


--
-- Name: batch append_only; Type: TRIGGER; Schema: public; Owner: meterhouse_owner
--

CREATE TRIGGER append_only BEFORE DELETE OR UPDATE ON public.batch FOR EACH ROW EXECUTE FUNCTION public.meterhouse_refuse_change();


--
-- Name: checkpoint append_only; Type: TRIGGER; Schema: public; Owner: meterhouse_owner
--

CREATE TRIGGER append_only BEFORE DELETE OR UPDATE ON public.checkpoint FOR EACH ROW EXECUTE FUNCTION public.meterhouse_refuse_change();


--
-- Name: database_identity append_only; Type: TRIGGER; Schema: public; Owner: meterhouse_owner
--

CREATE TRIGGER append_only BEFORE DELETE OR UPDATE ON public.database_identity FOR EACH ROW EXECUTE FUNCTION public.meterhouse_refuse_change();


--
-- Name: database_purpose append_only; Type: TRIGGER; Schema: public; Owner: meterhouse_owner
--

CREATE TRIGGER append_only BEFORE DELETE OR UPDATE ON public.database_purpose FOR EACH ROW EXECUTE FUNCTION public.meterhouse_refuse_change();


--
-- Name: event_24322 append_only; Type: TRIGGER; Schema: public; Owner: meterhouse_owner
--

CREATE TRIGGER append_only BEFORE DELETE OR UPDATE ON public.event_24322 FOR EACH ROW EXECUTE FUNCTION public.meterhouse_refuse_change();


--
-- Name: event_24323 append_only; Type: TRIGGER; Schema: public; Owner: meterhouse_owner
--

CREATE TRIGGER append_only BEFORE DELETE OR UPDATE ON public.event_24323 FOR EACH ROW EXECUTE FUNCTION public.meterhouse_refuse_change();


--
-- Name: event_24324 append_only; Type: TRIGGER; Schema: public; Owner: meterhouse_owner
--

CREATE TRIGGER append_only BEFORE DELETE OR UPDATE ON public.event_24324 FOR EACH ROW EXECUTE FUNCTION public.meterhouse_refuse_change();


--
-- Name: event_24325 append_only; Type: TRIGGER; Schema: public; Owner: meterhouse_owner
--

CREATE TRIGGER append_only BEFORE DELETE OR UPDATE ON public.event_24325 FOR EACH ROW EXECUTE FUNCTION public.meterhouse_refuse_change();


--
-- Name: game_table append_only; Type: TRIGGER; Schema: public; Owner: meterhouse_owner
--

CREATE TRIGGER append_only BEFORE DELETE OR UPDATE ON public.game_table FOR EACH ROW EXECUTE FUNCTION public.meterhouse_refuse_change();


--
-- Name: house_chain append_only; Type: TRIGGER; Schema: public; Owner: meterhouse_owner
--

CREATE TRIGGER append_only BEFORE DELETE OR UPDATE ON public.house_chain FOR EACH ROW EXECUTE FUNCTION public.meterhouse_refuse_change();


--
-- Name: link append_only; Type: TRIGGER; Schema: public; Owner: meterhouse_owner
--

CREATE TRIGGER append_only BEFORE DELETE OR UPDATE ON public.link FOR EACH ROW EXECUTE FUNCTION public.meterhouse_refuse_change();


--
-- Name: paytable append_only; Type: TRIGGER; Schema: public; Owner: meterhouse_owner
--

CREATE TRIGGER append_only BEFORE DELETE OR UPDATE ON public.paytable FOR EACH ROW EXECUTE FUNCTION public.meterhouse_refuse_change();


--
-- Name: table_mark append_only; Type: TRIGGER; Schema: public; Owner: meterhouse_owner
--

CREATE TRIGGER append_only BEFORE DELETE OR UPDATE ON public.table_mark FOR EACH ROW EXECUTE FUNCTION public.meterhouse_refuse_change();


--
-- Name: actor append_only_whole; Type: TRIGGER; Schema: public; Owner: meterhouse_owner
--

CREATE TRIGGER append_only_whole BEFORE TRUNCATE ON public.actor FOR EACH STATEMENT EXECUTE FUNCTION public.meterhouse_refuse_change();


--
-- Name: attempt append_only_whole; Type: TRIGGER; Schema: public; Owner: meterhouse_owner
--

CREATE TRIGGER append_only_whole BEFORE TRUNCATE ON public.attempt FOR EACH STATEMENT EXECUTE FUNCTION public.meterhouse_refuse_change();


--
-- Name: batch append_only_whole; Type: TRIGGER; Schema: public; Owner: meterhouse_owner
--

CREATE TRIGGER append_only_whole BEFORE TRUNCATE ON public.batch FOR EACH STATEMENT EXECUTE FUNCTION public.meterhouse_refuse_change();


--
-- Name: checkpoint append_only_whole; Type: TRIGGER; Schema: public; Owner: meterhouse_owner
--

CREATE TRIGGER append_only_whole BEFORE TRUNCATE ON public.checkpoint FOR EACH STATEMENT EXECUTE FUNCTION public.meterhouse_refuse_change();


--
-- Name: database_identity append_only_whole; Type: TRIGGER; Schema: public; Owner: meterhouse_owner
--

CREATE TRIGGER append_only_whole BEFORE TRUNCATE ON public.database_identity FOR EACH STATEMENT EXECUTE FUNCTION public.meterhouse_refuse_change();


--
-- Name: database_purpose append_only_whole; Type: TRIGGER; Schema: public; Owner: meterhouse_owner
--

CREATE TRIGGER append_only_whole BEFORE TRUNCATE ON public.database_purpose FOR EACH STATEMENT EXECUTE FUNCTION public.meterhouse_refuse_change();


--
-- Name: event append_only_whole; Type: TRIGGER; Schema: public; Owner: meterhouse_owner
--

CREATE TRIGGER append_only_whole BEFORE DELETE OR UPDATE OR TRUNCATE ON public.event FOR EACH STATEMENT EXECUTE FUNCTION public.meterhouse_refuse_change();


--
-- Name: event_24322 append_only_whole; Type: TRIGGER; Schema: public; Owner: meterhouse_owner
--

CREATE TRIGGER append_only_whole BEFORE TRUNCATE ON public.event_24322 FOR EACH STATEMENT EXECUTE FUNCTION public.meterhouse_refuse_change();


--
-- Name: event_24323 append_only_whole; Type: TRIGGER; Schema: public; Owner: meterhouse_owner
--

CREATE TRIGGER append_only_whole BEFORE TRUNCATE ON public.event_24323 FOR EACH STATEMENT EXECUTE FUNCTION public.meterhouse_refuse_change();


--
-- Name: event_24324 append_only_whole; Type: TRIGGER; Schema: public; Owner: meterhouse_owner
--

CREATE TRIGGER append_only_whole BEFORE TRUNCATE ON public.event_24324 FOR EACH STATEMENT EXECUTE FUNCTION public.meterhouse_refuse_change();


--
-- Name: event_24325 append_only_whole; Type: TRIGGER; Schema: public; Owner: meterhouse_owner
--

CREATE TRIGGER append_only_whole BEFORE TRUNCATE ON public.event_24325 FOR EACH STATEMENT EXECUTE FUNCTION public.meterhouse_refuse_change();


--
-- Name: game_table append_only_whole; Type: TRIGGER; Schema: public; Owner: meterhouse_owner
--

CREATE TRIGGER append_only_whole BEFORE TRUNCATE ON public.game_table FOR EACH STATEMENT EXECUTE FUNCTION public.meterhouse_refuse_change();


--
-- Name: house_chain append_only_whole; Type: TRIGGER; Schema: public; Owner: meterhouse_owner
--

CREATE TRIGGER append_only_whole BEFORE TRUNCATE ON public.house_chain FOR EACH STATEMENT EXECUTE FUNCTION public.meterhouse_refuse_change();


--
-- Name: link append_only_whole; Type: TRIGGER; Schema: public; Owner: meterhouse_owner
--

CREATE TRIGGER append_only_whole BEFORE TRUNCATE ON public.link FOR EACH STATEMENT EXECUTE FUNCTION public.meterhouse_refuse_change();


--
-- Name: paytable append_only_whole; Type: TRIGGER; Schema: public; Owner: meterhouse_owner
--

CREATE TRIGGER append_only_whole BEFORE TRUNCATE ON public.paytable FOR EACH STATEMENT EXECUTE FUNCTION public.meterhouse_refuse_change();


--
-- Name: table_mark append_only_whole; Type: TRIGGER; Schema: public; Owner: meterhouse_owner
--

CREATE TRIGGER append_only_whole BEFORE TRUNCATE ON public.table_mark FOR EACH STATEMENT EXECUTE FUNCTION public.meterhouse_refuse_change();


--
-- Name: batch batch_meter_fall_has_reason; Type: TRIGGER; Schema: public; Owner: meterhouse_owner
--

CREATE TRIGGER batch_meter_fall_has_reason AFTER INSERT ON public.batch FOR EACH ROW WHEN (((new.deltas[3] < 0) OR (new.deltas[11] < 0) OR (new.deltas[19] < 0) OR (new.deltas[27] < 0) OR (new.deltas[35] < 0))) EXECUTE FUNCTION public.meterhouse_refuse_meter_fall();


--
-- Name: database_purpose unused; Type: TRIGGER; Schema: public; Owner: meterhouse_owner
--

CREATE TRIGGER unused BEFORE INSERT ON public.database_purpose FOR EACH ROW EXECUTE FUNCTION public.meterhouse_refuse_purpose();


--
-- Name: game_table game_table_link_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: meterhouse_owner
--

ALTER TABLE ONLY public.game_table
    ADD CONSTRAINT game_table_link_id_fkey FOREIGN KEY (link_id) REFERENCES public.link(link_id);


--
-- Name: link link_content_hash_fkey; Type: FK CONSTRAINT; Schema: public; Owner: meterhouse_owner
--

ALTER TABLE ONLY public.link
    ADD CONSTRAINT link_content_hash_fkey FOREIGN KEY (content_hash) REFERENCES public.paytable(content_hash);


--
-- Name: link_head link_head_link_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: meterhouse_owner
--

ALTER TABLE ONLY public.link_head
    ADD CONSTRAINT link_head_link_id_fkey FOREIGN KEY (link_id) REFERENCES public.link(link_id);


--
-- Name: token token_actor_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: meterhouse_owner
--

ALTER TABLE ONLY public.token
    ADD CONSTRAINT token_actor_id_fkey FOREIGN KEY (actor_id) REFERENCES public.actor(actor_id);


--
-- Name: SCHEMA public; Type: ACL; Schema: -; Owner: pg_database_owner
--

GRANT ALL ON SCHEMA public TO meterhouse_owner;


--
-- Name: FUNCTION meterhouse_books_stand(deltas bigint[], after bigint[]); Type: ACL; Schema: public; Owner: meterhouse_owner
--

REVOKE ALL ON FUNCTION public.meterhouse_books_stand(deltas bigint[], after bigint[]) FROM PUBLIC;
GRANT ALL ON FUNCTION public.meterhouse_books_stand(deltas bigint[], after bigint[]) TO meterhouse_app;


--
-- Name: FUNCTION meterhouse_make_periods(first_period integer, period_count integer); Type: ACL; Schema: public; Owner: meterhouse_owner
--

REVOKE ALL ON FUNCTION public.meterhouse_make_periods(first_period integer, period_count integer) FROM PUBLIC;
GRANT ALL ON FUNCTION public.meterhouse_make_periods(first_period integer, period_count integer) TO meterhouse_app;


--
-- Name: FUNCTION meterhouse_refuse_change(); Type: ACL; Schema: public; Owner: meterhouse_owner
--

REVOKE ALL ON FUNCTION public.meterhouse_refuse_change() FROM PUBLIC;


--
-- Name: FUNCTION meterhouse_refuse_meter_fall(); Type: ACL; Schema: public; Owner: meterhouse_owner
--

REVOKE ALL ON FUNCTION public.meterhouse_refuse_meter_fall() FROM PUBLIC;


--
-- Name: TABLE _sqlx_migrations; Type: ACL; Schema: public; Owner: meterhouse_owner
--

GRANT SELECT ON TABLE public._sqlx_migrations TO meterhouse_app;


--
-- Name: TABLE actor; Type: ACL; Schema: public; Owner: meterhouse_owner
--

GRANT SELECT,INSERT ON TABLE public.actor TO meterhouse_app;


--
-- Name: TABLE attempt; Type: ACL; Schema: public; Owner: meterhouse_owner
--

GRANT SELECT,INSERT ON TABLE public.attempt TO meterhouse_app;


--
-- Name: TABLE batch; Type: ACL; Schema: public; Owner: meterhouse_owner
--

GRANT SELECT,INSERT ON TABLE public.batch TO meterhouse_app;


--
-- Name: TABLE link; Type: ACL; Schema: public; Owner: meterhouse_owner
--

GRANT SELECT,INSERT ON TABLE public.link TO meterhouse_app;


--
-- Name: TABLE link_head; Type: ACL; Schema: public; Owner: meterhouse_owner
--

GRANT SELECT,INSERT,UPDATE ON TABLE public.link_head TO meterhouse_app;


--
-- Name: TABLE book; Type: ACL; Schema: public; Owner: meterhouse_owner
--

GRANT SELECT ON TABLE public.book TO meterhouse_app;


--
-- Name: TABLE checkpoint; Type: ACL; Schema: public; Owner: meterhouse_owner
--

GRANT SELECT,INSERT ON TABLE public.checkpoint TO meterhouse_app;


--
-- Name: TABLE database_identity; Type: ACL; Schema: public; Owner: meterhouse_owner
--

GRANT SELECT ON TABLE public.database_identity TO meterhouse_app;


--
-- Name: TABLE database_purpose; Type: ACL; Schema: public; Owner: meterhouse_owner
--

GRANT SELECT,INSERT ON TABLE public.database_purpose TO meterhouse_app;


--
-- Name: TABLE event; Type: ACL; Schema: public; Owner: meterhouse_owner
--

GRANT SELECT,INSERT ON TABLE public.event TO meterhouse_app;


--
-- Name: TABLE game_table; Type: ACL; Schema: public; Owner: meterhouse_owner
--

GRANT SELECT,INSERT ON TABLE public.game_table TO meterhouse_app;


--
-- Name: TABLE hit; Type: ACL; Schema: public; Owner: meterhouse_owner
--

GRANT SELECT,INSERT,UPDATE ON TABLE public.hit TO meterhouse_app;


--
-- Name: TABLE house_chain; Type: ACL; Schema: public; Owner: meterhouse_owner
--

GRANT SELECT,INSERT ON TABLE public.house_chain TO meterhouse_app;


--
-- Name: TABLE meter; Type: ACL; Schema: public; Owner: meterhouse_owner
--

GRANT SELECT ON TABLE public.meter TO meterhouse_app;


--
-- Name: TABLE payout; Type: ACL; Schema: public; Owner: meterhouse_owner
--

GRANT SELECT,INSERT,UPDATE ON TABLE public.payout TO meterhouse_app;


--
-- Name: TABLE paytable; Type: ACL; Schema: public; Owner: meterhouse_owner
--

GRANT SELECT,INSERT ON TABLE public.paytable TO meterhouse_app;


--
-- Name: TABLE snapshot; Type: ACL; Schema: public; Owner: meterhouse_owner
--

GRANT SELECT,INSERT,DELETE ON TABLE public.snapshot TO meterhouse_app;


--
-- Name: TABLE table_contact; Type: ACL; Schema: public; Owner: meterhouse_owner
--

GRANT SELECT,INSERT,UPDATE ON TABLE public.table_contact TO meterhouse_app;


--
-- Name: TABLE table_mark; Type: ACL; Schema: public; Owner: meterhouse_owner
--

GRANT SELECT,INSERT ON TABLE public.table_mark TO meterhouse_app;


--
-- Name: TABLE token; Type: ACL; Schema: public; Owner: meterhouse_owner
--

GRANT SELECT,INSERT ON TABLE public.token TO meterhouse_app;


--
-- Name: COLUMN token.revoked_at; Type: ACL; Schema: public; Owner: meterhouse_owner
--

GRANT UPDATE(revoked_at) ON TABLE public.token TO meterhouse_app;


--
-- PostgreSQL database dump complete
--


