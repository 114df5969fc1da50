//! Reading the journal of one link.
//!
//! # What order or lock holds
//! None. Where the head is locked before, these are later statements, so that they see what the
//! lock waited for.

use crate::sql::statements;

statements! {
    /// The batches after one, without their events.
    READ_BATCHES = "journal.read_batches", "
SELECT batch, at, node, epoch, rule_version, period, events, deltas, after, chain_hash
FROM batch WHERE link_id = $1 AND batch > $2 ORDER BY batch LIMIT $3";

    /// The events of neighbouring batches, in their order. The periods alone choose the partitions.
    READ_EVENTS = "journal.read_events", "
SELECT batch, position, table_no, sequence, actor_id, kind, refusal, own_seats, dealer_seats,
       i1, i2, i3, i4, record
FROM event
WHERE link_id = $1 AND period BETWEEN $2 AND $4
  AND (period, batch) >= ($2, $3) AND (period, batch) <= ($4, $5)
ORDER BY period, batch, position";

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

    /// The command in that range.
    FIND_EVENT = "journal.find_event", "
SELECT batch, position
FROM event
WHERE link_id = $1 AND period BETWEEN $2 AND $4
  AND (period, batch) >= ($2, $3) AND (period, batch) <= ($4, $5)
  AND table_no = $6 AND sequence = $7
ORDER BY period, batch, position LIMIT 1";

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
