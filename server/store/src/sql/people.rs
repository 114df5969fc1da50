//! Actors and tokens.

use crate::sql::statement::statements;

statements! {
    /// Adds an actor; no row if the name is taken.
    INSERT_ACTOR = "people.insert_actor", "
INSERT INTO actor (name, role, table_name, link_name, department, rights, created_at)
VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT ON CONSTRAINT actor_name_key DO NOTHING";

    /// Returns the actor with this name.
    FIND_ACTOR = "people.find_actor", "
SELECT actor_id, name, role, table_name, link_name, department, rights, created_at
FROM actor WHERE name = $1";

    /// Adds a token of an actor.
    INSERT_TOKEN = "people.insert_token", "
INSERT INTO token (token_hash, actor_id, created_at, expires_at, voucher) VALUES ($1, $2, $3, $4, $5)";

    /// Returns the owner of a valid token, with the token's voucher.
    FIND_TOKEN = "people.find_token", "
SELECT a.actor_id, a.name, a.role, a.table_name, a.link_name, a.department, a.rights, a.created_at,
       t.created_at AS token_created_at, t.expires_at, t.voucher
FROM token AS t JOIN actor AS a USING (actor_id)
WHERE t.token_hash = $1 AND t.revoked_at IS NULL AND (t.expires_at IS NULL OR t.expires_at > $2)
  AND NOT COALESCE((SELECT x.is_ended FROM actor_access AS x WHERE x.actor_id = a.actor_id
                    ORDER BY x.changed_at DESC LIMIT 1), false)";

    /// Returns the digests of all valid tokens.
    TOKEN_HASHES = "people.token_hashes", "
SELECT token_hash AS hash FROM token
WHERE revoked_at IS NULL AND (expires_at IS NULL OR expires_at > $1) LIMIT $2";

    /// Returns which of some tokens are not valid any more.
    ENDED_TOKENS = "people.ended_tokens", "
SELECT asked.hash FROM unnest($1::bytea[]) AS asked (hash)
WHERE NOT EXISTS (
  SELECT FROM token AS t WHERE t.token_hash = asked.hash AND t.revoked_at IS NULL
    AND (t.expires_at IS NULL OR t.expires_at > $2)
    AND NOT COALESCE((SELECT x.is_ended FROM actor_access AS x WHERE x.actor_id = t.actor_id
                      ORDER BY x.changed_at DESC LIMIT 1), false))";

    /// Revokes the tokens that have expired, so that a clock that is set back revives none.
    END_EXPIRED_TOKENS = "people.end_expired_tokens", "
UPDATE token SET revoked_at = $1 WHERE revoked_at IS NULL AND expires_at <= $1";

    /// Returns a page of tokens in the order of their actors' names and their creation.
    LIST_TOKENS = "people.list_tokens", "
SELECT a.actor_id, a.name, a.role, a.table_name, a.link_name, a.department, a.rights, a.created_at,
       t.created_at AS token_created_at, t.expires_at, t.revoked_at
FROM token AS t JOIN actor AS a USING (actor_id)
WHERE (a.name, t.created_at) > ($1, $2)
ORDER BY a.name, t.created_at LIMIT $3";

    /// Revokes every token of a name.
    REVOKE_TOKENS = "people.revoke_tokens", "
UPDATE token SET revoked_at = $2
WHERE revoked_at IS NULL AND actor_id = (SELECT actor_id FROM actor WHERE name = $1)
RETURNING token_hash";

    /// Returns the names of some actors.
    NAMES = "people.names", "
SELECT actor_id, name FROM actor WHERE actor_id = ANY($1)";
}
