//! The reports' reads of a range of a link's journal.
//!
//! # Limits
//! Each statement returns a page, or covers one time, or sums as many batches as its caller allows.
//! As in `read`, ranges are read period by period.

use crate::sql::statement::{periods_from_2_to, statements, time_of_e};

statements! {
    /// Returns a page of events of some kinds before a position, newest first. Each kind is read
    /// separately: with all kinds in one order, Postgres would read the journal back to its
    /// beginning for a rare kind.
    NOTABLE = "range.notable", concat!("
SELECT e.batch, e.position, b.at, e.table_no, e.sequence, e.actor_id, e.kind, e.refusal,
       e.own_seats, e.dealer_seats, e.i1, e.i2, e.i3, e.i4, e.record
FROM (
  SELECT of_kind.*
  FROM (SELECT DISTINCT u.kind FROM UNNEST($2::smallint[]) AS u(kind)) AS asked CROSS JOIN LATERAL (
    SELECT * FROM event
    WHERE link_id = $1 AND kind >= 16 AND kind = asked.kind AND (batch, position) < ($3, $4)
    ORDER BY batch DESC, position DESC LIMIT $5
  ) AS of_kind
  ORDER BY of_kind.batch DESC, of_kind.position DESC LIMIT $5
) AS e
", time_of_e!(), "
ORDER BY e.batch DESC, e.position DESC");

    /// Returns the notable events in the batches of exactly these times.
    NOTABLE_AT = "range.notable_at", "
SELECT e.batch, e.position, b.at, e.table_no, e.sequence, e.actor_id, e.kind, e.refusal,
       e.own_seats, e.dealer_seats, e.i1, e.i2, e.i3, e.i4, e.record
FROM batch AS b
JOIN event AS e ON e.link_id = b.link_id AND e.period = b.period AND e.batch = b.batch
WHERE b.link_id = $1 AND b.at = ANY($2) AND e.kind >= 16
ORDER BY e.batch, e.position";

    /// Returns a table's commands with adjacent numbers, in the range that their marks gave. Each
    /// number exists once, so that reading ends when all are found, not at the head.
    TABLE_EVENTS = "range.table_events", concat!("
SELECT e.batch, e.position, b.at, e.table_no, e.sequence, e.actor_id, e.kind, e.refusal,
       e.own_seats, e.dealer_seats, e.i1, e.i2, e.i3, e.i4, e.record
FROM (
  SELECT of_month.* FROM generate_series($2::int, $4::int) AS stretch(period) CROSS JOIN LATERAL (
    SELECT * FROM event
    WHERE link_id = $1 AND period = stretch.period AND batch BETWEEN $3 AND $5
      AND table_no = $6 AND sequence BETWEEN $7 AND $8
    ORDER BY batch, position LIMIT $8 - $7 + 1
  ) AS of_month
  LIMIT $8 - $7 + 1
) AS e
", time_of_e!(), "
ORDER BY e.batch, e.position");

    /// Sums the coin-ins after one position up to another, table by table.
    CONTRIBUTIONS = "range.contributions", concat!("
SELECT table_no, count(*) AS coin_ins,
       COALESCE(sum(bit_count(own_seats::int::bit(32))), 0)::bigint AS own_wagers,
       COALESCE(sum(bit_count(dealer_seats::int::bit(32))), 0)::bigint AS dealer_wagers,
       COALESCE(sum(i1), 0)::bigint AS i1, COALESCE(sum(i2), 0)::bigint AS i2,
       COALESCE(sum(i3), 0)::bigint AS i3, COALESCE(sum(i4), 0)::bigint AS i4
FROM ", periods_from_2_to!("$4"), " CROSS JOIN LATERAL (
  SELECT table_no, own_seats, dealer_seats, i1, i2, i3, i4 FROM event
  WHERE link_id = $1 AND period = stretch.period AND batch BETWEEN $2 AND $4
    AND kind = 1 AND table_no IS NOT NULL
    AND (batch, position) > ($2, $3) AND (batch, position) <= ($4, $5)
  OFFSET 0
) AS e
GROUP BY table_no ORDER BY table_no");

    /// Returns a page of the coin-ins in such a range whose record may hold more than the four
    /// shares of the columns.
    WIDE_COIN_INS = "range.wide_coin_ins", concat!("
SELECT e.batch, e.position, b.at, e.table_no, e.sequence, e.actor_id, e.kind, e.refusal,
       e.own_seats, e.dealer_seats, e.i1, e.i2, e.i3, e.i4, e.record
FROM ", periods_from_2_to!("$4"), " CROSS JOIN LATERAL (
  SELECT * FROM event
  WHERE link_id = $1 AND period = stretch.period AND batch BETWEEN $2 AND $4
    AND kind = 1 AND i4 IS NOT NULL AND record IS NOT NULL
    AND (batch, position) > ($2, $3) AND (batch, position) <= ($4, $5)
  ORDER BY batch, position LIMIT $6
) AS e
", time_of_e!(), "
ORDER BY e.batch, e.position LIMIT $6");
}
