//! Slips of payouts and their reprints.

use crate::sql::statement::statements;

statements! {
    /// Locks the counter until the transaction ends, and returns the number of the newest slip.
    LOCK_COUNTER = "slip.lock", "
SELECT last FROM slip_counter FOR UPDATE";

    /// Counts one more slip.
    COUNT_SLIP = "slip.count", "
UPDATE slip_counter SET last = $1";

    /// Returns the newest slip of a payout.
    NEWEST_SLIP = "slip.newest", "
SELECT number, at, actor_id, link_id, table_no, sequence, hit_number, payout, amount, seat, player, kind, charged_to,
       hit_order, round, hit_kind, hand, level, percent, cards, keyed_by, keyed_at, decided_by, decided_at, replaces
FROM slip
WHERE link_id = $1 AND table_no = $2 AND sequence = $3 AND hit_number = $4 AND payout = $5
ORDER BY number DESC LIMIT 1";

    /// Says whether a hit is still in a state, and its payout has still an amount.
    IS_UNCHANGED = "slip.is_unchanged", "
SELECT EXISTS (
  SELECT FROM hit AS h
  JOIN payout AS p ON p.link_id = h.link_id AND p.table_no = h.table_no AND p.sequence = h.sequence
                  AND p.hit_number = h.number AND p.number <= h.payout_count
  WHERE h.link_id = $1 AND h.table_no = $2 AND h.sequence = $3 AND h.number = $4 AND p.number = $5
    AND h.state = $6 AND p.amount = $7 AND (p.paid_at IS NOT NULL) = $8
) AS is_unchanged";

    /// Adds a slip.
    ADD_SLIP = "slip.add", "
INSERT INTO slip (number, at, actor_id, link_id, table_no, sequence, hit_number, payout, amount, seat, player, kind,
                  charged_to, hit_order, round, hit_kind, hand, level, percent, cards, keyed_by, keyed_at, decided_by,
                  decided_at, replaces)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23, $24,
        $25)";

    /// Returns a page of slips after a number, of a period.
    SLIPS = "slip.page", "
SELECT number, at, actor_id, link_id, table_no, sequence, hit_number, payout, amount, seat, player, kind, charged_to,
       hit_order, round, hit_kind, hand, level, percent, cards, keyed_by, keyed_at, decided_by, decided_at, replaces
FROM slip WHERE number > $1 AND ($2::bigint IS NULL OR at >= $2) AND ($3::bigint IS NULL OR at < $3)
ORDER BY number LIMIT $4";

    /// Returns the reprints of some slips, in their order.
    REPRINTS = "slip.reprints", "
SELECT number, reprint, at, actor_id, reason FROM slip_reprint WHERE number = ANY($1) ORDER BY number, reprint";

    /// Adds a reprint.
    ADD_REPRINT = "slip.add_reprint", "
INSERT INTO slip_reprint (number, reprint, at, actor_id, reason) VALUES ($1, $2, $3, $4, $5)";

    /// Returns a page of reprints after one.
    ALL_REPRINTS = "slip.all_reprints", "
SELECT number, reprint, at, actor_id, reason FROM slip_reprint WHERE (number, reprint) > ($1, $2)
ORDER BY number, reprint LIMIT $3";

    /// Returns the number of the newest slip by the counter.
    COUNTED = "slip.counted", "
SELECT last FROM slip_counter";

    /// Returns the newest slips of the payouts of some slips, which show what was replaced.
    REPLACED = "slip.replaced", "
SELECT replaces, number FROM slip WHERE replaces = ANY($1)";
}
