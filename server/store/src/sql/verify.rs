//! Reads of a whole link for `verify`, in transactions that share one snapshot.
//!
//! # Shape
//! COPY takes no parameters, so that its two queries read the link's number from a setting of the
//! transaction. Both walk the primary keys, because sorting a journal would need its size in
//! temporary files.

use crate::sql::statement::{balances_of_head, statements};

statements! {
    /// Begins a transaction whose statements see one snapshot.
    BEGIN_VIEW = "verify.begin", "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY";

    /// Returns the name of the snapshot, for the other connection.
    EXPORT_VIEW = "verify.export", "SELECT pg_export_snapshot() AS name";

    /// Sets the link, disables sorting, and allows a connection to be idle for long while the other
    /// is read.
    SET_LINK = "verify.set_link", "
SELECT set_config('meterhouse.link', $1, true),
       set_config('enable_sort', 'off', true),
       set_config('enable_bitmapscan', 'off', true),
       set_config('max_parallel_workers_per_gather', '0', true),
       set_config('idle_in_transaction_session_timeout', '10min', true)";

    /// Returns all batches.
    BATCHES = "verify.batches", "
SELECT batch, at, node, epoch, rule_version, period, events, array_replace(deltas, NULL, 0) AS deltas,
       array_replace(after, NULL, 0) AS after, chain_hash
FROM batch WHERE link_id = current_setting('meterhouse.link')::int ORDER BY batch";

    /// Returns all events.
    EVENTS = "verify.events", "
SELECT period, batch, position, table_no, sequence, actor_id, kind, refusal, own_seats,
       dealer_seats, i1, i2, i3, i4, record
FROM event WHERE link_id = current_setting('meterhouse.link')::int
ORDER BY period, batch, position";

    /// Sets a month, and the batch behind which the link's batches of the month begin.
    SET_MONTH = "verify.set_month", "
SELECT set_config('meterhouse.period', $1, true), set_config('meterhouse.after', $2, true)";

    /// Returns the batches of that month.
    BATCHES_OF_MONTH = "verify.batches_of_month", "
SELECT batch, at, node, epoch, rule_version, period, events, array_replace(deltas, NULL, 0) AS deltas,
       array_replace(after, NULL, 0) AS after, chain_hash
FROM batch WHERE link_id = current_setting('meterhouse.link')::int
  AND batch > current_setting('meterhouse.after')::bigint
  AND period = current_setting('meterhouse.period')::int ORDER BY batch";

    /// Returns the events of that month.
    EVENTS_OF_MONTH = "verify.events_of_month", "
SELECT period, batch, position, table_no, sequence, actor_id, kind, refusal, own_seats,
       dealer_seats, i1, i2, i3, i4, record
FROM event WHERE link_id = current_setting('meterhouse.link')::int
  AND period = current_setting('meterhouse.period')::int
ORDER BY period, batch, position";

    /// Returns the head with all columns.
    HEAD = "verify.head", concat!("
SELECT head.batch, head.epoch, head.chain_hash, head.period, head.status, ", balances_of_head!(), "
FROM link_head AS head LEFT JOIN batch AS last USING (link_id, batch) WHERE head.link_id = $1");

    /// Returns the paytable that was stored when the link opened.
    PAYTABLE = "verify.paytable", "
SELECT p.content_hash, p.paytable_id, p.document
FROM link AS l JOIN paytable AS p USING (content_hash) WHERE l.link_id = $1";

    /// Returns the links that have batches or a head, but no row. Each link costs one step along
    /// the key.
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

    /// Returns a page of marks.
    MARKS = "verify.marks", "
SELECT table_no, sequence, period, batch, position FROM table_mark
WHERE link_id = $1 AND (table_no, sequence) > ($2, $3) ORDER BY table_no, sequence LIMIT $4";
}
