//! Reading the journal of one link.
//!
//! # What bounds it
//! A stretch is read period by period (`LATERAL`, and `OFFSET 0` so that it stays so): only then does Postgres end the scan
//! of the key at the stretch's end. With `period BETWEEN` or a row of both it reads on to the end of the journal.
//!
//! # What order or lock holds
//! None. Where the head is locked before, these are later statements, so that they see what the
//! lock waited for.

use crate::sql::statement::statements;

statements! {
    /// The batches after one, without their events.
    READ_BATCHES = "journal.read_batches", "
SELECT batch, at, node, epoch, rule_version, period, events, deltas, after, chain_hash
FROM batch WHERE link_id = $1 AND batch > $2 ORDER BY batch LIMIT $3";

    /// The events of neighbouring batches, in their order.
    READ_EVENTS = "journal.read_events", "
SELECT e.batch, e.position, e.table_no, e.sequence, e.actor_id, e.kind, e.refusal, e.own_seats,
       e.dealer_seats, e.i1, e.i2, e.i3, e.i4, e.record
FROM generate_series($2::int, $4::int) AS stretch(period) CROSS JOIN LATERAL (
  SELECT * FROM event
  WHERE link_id = $1 AND period = stretch.period AND batch BETWEEN $3 AND $5
  ORDER BY batch, position OFFSET 0
) AS e
ORDER BY e.batch, e.position";

    /// Where to look for commands of a table: from the greatest mark not after the first ($3) to the
    /// next one after the last ($4) or the head.
    FIND_RANGE = "journal.find_range", "
SELECT mark.period, mark.batch, COALESCE(next.period, head.period) AS last_period,
       COALESCE(next.batch, head.batch) AS last_batch
FROM (
  SELECT link_id, table_no, sequence, period, batch FROM table_mark
  WHERE link_id = $1 AND table_no = $2 AND sequence <= $3 ORDER BY sequence DESC LIMIT 1
) AS mark
JOIN link_head AS head USING (link_id)
LEFT JOIN LATERAL (
  SELECT period, batch FROM table_mark
  WHERE link_id = mark.link_id AND table_no = mark.table_no AND sequence > $4
  ORDER BY sequence LIMIT 1
) AS next ON true";

    /// The command in that range. Months come in their order and a number exists once: a later month is not looked
    /// into, as sorting all of them would have it.
    FIND_EVENT = "journal.find_event", "
SELECT e.batch, e.position
FROM generate_series($2::int, $4::int) AS stretch(period) CROSS JOIN LATERAL (
  SELECT batch, position FROM event
  WHERE link_id = $1 AND period = stretch.period AND batch BETWEEN $3 AND $5
    AND table_no = $6 AND sequence = $7
  ORDER BY batch, position LIMIT 1
) AS e
LIMIT 1";

    /// The newest state below a batch, if the journal has the batch it was taken after.
    LOAD_SNAPSHOT = "journal.load_snapshot", "
SELECT snapshot.batch, snapshot.format, snapshot.chain_hash, snapshot.state
FROM snapshot
JOIN batch ON batch.link_id = snapshot.link_id AND batch.batch = snapshot.batch
          AND batch.chain_hash = snapshot.chain_hash
WHERE snapshot.link_id = $1 AND ($2::bigint IS NULL OR snapshot.batch < $2)
ORDER BY snapshot.batch DESC LIMIT 1";

    /// Adds a state and deletes those before its predecessor. The delete sees the table as it was.
    SAVE_SNAPSHOT = "journal.save_snapshot", "
WITH saved AS (
  INSERT INTO snapshot (link_id, batch, format, chain_hash, state) VALUES ($1, $2, $3, $4, $5)
  ON CONFLICT ON CONSTRAINT snapshot_pkey DO NOTHING
)
DELETE FROM snapshot WHERE link_id = $1
  AND batch < (SELECT max(batch) FROM snapshot WHERE link_id = $1 AND batch < $2)";
}
