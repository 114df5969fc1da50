//! Current states of hits and payouts. Each payout has one row, and a hit without payouts has one
//! row.
//!
//! # Shape
//! No statement selects `*`: a migration that adds a column would break the prepared statements of
//! a running server. Each statement chooses hits in one place, and `answer!` lists the columns.

use crate::sql::statement::statements;

/// Selects the columns of the hits that `$hits` chooses, ordered by `$order`.
macro_rules! answer {
    ($hits:literal, $order:literal) => {
        concat!(
            "
SELECT l.name AS link_name, t.name AS table_name, h.link_id, h.table_no, h.sequence, h.number,
       h.hit_order, h.round, h.state, h.kind, h.hand, h.seat, h.level, h.percent, h.before, h.after,
       h.reserve_before, h.overflow_before, h.due, h.keyed_by_actor, h.keyed_by, h.keyed_at,
       h.decided_by_actor, h.decided_by, h.decided_at, h.note, h.cards, h.validated_cards,
       p.number AS p_number, p.seat AS p_seat, p.player, p.kind AS p_kind, p.amount, p.charged_to,
       p.handed_over, p.paid_at, p.paid_by_actor, p.document
FROM (",
            $hits,
            ") AS h
JOIN link AS l ON l.link_id = h.link_id
JOIN game_table AS t ON t.link_id = h.link_id AND t.table_no = h.table_no
LEFT JOIN payout AS p ON p.link_id = h.link_id AND p.table_no = h.table_no
                     AND p.sequence = h.sequence AND p.hit_number = h.number
                     AND p.number <= h.payout_count
ORDER BY ",
            $order
        )
    };
}

statements! {
    /// Returns a hit.
    FIND_HIT = "hit.find", answer!("
  SELECT * FROM hit WHERE link_id = $1 AND table_no = $2 AND sequence = $3 AND number = $4
", "p.number");

    /// Returns a page of hits of one link or of all, in the order of (link, order). The cursor
    /// limits the order alone, so that the key is used. No hit's order is below 0.
    LIST_HITS = "hit.list", answer!("
  SELECT of_one.* FROM link AS one CROSS JOIN LATERAL (
    SELECT * FROM hit
    WHERE link_id = one.link_id
      AND hit_order > CASE WHEN one.link_id = $2 THEN $3::bigint ELSE -1 END
      AND keyed_at >= $5 AND keyed_at < $6
    ORDER BY hit_order LIMIT $4
  ) AS of_one
  WHERE ($1::int IS NULL OR one.link_id = $1) AND one.link_id >= $2
  ORDER BY of_one.link_id, of_one.hit_order LIMIT $4
", "h.link_id, h.hit_order, p.number");

    /// Returns a page of hits in one state, as [`LIST_HITS`] does.
    LIST_HITS_IN_STATE = "hit.list_in_state", answer!("
  SELECT of_one.* FROM link AS one CROSS JOIN LATERAL (
    SELECT * FROM hit
    WHERE link_id = one.link_id AND state = $7
      AND hit_order > CASE WHEN one.link_id = $2 THEN $3::bigint ELSE -1 END
      AND keyed_at >= $5 AND keyed_at < $6
    ORDER BY hit_order LIMIT $4
  ) AS of_one
  WHERE ($1::int IS NULL OR one.link_id = $1) AND one.link_id >= $2
  ORDER BY of_one.link_id, of_one.hit_order LIMIT $4
", "h.link_id, h.hit_order, p.number");

    /// Returns the newest hits of a link before an order.
    NEWEST_HITS = "hit.newest", answer!("
  SELECT * FROM hit WHERE link_id = $1 AND hit_order < $2 AND keyed_at >= $4 AND keyed_at < $5
  ORDER BY hit_order DESC LIMIT $3
", "h.hit_order DESC, p.number");

    /// Returns the newest hits of one level.
    NEWEST_HITS_OF_LEVEL = "hit.newest_of_level", answer!("
  SELECT * FROM hit WHERE link_id = $1 AND hit_order < $2
    AND keyed_at >= $4 AND keyed_at < $5 AND level = $6
  ORDER BY hit_order DESC LIMIT $3
", "h.hit_order DESC, p.number");

    /// Returns the newest hits in one state.
    NEWEST_HITS_IN_STATE = "hit.newest_in_state", answer!("
  SELECT * FROM hit WHERE link_id = $1 AND hit_order < $2
    AND keyed_at >= $4 AND keyed_at < $5 AND state = $6
  ORDER BY hit_order DESC LIMIT $3
", "h.hit_order DESC, p.number");

    /// Returns the newest hits of one level in one state.
    NEWEST_HITS_OF_LEVEL_IN_STATE = "hit.newest_of_level_in_state", answer!("
  SELECT * FROM hit WHERE link_id = $1 AND hit_order < $2
    AND keyed_at >= $4 AND keyed_at < $5 AND level = $6 AND state = $7
  ORDER BY hit_order DESC LIMIT $3
", "h.hit_order DESC, p.number");

    /// Returns the newest hits of one level in some states.
    LAST_HITS = "hit.last", answer!("
  SELECT * FROM hit WHERE link_id = $1 AND level = $2 AND state = ANY($3)
  ORDER BY hit_order DESC LIMIT $4
", "h.hit_order DESC, p.number");

    /// Returns the hits of one level that were entered in a period, in their order. Of too many, those that took all of the
    /// level come first, and then the newest ones.
    HISTORY_HITS = "hit.history", answer!("
  SELECT * FROM hit WHERE link_id = $1 AND level = $2 AND keyed_at >= $3 AND keyed_at < $4
  ORDER BY percent IS NOT DISTINCT FROM 100 DESC, hit_order DESC LIMIT $5
", "h.hit_order, p.number");

    /// Returns a page of the hits in some states that were entered in a period and pay one player at
    /// least an amount. A player without a name is a seat.
    LARGE_HITS = "hit.large", answer!("
  SELECT w.* FROM hit AS w
  WHERE w.link_id = $1 AND w.hit_order > $2 AND w.keyed_at >= $3 AND w.keyed_at < $4
    AND w.state = ANY($5) AND w.due >= $6
    AND EXISTS (
      SELECT FROM payout AS q
      WHERE q.link_id = w.link_id AND q.table_no = w.table_no AND q.sequence = w.sequence
        AND q.hit_number = w.number AND q.number <= w.payout_count
      GROUP BY q.player, CASE WHEN q.player IS NULL THEN q.seat END
      HAVING sum(q.amount) >= $6
    )
  ORDER BY w.hit_order LIMIT $7
", "h.hit_order, p.number");

    /// Returns the newest hit before an order that took all of a level and is in one of these
    /// states.
    LAST_RESET = "hit.last_reset", answer!("
  SELECT * FROM hit
  WHERE link_id = $1 AND level = $2 AND hit_order < $3 AND percent = 100 AND state = ANY($4)
  ORDER BY hit_order DESC LIMIT 1
", "p.number");
}
