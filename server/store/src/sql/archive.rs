//! Archived months: their records, the states that stand for their events, and their partitions.
//!
//! # Shape
//! `event_PERIOD` is a month's partition. A detached one is set aside as `archived_event_PERIOD`. Statements that name
//! a table can't be prepared and are built in `archiver`.

use crate::sql::statement::statements;

/// Compares if the events of the month of `s` can't be read any more.
macro_rules! is_detached_s {
    () => {
        "NOT EXISTS (
  SELECT FROM pg_catalog.pg_inherits AS i
  WHERE i.inhparent = 'event'::regclass AND NOT i.inhdetachpending
    AND i.inhrelid = to_regclass(format('event_%s', s.period))
)"
    };
}

statements! {
    /// Returns the end of a link's archived events: the newest detached month with its last batch.
    ARCHIVED_THROUGH = "archive.through", concat!("
SELECT s.period, s.batch, s.kinds, b.events
FROM archived_state AS s JOIN batch AS b ON b.link_id = s.link_id AND b.batch = s.batch
WHERE s.link_id = $1 AND ", is_detached_s!(), "
ORDER BY s.period DESC LIMIT 1");

    /// Returns the detached months of a link.
    ARCHIVED_PERIODS = "archive.periods", concat!("
SELECT s.period FROM archived_state AS s WHERE s.link_id = $1 AND ", is_detached_s!(), " ORDER BY s.period");

    /// Returns if a batch of one of these times is not after an archived batch.
    ARCHIVED_AT = "archive.at", "
SELECT EXISTS (SELECT FROM batch WHERE link_id = $1 AND at = ANY($2) AND batch <= $3) AS is_archived";

    /// Returns every month that has, or had, a table of events.
    MONTHS = "archive.months", "
WITH known AS (
  SELECT substr(relname, length(relname) - 4)::int AS period FROM pg_catalog.pg_class
  WHERE relnamespace = (SELECT relnamespace FROM pg_catalog.pg_class WHERE oid = 'event'::regclass)
    AND relkind = 'r' AND relname ~ '^(archived_)?event_[0-9]{5}$'
  UNION SELECT period FROM archived_period
)
SELECT k.period,
       i.inhrelid IS NOT NULL AS is_partition, COALESCE(i.inhdetachpending, false) AS is_pending,
       to_regclass(format('event_%s', k.period)) IS NOT NULL AS has_table,
       to_regclass(format('archived_event_%s', k.period)) IS NOT NULL AS is_set_aside,
       COALESCE(pg_total_relation_size(COALESCE(to_regclass(format('event_%s', k.period)),
                                                to_regclass(format('archived_event_%s', k.period)))), 0) AS size,
       EXISTS (SELECT FROM event WHERE period = k.period) AS has_events,
       a.at, a.file_hash, a.bytes, a.links, a.batches, a.events
FROM known AS k
LEFT JOIN archived_period AS a ON a.period = k.period
LEFT JOIN pg_catalog.pg_inherits AS i
  ON i.inhparent = 'event'::regclass AND i.inhrelid = to_regclass(format('event_%s', k.period))
ORDER BY k.period";

    /// Returns the first month into which an event may still be written: the month of the database's clock a day ago,
    /// or a later one if all links have left that month already. The months of a link never go back.
    OPEN_PERIOD = "archive.open_period", "
SELECT GREATEST(
  (SELECT (12 * extract(year FROM utc) + extract(month FROM utc) - 1)::int
   FROM (SELECT (now() - interval '1 day') AT TIME ZONE 'UTC' AS utc) AS clock),
  (SELECT min(period) FROM link_head)) AS period";

    /// Returns a hit that is open and was entered up to a batch.
    OPEN_HIT = "archive.open_hit", "
SELECT t.name, h.sequence, h.number
FROM hit AS h JOIN game_table AS t ON t.link_id = h.link_id AND t.table_no = h.table_no
WHERE h.link_id = $1 AND h.state IN (1, 2, 3)
  AND h.keyed_at <= (SELECT max(at) FROM batch WHERE link_id = $1 AND batch > $2 AND batch <= $3)
ORDER BY h.hit_order LIMIT 1";

    /// Returns the newest state of a link before a month.
    STATE_BEFORE = "archive.state_before", "
SELECT period, batch, chain_hash, format, kinds, paytables, state FROM archived_state
WHERE link_id = $1 AND period < $2 ORDER BY period DESC LIMIT 1";

    /// Returns the paytable that a table named when it joined in an archived month.
    ARCHIVED_PAYTABLE = "archive.paytable", "
SELECT paytables[$2] AS paytable FROM archived_state WHERE link_id = $1 ORDER BY period DESC LIMIT 1";

    /// Returns the states of a link after archived months, without the states' bytes.
    ARCHIVED_FACTS = "archive.facts", "
SELECT batch, kinds, paytables FROM archived_state WHERE link_id = $1 ORDER BY period";

    /// Returns a page of a link's batches of a month, without their content.
    MONTH_HASHES = "archive.month_hashes", "
SELECT batch, chain_hash, events FROM batch
WHERE link_id = $1 AND batch > $2 AND period = $3 ORDER BY batch LIMIT $4";

    /// Takes the lock that allows one command on archives at a time.
    TRY_ARCHIVE_LOCK = "archive.try_lock", "
SELECT pg_try_advisory_lock(7740823519048) AS locked";

    /// Records an archived month.
    RECORD_PERIOD = "archive.record_period", "
INSERT INTO archived_period (period, at, file_hash, bytes, links, batches, events)
VALUES ($1, $2, $3, $4, $5, $6, $7)";

    /// Records the state of a link after an archived month.
    RECORD_STATE = "archive.record_state", "
INSERT INTO archived_state (link_id, period, batch, chain_hash, format, kinds, paytables, state)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8)";

    /// Limits the waits for locks, and for transactions that still see a partition.
    LIMIT_WAITS = "archive.limit_waits", "SELECT set_config('lock_timeout', $1, false)";
}
