//! Links and their tables.

use crate::sql::statement::statements;

statements! {
    /// Stores a paytable's content once.
    INSERT_PAYTABLE = "link.insert_paytable", "
INSERT INTO paytable (content_hash, paytable_id, document) VALUES ($1, $2, $3)
ON CONFLICT ON CONSTRAINT paytable_pkey DO NOTHING";

    /// Adds a link.
    INSERT_LINK = "link.insert", "
INSERT INTO link (name, paytable_id, content_hash, wager_micros, decks, reserve_policy, created_at)
VALUES ($1, $2, $3, $4, $5, $6, $7) RETURNING link_id";

    /// Adds the link's head before its first batch: a compact one if all others are. Returns the page of its row.
    INSERT_HEAD = "link.insert_head", "
INSERT INTO link_head (link_id, batch, epoch, chain_hash, period, status, balances, is_compact)
SELECT $1, 0, $2, $3, $4, $5, '{}', NOT EXISTS (SELECT FROM link_head WHERE NOT is_compact)
RETURNING (ctid::text::point)[0]::bigint AS page";

    /// Returns the links that are not compact, in the order of their numbers.
    LIST_DENSE = "link.list_dense", "
SELECT link_id FROM link_head WHERE NOT is_compact ORDER BY link_id";

    /// Makes one link compact. A statement for all would hold every head while it waits for one.
    COMPACT_HEAD = "link.compact_head", "
UPDATE link_head SET is_compact = true WHERE link_id = $1 AND NOT is_compact";

    /// Returns a page of links in the order of their numbers.
    LIST_LINKS = "link.list", "
SELECT link_id, name, paytable_id, content_hash, wager_micros, decks, reserve_policy, created_at
FROM link WHERE link_id > $1 ORDER BY link_id LIMIT $2";

    /// Returns the link with this name.
    FIND_LINK = "link.find", "
SELECT link_id, name, paytable_id, content_hash, wager_micros, decks, reserve_policy, created_at
FROM link WHERE name = $1";

    /// Returns the link with this number.
    FIND_LINK_BY_ID = "link.find_by_id", "
SELECT link_id, name, paytable_id, content_hash, wager_micros, decks, reserve_policy, created_at
FROM link WHERE link_id = $1";

    /// Returns the table with this name.
    FIND_TABLE = "link.find_table", "
SELECT t.link_id, l.name AS link_name, t.table_no, t.name, t.game, t.seats, t.joined_at, p.pit
FROM game_table AS t JOIN link AS l USING (link_id)
LEFT JOIN LATERAL (
  SELECT pit FROM table_presentation
  WHERE link_id = t.link_id AND table_no = t.table_no ORDER BY number DESC LIMIT 1
) AS p ON true
WHERE t.name = $1";

    /// Returns a page of tables in the order of joining, of one link or of all.
    LIST_TABLES = "link.list_tables", "
SELECT t.link_id, l.name AS link_name, t.table_no, t.name, t.game, t.seats, t.joined_at, p.pit
FROM game_table AS t JOIN link AS l USING (link_id)
LEFT JOIN LATERAL (
  SELECT pit FROM table_presentation
  WHERE link_id = t.link_id AND table_no = t.table_no ORDER BY number DESC LIMIT 1
) AS p ON true
WHERE ($1::int IS NULL OR t.link_id = $1) AND (t.link_id, t.table_no) > ($2, $3)
ORDER BY t.link_id, t.table_no LIMIT $4";

    /// Returns the links with a hit in one state, which a start loads immediately.
    LINKS_WITH_HITS = "link.with_hits", "
SELECT l.link_id FROM link AS l
WHERE EXISTS (SELECT FROM hit AS h WHERE h.link_id = l.link_id AND h.state = $1)
ORDER BY l.link_id";
}
