//! The reads of the reconciliation and of the running check.

use crate::sql::statement::{balances_of_head, statements};

statements! {
    /// Returns the balances of the last batch not after a time.
    BALANCES_AT = "report.balances_at", "
SELECT batch, at, period, array_replace(after, NULL, 0) AS after FROM batch WHERE link_id = $1 AND at <= $2
ORDER BY at DESC, batch DESC LIMIT 1";

    /// Returns the balances of one batch.
    BALANCES_AFTER = "report.balances_after", "
SELECT batch, at, period, array_replace(after, NULL, 0) AS after FROM batch WHERE link_id = $1 AND batch = $2";

    /// Returns the batches of a range after which a stored meter is lower than after the batch
    /// before. The meter is the third of each book's eight accounts.
    METER_FALLS = "report.meter_falls", "
SELECT batch, at, before, after FROM (
  SELECT batch, at, after, lag(after) OVER (ORDER BY batch) AS before
  FROM (
    SELECT batch, at, array_replace(after, NULL, 0) AS after FROM batch
    WHERE link_id = $1 AND batch BETWEEN $2 AND $3
  ) AS dense
) AS neighbours
WHERE batch > $2
  AND (after[3] < before[3] OR after[11] < before[11] OR after[19] < before[19] OR after[27] < before[27]
       OR after[35] < before[35])
ORDER BY batch LIMIT $4";

    /// Returns, consistently: the head, its batch, the batch checked last, the last batch of this
    /// check, and the sums between the latter two. Zeros that are not stored are not summed: it is most of the cost.
    RUNNING_CHECK = "report.running_check", concat!("
WITH head AS (
  SELECT *, LEAST(batch, $3) AS through FROM link_head WHERE link_id = $1
), passed AS MATERIALIZED (
  SELECT deltas FROM batch
  WHERE link_id = $1 AND batch > $2 AND batch <= (SELECT through FROM head)
)
SELECT head.link_id, head.batch, head.epoch, head.period, head.status,
       ", balances_of_head!(), ", head.chain_hash,
       array_replace(last.after, NULL, 0) AS last_after, last.chain_hash AS last_hash,
       array_replace(since.after, NULL, 0) AS since_after, since.chain_hash AS since_hash,
       head.through, array_replace(final.after, NULL, 0) AS end_after, final.chain_hash AS end_hash,
       (SELECT count(*) FROM passed) AS batches,
       COALESCE((SELECT array_agg(delta ORDER BY ordinal) FROM (
         SELECT ordinal, sum(delta)::bigint AS delta FROM (
           SELECT generate_subscripts(deltas, 1) AS ordinal, UNNEST(deltas) AS delta FROM passed
           UNION ALL SELECT place, 0 FROM generate_series(1, cardinality(final.after)) AS place
         ) AS moves WHERE delta IS NOT NULL GROUP BY ordinal
       ) AS sums), '{}') AS moved
FROM head
LEFT JOIN batch AS last ON last.link_id = head.link_id AND last.batch = head.batch
LEFT JOIN batch AS since ON since.link_id = head.link_id AND since.batch = $2
LEFT JOIN batch AS final ON final.link_id = head.link_id AND final.batch = head.through");
}
