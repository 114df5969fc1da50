-- Logins by OpenID Connect: which subject of which issuer is which person, and the logins that were used up.

-- The newest row of a person counts; without issuer and subject there is none.
CREATE TABLE openid_subject (
  actor_id integer NOT NULL,
  set_at   bigint  NOT NULL,
  issuer   text,
  subject  text,
  voucher  bytea,
  CONSTRAINT openid_subject_pkey PRIMARY KEY (actor_id, set_at),
  CONSTRAINT openid_subject_actor_id_fkey FOREIGN KEY (actor_id) REFERENCES actor,
  CONSTRAINT openid_subject_whole CHECK ((issuer IS NULL) = (subject IS NULL))
);
CREATE INDEX openid_subject_issuer_idx ON openid_subject (issuer, subject);

-- Each login begins one session. Rows that are older than any login in flight are deleted.
CREATE TABLE openid_login (
  login_hash bytea  NOT NULL,
  used_at    bigint NOT NULL,
  CONSTRAINT openid_login_pkey PRIMARY KEY (login_hash),
  CONSTRAINT openid_login_hash_sha256 CHECK (octet_length(login_hash) = 32)
);

CREATE TRIGGER append_only BEFORE UPDATE OR DELETE ON openid_subject
  FOR EACH ROW EXECUTE FUNCTION meterhouse_refuse_change();
CREATE TRIGGER append_only_whole BEFORE TRUNCATE ON openid_subject
  FOR EACH STATEMENT EXECUTE FUNCTION meterhouse_refuse_change();

GRANT SELECT, INSERT ON openid_subject TO meterhouse_app;
GRANT SELECT, INSERT, DELETE ON openid_login TO meterhouse_app;
