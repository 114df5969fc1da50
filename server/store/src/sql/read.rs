//! Reads of one link's journal.
//!
//! # Limits
//! A range is read period by period (`LATERAL`, with `OFFSET 0` to keep it so). Only then does
//! Postgres end the scan of the key at the range's end. With `period BETWEEN` or a comparison of
//! rows, the scan continues to the end of the journal.
//!
//! # Order and locking
//! None. If the head was locked before, these are later statements, so that they see the change
//! that the lock waited for.

use crate::sql::statement::statements;

statements! {
    /// Returns the batches after one, without their events.
    READ_BATCHES = "journal.read_batches", "
SELECT batch, at, node, epoch, rule_version, period, events, array_replace(deltas, NULL, 0) AS deltas,
       array_replace(after, NULL, 0) AS after, chain_hash
FROM batch WHERE link_id = $1 AND batch > $2 ORDER BY batch LIMIT $3";

    /// Returns the events of adjacent batches, in their order.
    READ_EVENTS = "journal.read_events", "
SELECT e.batch, e.position, e.table_no, e.sequence, e.actor_id, e.kind, e.refusal, e.own_seats,
       e.dealer_seats, e.i1, e.i2, e.i3, e.i4, e.record
FROM generate_series($2::int, $4::int) AS stretch(period) CROSS JOIN LATERAL (
  SELECT * FROM event
  WHERE link_id = $1 AND period = stretch.period AND batch BETWEEN $3 AND $5
  ORDER BY batch, position OFFSET 0
) AS e
ORDER BY e.batch, e.position";

    /// Returns the range that holds commands of a table: from the greatest mark not after the first
    /// command ($3) to the next mark after the last one ($4), or to the head.
    FIND_RANGE = "journal.find_range", "
SELECT mark.period, mark.batch, COALESCE(next.period, head.period) AS last_period,
       COALESCE(next.batch, head.batch) AS last_batch
FROM (
  SELECT link_id, table_no, sequence, period, batch FROM table_mark
  WHERE link_id = $1 AND table_no = $2 AND sequence <= $3 ORDER BY sequence DESC LIMIT 1
) AS mark
JOIN link_head AS head ON head.link_id = $1
LEFT JOIN LATERAL (
  SELECT period, batch FROM table_mark
  WHERE link_id = mark.link_id AND table_no = mark.table_no AND sequence > $4
  ORDER BY sequence LIMIT 1
) AS next ON true";

    /// Returns the command in that range. Months are read in their order, and a number exists once,
    /// so that no later month is read. Sorting would read all of them.
    FIND_EVENT = "journal.find_event", "
SELECT e.batch, e.position
FROM generate_series($2::int, $4::int) AS stretch(period) CROSS JOIN LATERAL (
  SELECT batch, position FROM event
  WHERE link_id = $1 AND period = stretch.period AND batch BETWEEN $3 AND $5
    AND table_no = $6 AND sequence = $7
  ORDER BY batch, position LIMIT 1
) AS e
LIMIT 1";

    /// Returns the newest snapshot before a batch, if the journal has the snapshot's last batch. The state after an
    /// archived month is one, and comes first if there are two of one batch.
    LOAD_SNAPSHOT = "journal.load_snapshot", "
SELECT stored.batch, stored.format, stored.chain_hash, stored.state
FROM (
  SELECT batch, format, chain_hash, state, 0 AS rank FROM snapshot
  WHERE link_id = $1 AND ($2::bigint IS NULL OR batch < $2)
  UNION ALL
  SELECT batch, format, chain_hash, state, 1 AS rank FROM archived_state
  WHERE link_id = $1 AND ($2::bigint IS NULL OR batch < $2)
) AS stored
JOIN batch ON batch.link_id = $1 AND batch.batch = stored.batch AND batch.chain_hash = stored.chain_hash
ORDER BY stored.batch DESC, stored.rank DESC LIMIT 1";

    /// Adds a snapshot and deletes those before its predecessor. The delete sees the table as it
    /// was.
    SAVE_SNAPSHOT = "journal.save_snapshot", "
WITH saved AS (
  INSERT INTO snapshot (link_id, batch, format, chain_hash, state) VALUES ($1, $2, $3, $4, $5)
  ON CONFLICT ON CONSTRAINT snapshot_pkey DO NOTHING
)
DELETE FROM snapshot WHERE link_id = $1
  AND batch < (SELECT max(batch) FROM snapshot WHERE link_id = $1 AND batch < $2)";
}
