-- Who may come in: people, table controllers, displays; and their tokens as digests.

CREATE TABLE actor (
  actor_id   integer GENERATED ALWAYS AS IDENTITY (START WITH 2),
  name       text   NOT NULL,
  role       text   NOT NULL,
  table_name text,
  link_name  text,
  department text,
  created_at bigint NOT NULL,
  CONSTRAINT actor_pkey PRIMARY KEY (actor_id),
  CONSTRAINT actor_name_key UNIQUE (name),
  CONSTRAINT actor_role_known CHECK
    (role IN ('controller', 'display', 'supervisor', 'manager', 'auditor', 'server'))
);

CREATE TABLE token (
  token_hash bytea   NOT NULL,
  actor_id   integer NOT NULL,
  created_at bigint  NOT NULL,
  expires_at bigint,
  revoked_at bigint,
  CONSTRAINT token_pkey PRIMARY KEY (token_hash),
  CONSTRAINT token_actor_id_fkey FOREIGN KEY (actor_id) REFERENCES actor,
  CONSTRAINT token_hash_sha256 CHECK (octet_length(token_hash) = 32)
);
CREATE INDEX token_actor_id_idx ON token (actor_id);

-- The server itself: what it does without being told. It has no token.
INSERT INTO actor (actor_id, name, role, created_at) OVERRIDING SYSTEM VALUE
VALUES (1, 'meterhouse', 'server', (extract(epoch FROM now()) * 1000000)::bigint);
