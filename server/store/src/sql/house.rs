//! The house's hash chain and the rows that it records.

use crate::sql::statement::statements;

statements! {
    /// Locks the chain until the transaction ends.
    LOCK_CHAIN = "house.lock", "
SELECT pg_advisory_xact_lock($1)";

    /// Returns the newest entry.
    LAST_ENTRY = "house.last", "
SELECT number, hash FROM house_chain ORDER BY number DESC LIMIT 1";

    /// Adds an entry.
    ADD_ENTRY = "house.add", "
INSERT INTO house_chain (number, at, kind, body, hash) VALUES ($1, $2, $3, $4, $5)";

    /// Returns a page of entries after one.
    ENTRIES = "house.entries", "
SELECT number, at, kind, body, hash FROM house_chain WHERE number > $1 ORDER BY number LIMIT $2";

    /// Returns the entries about signing keys.
    KEY_ENTRIES = "house.keys", "
SELECT number, at, kind, body, hash FROM house_chain WHERE kind IN (6, 7) ORDER BY number LIMIT $1";

    /// Returns a page of actors after one.
    ACTORS = "house.actors", "
SELECT actor_id, name, role, table_name, link_name, department, rights, created_at
FROM actor WHERE actor_id > $1 ORDER BY actor_id LIMIT $2";

    /// Returns a page of tokens after one.
    TOKENS = "house.tokens", "
SELECT token_hash, actor_id, created_at, expires_at, revoked_at
FROM token WHERE token_hash > $1 ORDER BY token_hash LIMIT $2";

    /// Returns a page of paytables after one.
    PAYTABLES = "house.paytables", "
SELECT content_hash, paytable_id, document
FROM paytable WHERE content_hash > $1 ORDER BY content_hash LIMIT $2";
}
