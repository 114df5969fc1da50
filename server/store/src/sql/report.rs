//! The reconciliation's questions to the journal.

use crate::sql::statements;

statements! {
    /// The last batch not after a moment.
    BALANCES_AT = "report.balances_at", "
SELECT batch, at, period, after FROM batch WHERE link_id = $1 AND at <= $2
ORDER BY at DESC, batch DESC LIMIT 1";

    /// Per kind: how many events between two batches (the first excluded), and the sums of their
    /// numbers.
    SUMS = "report.sums", "
SELECT kind, count(*) AS events,
       COALESCE(sum(i1), 0)::bigint AS i1, COALESCE(sum(i2), 0)::bigint AS i2,
       COALESCE(sum(i3), 0)::bigint AS i3, COALESCE(sum(i4), 0)::bigint AS i4
FROM event
WHERE link_id = $1 AND batch > $2 AND batch <= $3
  AND period >= COALESCE((SELECT period FROM batch WHERE link_id = $1 AND batch = $2), 0)
  AND period <= COALESCE((SELECT period FROM batch WHERE link_id = $1 AND batch = $3), 2147483647)
GROUP BY kind ORDER BY kind";

    /// What batches did to the books between two of them (the first excluded), account by account.
    DELTAS = "report.deltas", "
SELECT place::int AS place, sum(delta)::bigint AS delta
FROM batch CROSS JOIN LATERAL UNNEST(deltas) WITH ORDINALITY AS u(delta, place)
WHERE link_id = $1 AND batch > $2 AND batch <= $3
GROUP BY place ORDER BY place";
}
