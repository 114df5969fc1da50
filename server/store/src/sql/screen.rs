//! Pairings, screens, and what they showed.

use crate::sql::statement::statements;

statements! {
    /// Locks the opening of pairings until the transaction ends.
    LOCK_PAIRINGS = "screen.lock_pairings", "
SELECT pg_advisory_xact_lock($1)";

    /// Deletes the pairings that have expired.
    FORGET_PAIRINGS = "screen.forget_pairings", "
DELETE FROM pairing WHERE expires_at <= $1";

    /// Returns the pairing of a key.
    PAIRING_OF_KEY = "screen.pairing_of_key", "
SELECT code, key_hash, address, expires_at, screen FROM pairing WHERE key_hash = $1 AND expires_at > $2";

    /// Returns the pairing of a code.
    PAIRING_OF_CODE = "screen.pairing_of_code", "
SELECT code, key_hash, address, expires_at, screen FROM pairing WHERE code = $1 AND expires_at > $2";

    /// Returns the number of all open pairings, and of those of an address.
    COUNT_PAIRINGS = "screen.count_pairings", "
SELECT count(*) AS found, count(*) FILTER (WHERE address = $1) AS of_address FROM pairing WHERE screen IS NULL";

    /// Adds a pairing; no row if the code is taken.
    ADD_PAIRING = "screen.add_pairing", "
INSERT INTO pairing (code, key_hash, address, expires_at) VALUES ($1, $2, $3, $4)
ON CONFLICT ON CONSTRAINT pairing_pkey DO NOTHING";

    /// Uses a pairing for a screen, and returns its key; no row if it has expired or was used.
    USE_PAIRING = "screen.use_pairing", "
UPDATE pairing SET screen = $2 WHERE code = $1 AND expires_at > $3 AND screen IS NULL
RETURNING key_hash";

    /// Deletes the used pairings of a screen.
    FORGET_PAIRING = "screen.forget_pairing", "
DELETE FROM pairing WHERE screen = $1";

    /// Returns the screen of a key, with its links if the key is still good.
    SCREEN_OF_KEY = "screen.of_key", "
SELECT a.name, CASE WHEN t.revoked_at IS NULL THEN s.links END AS links
FROM token AS t JOIN actor AS a USING (actor_id) LEFT JOIN screen AS s USING (actor_id)
WHERE t.token_hash = $1";

    /// Adds a screen, or pairs it again.
    PUT_SCREEN = "screen.put", "
INSERT INTO screen (actor_id, links, paired_at, paired_by) VALUES ($1, $2, $3, $4)
ON CONFLICT ON CONSTRAINT screen_pkey DO UPDATE
SET links = EXCLUDED.links, paired_at = EXCLUDED.paired_at, paired_by = EXCLUDED.paired_by";

    /// Removes a screen; no row if there is none.
    REMOVE_SCREEN = "screen.remove", "
DELETE FROM screen WHERE actor_id = $1";

    /// Returns the links of a screen.
    LINKS_OF_SCREEN = "screen.links", "
SELECT links FROM screen WHERE actor_id = $1";

    /// Extends the newest row of a screen and a link, if it says the same and is recent.
    EXTEND_SHOWN = "screen.extend_shown", "
UPDATE shown SET until = GREATEST(until, $2), batch = $4
WHERE actor_id = $1
  AND since = (SELECT n.since FROM shown AS n WHERE n.actor_id = $1 AND n.link_name = $3 ORDER BY n.since DESC LIMIT 1)
  AND levels = $5 AND amounts = $6 AND is_different = $7 AND is_stale = $8 AND until >= $9";

    /// Adds a row of what a screen shows.
    ADD_SHOWN = "screen.add_shown", "
INSERT INTO shown (actor_id, since, until, link_name, batch, levels, amounts, is_different, is_stale)
VALUES ($1, $2, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT ON CONSTRAINT shown_pkey DO NOTHING";

    /// Deletes what screens showed before a moment.
    FORGET_SHOWN = "screen.forget_shown", "
DELETE FROM shown WHERE until < $1";

    /// Returns a page of screens after a name, a row for each of their links, with what it shows.
    LIST_SCREENS = "screen.list", "
SELECT s.name, s.links, s.paired_at, s.paired_by, u.link AS link_name,
       n.since, n.until, n.batch, n.levels, n.amounts, n.is_different, n.is_stale
FROM (SELECT actor_id, name, links, paired_at, paired_by FROM screen JOIN actor USING (actor_id)
      WHERE name > $1 ORDER BY name LIMIT $2) AS s
CROSS JOIN LATERAL unnest(s.links) WITH ORDINALITY AS u(link, place)
LEFT JOIN LATERAL (SELECT * FROM shown WHERE actor_id = s.actor_id AND link_name = u.link
                   ORDER BY since DESC LIMIT 1) AS n ON true
ORDER BY s.name, u.place";

    /// Returns what a screen showed in a period, newest first.
    LIST_SHOWN = "screen.list_shown", "
SELECT n.link_name, n.since, n.until, n.batch, n.levels, n.amounts, n.is_different, n.is_stale
FROM shown AS n JOIN actor AS a USING (actor_id)
WHERE a.name = $1 AND n.until >= $2 AND n.since < $3 ORDER BY n.since DESC LIMIT $4";
}
