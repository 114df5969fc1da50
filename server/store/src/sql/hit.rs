//! Hits and payouts as they stand. One row a payout, a hit without payouts one row.
//!
//! # Shape
//! No answer is `*`: a migration that adds a column would break the statements that a running
//! server has prepared.

use crate::sql::statements;

statements! {
    /// One hit.
    FIND_HIT = "hit.find", "
SELECT l.name AS link_name, t.name AS table_name, h.link_id, h.table_no, h.sequence, h.hit_order,
       h.round, h.state, h.kind, h.hand, h.seat, h.level, h.percent, h.before, h.after, h.due,
       h.keyed_by_actor, h.keyed_by, h.keyed_at, h.decided_by_actor, h.decided_by, h.decided_at,
       h.note, h.cards, h.validated_cards, p.number, p.seat AS p_seat, p.player, p.kind AS p_kind, p.amount, p.charged_to,
       p.handed_over, p.paid_at, p.paid_by_actor, p.document
FROM hit AS h
JOIN link AS l ON l.link_id = h.link_id
JOIN game_table AS t ON t.link_id = h.link_id AND t.table_no = h.table_no
LEFT JOIN payout AS p ON p.link_id = h.link_id AND p.table_no = h.table_no
                     AND p.sequence = h.sequence AND p.number <= h.payout_count
WHERE h.link_id = $1 AND h.table_no = $2 AND h.sequence = $3
ORDER BY p.number";

    /// Hits of one link or of all, in the order of (link, order), a page.
    LIST_HITS = "hit.list", "
SELECT l.name AS link_name, t.name AS table_name, h.link_id, h.table_no, h.sequence, h.hit_order,
       h.round, h.state, h.kind, h.hand, h.seat, h.level, h.percent, h.before, h.after, h.due,
       h.keyed_by_actor, h.keyed_by, h.keyed_at, h.decided_by_actor, h.decided_by, h.decided_at,
       h.note, h.cards, h.validated_cards, p.number, p.seat AS p_seat, p.player, p.kind AS p_kind, p.amount, p.charged_to,
       p.handed_over, p.paid_at, p.paid_by_actor, p.document
FROM (
  SELECT of_one.* FROM link AS one CROSS JOIN LATERAL (
    SELECT * FROM hit
    WHERE link_id = one.link_id AND (link_id, hit_order) > ($2, $3) ORDER BY hit_order LIMIT $4
  ) AS of_one
  WHERE ($1::int IS NULL OR one.link_id = $1) AND one.link_id >= $2
  ORDER BY of_one.link_id, of_one.hit_order LIMIT $4
) AS h
JOIN link AS l ON l.link_id = h.link_id
JOIN game_table AS t ON t.link_id = h.link_id AND t.table_no = h.table_no
LEFT JOIN payout AS p ON p.link_id = h.link_id AND p.table_no = h.table_no
                     AND p.sequence = h.sequence AND p.number <= h.payout_count
ORDER BY h.link_id, h.hit_order, p.number";

    /// The same, only those that stand so.
    LIST_HITS_IN_STATE = "hit.list_in_state", "
SELECT l.name AS link_name, t.name AS table_name, h.link_id, h.table_no, h.sequence, h.hit_order,
       h.round, h.state, h.kind, h.hand, h.seat, h.level, h.percent, h.before, h.after, h.due,
       h.keyed_by_actor, h.keyed_by, h.keyed_at, h.decided_by_actor, h.decided_by, h.decided_at,
       h.note, h.cards, h.validated_cards, p.number, p.seat AS p_seat, p.player, p.kind AS p_kind, p.amount, p.charged_to,
       p.handed_over, p.paid_at, p.paid_by_actor, p.document
FROM (
  SELECT of_one.* FROM link AS one CROSS JOIN LATERAL (
    SELECT * FROM hit
    WHERE link_id = one.link_id AND state = $5 AND (link_id, hit_order) > ($2, $3)
    ORDER BY hit_order LIMIT $4
  ) AS of_one
  WHERE ($1::int IS NULL OR one.link_id = $1) AND one.link_id >= $2
  ORDER BY of_one.link_id, of_one.hit_order LIMIT $4
) AS h
JOIN link AS l ON l.link_id = h.link_id
JOIN game_table AS t ON t.link_id = h.link_id AND t.table_no = h.table_no
LEFT JOIN payout AS p ON p.link_id = h.link_id AND p.table_no = h.table_no
                     AND p.sequence = h.sequence AND p.number <= h.payout_count
ORDER BY h.link_id, h.hit_order, p.number";

    /// The newest hits of a link, newest first.
    NEWEST_HITS = "hit.newest", "
SELECT l.name AS link_name, t.name AS table_name, h.link_id, h.table_no, h.sequence, h.hit_order,
       h.round, h.state, h.kind, h.hand, h.seat, h.level, h.percent, h.before, h.after, h.due,
       h.keyed_by_actor, h.keyed_by, h.keyed_at, h.decided_by_actor, h.decided_by, h.decided_at,
       h.note, h.cards, h.validated_cards, p.number, p.seat AS p_seat, p.player, p.kind AS p_kind, p.amount, p.charged_to,
       p.handed_over, p.paid_at, p.paid_by_actor, p.document
FROM (SELECT * FROM hit WHERE link_id = $1 ORDER BY hit_order DESC LIMIT $2) AS h
JOIN link AS l ON l.link_id = h.link_id
JOIN game_table AS t ON t.link_id = h.link_id AND t.table_no = h.table_no
LEFT JOIN payout AS p ON p.link_id = h.link_id AND p.table_no = h.table_no
                     AND p.sequence = h.sequence AND p.number <= h.payout_count
ORDER BY h.hit_order DESC, p.number";
}
