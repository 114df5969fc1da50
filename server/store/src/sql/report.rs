//! The questions of the reconciliation and of the running check to the journal.

use crate::sql::statement::statements;

statements! {
    /// The last batch not after a moment.
    BALANCES_AT = "report.balances_at", "
SELECT batch, at, period, after FROM batch WHERE link_id = $1 AND at <= $2
ORDER BY at DESC, batch DESC LIMIT 1";

    /// One batch's balances.
    BALANCES_AFTER = "report.balances_after", "
SELECT batch, at, period, after FROM batch WHERE link_id = $1 AND batch = $2";

    /// The batches after one up to another after which a stored meter, the third of each book's eight accounts, is lower
    /// than after the batch before.
    METER_FALLS = "report.meter_falls", "
SELECT batch, at, before, after FROM (
  SELECT batch, at, after, lag(after) OVER (ORDER BY batch) AS before
  FROM batch WHERE link_id = $1 AND batch BETWEEN $2 AND $3
) AS neighbours
WHERE batch > $2
  AND (after[3] < before[3] OR after[11] < before[11] OR after[19] < before[19] OR after[27] < before[27]
       OR after[35] < before[35])
ORDER BY batch LIMIT $4";

    /// The head, the batch it names, the one that was checked last, the one up to which this check
    /// goes, and what the batches between those two did: all of one moment.
    RUNNING_CHECK = "report.running_check", "
SELECT head.link_id, head.batch, head.epoch, head.period, head.status, head.balances,
       head.chain_hash, last.after AS last_after, last.chain_hash AS last_hash,
       since.after AS since_after, since.chain_hash AS since_hash,
       head.through, final.after AS end_after, final.chain_hash AS end_hash,
       (SELECT count(*) FROM batch
        WHERE link_id = $1 AND batch > $2 AND batch <= head.through) AS batches,
       COALESCE((SELECT array_agg(delta ORDER BY place) FROM (
         SELECT place, sum(delta)::bigint AS delta
         FROM batch CROSS JOIN LATERAL UNNEST(deltas) WITH ORDINALITY AS u(delta, place)
         WHERE link_id = $1 AND batch > $2 AND batch <= head.through
         GROUP BY place
       ) AS of_place), '{}') AS moved
FROM (SELECT *, LEAST(batch, $3) AS through FROM link_head WHERE link_id = $1) AS head
LEFT JOIN batch AS last ON last.link_id = head.link_id AND last.batch = head.batch
LEFT JOIN batch AS since ON since.link_id = head.link_id AND since.batch = $2
LEFT JOIN batch AS final ON final.link_id = head.link_id AND final.batch = head.through";
}
