//! The reads of the feed and of the journal's pages.

use crate::sql::statement::{balances_of_head, statements, time_of_e};

/// Returns the period from which a page after a position in batch `$2` reads: the batch's own, or
/// the first one for batch 0. A batch that doesn't exist has no period, so that no event is after
/// it and the journal doesn't begin anew.
macro_rules! period_of_2 {
    () => {
        "COALESCE((SELECT period FROM batch WHERE link_id = $1 AND batch = $2),
                           CASE WHEN $2 = 0 THEN 0 ELSE 2147483647 END)"
    };
}

statements! {
    /// Returns the heads of all watched links.
    HEADS = "feed.heads", concat!("
SELECT head.link_id, head.batch, head.epoch, head.chain_hash, head.period, head.status,
       ", balances_of_head!(), "
FROM link_head AS head LEFT JOIN batch AS last USING (link_id, batch)
WHERE head.link_id = ANY($1) ORDER BY head.link_id");

    /// Returns a page of notable events after a position and up to one batch.
    HAPPENINGS = "feed.happenings", concat!("
SELECT e.batch, e.position, b.at, e.table_no, e.sequence, e.actor_id, e.kind, e.refusal,
       e.own_seats, e.dealer_seats, e.i1, e.i2, e.i3, e.i4, e.record
FROM event AS e
", time_of_e!(), "
WHERE e.link_id = $1 AND e.kind >= 16 AND (e.batch, e.position) > ($2, $3) AND e.batch <= $4
  AND e.period >= COALESCE((SELECT period FROM batch WHERE link_id = $1 AND batch = $2), 0)
ORDER BY e.batch, e.position LIMIT $5");

    /// Returns a page of events after a position, with their times and actors.
    JOURNAL_PAGE = "feed.journal_page", concat!("
SELECT e.batch, e.position, b.at, e.table_no, e.sequence, e.actor_id, e.kind, e.refusal,
       e.own_seats, e.dealer_seats, e.i1, e.i2, e.i3, e.i4, e.record,
       t.name AS table_name, a.name AS actor_name
FROM (
  SELECT * FROM event
  WHERE link_id = $1
    AND period >= ", period_of_2!(), "
    AND (period, batch, position) > (", period_of_2!(), ", $2, $3)
  ORDER BY period, batch, position LIMIT $4
) AS e
", time_of_e!(), "
LEFT JOIN game_table AS t ON t.link_id = e.link_id AND t.table_no = e.table_no
LEFT JOIN actor AS a ON a.actor_id = e.actor_id
ORDER BY e.period, e.batch, e.position");
}
