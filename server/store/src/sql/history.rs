//! The history of one level, for plots.
//!
//! # Limits
//! No statement reads every batch of a long period. Edges are looked up one by one. A meter falls only in a batch with an
//! event of seven kinds, which the guard `batch_meter_fall_has_reason` guarantees, so that those batches are enough for the
//! least and the greatest amount in between.

use crate::sql::statement::{periods_from_2_to, statements, time_of_e};

statements! {
    /// Returns the balances of two accounts after the last batch before each of some times, in their order.
    HISTORY_EDGES = "history.edges", "
SELECT u.ordinal, b.batch, b.at, b.after[$3] AS meter, b.after[$4] AS reserve
FROM UNNEST($2::bigint[]) WITH ORDINALITY AS u(edge, ordinal)
CROSS JOIN LATERAL (
  SELECT batch, at, array_replace(after, NULL, 0) AS after FROM batch WHERE link_id = $1 AND at < u.edge
  ORDER BY at DESC, batch DESC LIMIT 1
) AS b
ORDER BY u.ordinal";

    /// Returns the least and the greatest balances around the batches that may lower them, by the stretch between two edges.
    HISTORY_EXTREMES = "history.extremes", "
SELECT width_bucket(b.at, $4::bigint[]) AS bucket,
       min(b.after[$5]) AS meter_min, max(b.after[$5] - b.deltas[$5]) AS meter_max,
       min(b.after[$6]) AS reserve_min, max(b.after[$6] - b.deltas[$6]) AS reserve_max
FROM (
  SELECT DISTINCT e.batch FROM event AS e
  WHERE e.link_id = $1 AND e.kind >= 16 AND e.kind IN (18, 19, 21, 23, 26, 34, 40)
    AND e.batch > $2 AND e.batch <= $3
) AS touched
CROSS JOIN LATERAL (
  SELECT at, array_replace(deltas, NULL, 0) AS deltas,
         array_replace(after, NULL, 0) AS after
  FROM batch WHERE link_id = $1 AND batch = touched.batch OFFSET 0
) AS b
GROUP BY 1 ORDER BY 1";

    /// Returns the balances before and after each batch of a short range.
    HISTORY_STEPS = "history.steps", "
SELECT batch, at, after[$4] - deltas[$4] AS meter_before, after[$4] AS meter,
       after[$5] - deltas[$5] AS reserve_before, after[$5] AS reserve
FROM (
  SELECT batch, at, array_replace(deltas, NULL, 0) AS deltas,
         array_replace(after, NULL, 0) AS after
  FROM batch WHERE link_id = $1 AND batch > $2 AND batch <= $3 ORDER BY batch LIMIT $6
) AS step
ORDER BY batch";

    /// Returns the coin-ins of a short range.
    HISTORY_COIN_INS = "history.coin_ins", concat!("
SELECT e.batch, e.position, b.at, e.table_no, e.sequence, e.actor_id, e.kind, e.refusal,
       e.own_seats, e.dealer_seats, e.i1, e.i2, e.i3, e.i4, e.record
FROM ", periods_from_2_to!("$3"), " CROSS JOIN LATERAL (
  SELECT * FROM event
  WHERE link_id = $1 AND period = stretch.period AND batch > $2 AND batch <= $3 AND kind = 1
  ORDER BY batch, position LIMIT $4
) AS e
", time_of_e!(), "
ORDER BY e.batch, e.position LIMIT $4");
}
