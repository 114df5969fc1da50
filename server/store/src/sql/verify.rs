//! Reading a whole link for `verify`, in transactions that see one moment.
//!
//! # Shape
//! COPY takes no parameters, so that its two queries read the link's number from a setting of the
//! transaction. They walk the primary keys: sorting a journal would need its size in temporary
//! files.

use crate::sql::statement::statements;

statements! {
    /// One moment for all statements that follow.
    BEGIN_VIEW = "verify.begin", "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY";

    /// The name of that moment, for the other connection.
    EXPORT_VIEW = "verify.export", "SELECT pg_export_snapshot() AS name";

    /// Of which link, along the keys, and while one connection is read the other may lie idle for long.
    SET_LINK = "verify.set_link", "
SELECT set_config('meterhouse.link', $1, true),
       set_config('enable_sort', 'off', true),
       set_config('enable_bitmapscan', 'off', true),
       set_config('max_parallel_workers_per_gather', '0', true),
       set_config('idle_in_transaction_session_timeout', '10min', true)";

    /// The batches.
    BATCHES = "verify.batches", "
SELECT batch, at, node, epoch, rule_version, period, events, deltas, after, chain_hash
FROM batch WHERE link_id = current_setting('meterhouse.link')::int ORDER BY batch";

    /// The events.
    EVENTS = "verify.events", "
SELECT period, batch, position, table_no, sequence, actor_id, kind, refusal, own_seats,
       dealer_seats, i1, i2, i3, i4, record
FROM event WHERE link_id = current_setting('meterhouse.link')::int
ORDER BY period, batch, position";

    /// Its head, whole.
    HEAD = "verify.head", "
SELECT batch, epoch, chain_hash, period, status, balances FROM link_head WHERE link_id = $1";

    /// The paytable that was kept when it opened.
    PAYTABLE = "verify.paytable", "
SELECT p.content_hash, p.paytable_id, p.document
FROM link AS l JOIN paytable AS p USING (content_hash) WHERE l.link_id = $1";

    /// Links that have batches or a head and no row; each link costs one step along the key.
    UNNAMED_LINKS = "verify.unnamed_links", "
WITH RECURSIVE of_batches AS (
  (SELECT min(link_id) AS link_id FROM batch)
  UNION ALL
  SELECT (SELECT min(link_id) FROM batch WHERE link_id > of_batches.link_id)
  FROM of_batches WHERE of_batches.link_id IS NOT NULL
)
SELECT link_id FROM (SELECT link_id FROM of_batches UNION SELECT link_id FROM link_head) AS known
WHERE link_id IS NOT NULL AND link_id NOT IN (SELECT link_id FROM link)
ORDER BY link_id";

    /// Its marks, a page.
    MARKS = "verify.marks", "
SELECT table_no, sequence, period, batch, position FROM table_mark
WHERE link_id = $1 AND (table_no, sequence) > ($2, $3) ORDER BY table_no, sequence LIMIT $4";
}
