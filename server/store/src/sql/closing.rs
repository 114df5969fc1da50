//! Exceptions of a link's journal with their clearances, and signed days.

use crate::sql::statement::{statements, time_of_e};

statements! {
    /// Returns a page of the events that may be exceptions, newest first: counts that differ, and events of some kinds.
    /// As in `range.notable`, each kind is read separately.
    CANDIDATES = "exception.candidates", concat!("
SELECT e.batch, e.position, b.at, e.table_no, e.sequence, e.actor_id, e.kind, e.refusal,
       e.own_seats, e.dealer_seats, e.i1, e.i2, e.i3, e.i4, e.record
FROM (
  SELECT found.* FROM (
    SELECT of_kind.*
    FROM (SELECT DISTINCT u.kind FROM UNNEST($2::smallint[]) AS u(kind)) AS asked CROSS JOIN LATERAL (
      SELECT * FROM event
      WHERE link_id = $1 AND kind >= 16 AND kind = asked.kind AND (batch, position) < ($3, $4) AND batch > $5
      ORDER BY batch DESC, position DESC LIMIT $6
    ) AS of_kind
    UNION ALL
    (SELECT * FROM event
     WHERE link_id = $1 AND kind = 2 AND i1 <> i2 AND (batch, position) < ($3, $4) AND batch > $5
     ORDER BY batch DESC, position DESC LIMIT $6)
  ) AS found
  ORDER BY found.batch DESC, found.position DESC LIMIT $6
) AS e
", time_of_e!(), "
ORDER BY e.batch DESC, e.position DESC");

    /// Returns the clearances of the exceptions at some positions, with the names of the people.
    CLEARANCES = "exception.clearances", "
SELECT c.batch, c.position, c.actor_id, c.at, c.reason, a.name AS actor_name
FROM UNNEST($2::bigint[], $3::int[]) AS w (batch, position)
JOIN exception_clearance AS c ON c.link_id = $1 AND c.batch = w.batch AND c.position = w.position
LEFT JOIN actor AS a ON a.actor_id = c.actor_id";

    /// Adds a clearance, unless there is one.
    CLEAR = "exception.clear", "
INSERT INTO exception_clearance (link_id, batch, position, actor_id, at, reason)
VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT ON CONSTRAINT exception_clearance_pkey DO NOTHING";

    /// Returns a page of all clearances after one.
    ALL_CLEARANCES = "exception.all_clearances", "
SELECT link_id, batch, position, actor_id, at, reason FROM exception_clearance
WHERE (link_id, batch, position) > ($1, $2, $3) ORDER BY link_id, batch, position LIMIT $4";

    /// Returns a signed day with its report.
    FIND_CLOSING = "closing.find", "
SELECT c.day, c.actor_id, c.at, c.note, c.report, sha256(c.report) AS report_hash, a.name AS actor_name
FROM closing AS c LEFT JOIN actor AS a ON a.actor_id = c.actor_id
WHERE c.link_id = $1 AND c.day = $2";

    /// Returns a page of signed days without their reports, newest first.
    LIST_CLOSINGS = "closing.list", "
SELECT c.day, c.actor_id, c.at, c.note, NULL::bytea AS report, sha256(c.report) AS report_hash, a.name AS actor_name
FROM closing AS c LEFT JOIN actor AS a ON a.actor_id = c.actor_id
WHERE c.link_id = $1 AND c.day >= $2 AND c.day < $3 ORDER BY c.day DESC LIMIT $4";

    /// Signs a day, unless it is signed.
    SIGN_CLOSING = "closing.sign", "
INSERT INTO closing (link_id, day, actor_id, at, note, report)
VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT ON CONSTRAINT closing_pkey DO NOTHING";

    /// Returns a page of all signed days after one, each with the digest of its report.
    ALL_CLOSINGS = "closing.all", "
SELECT link_id, day, actor_id, at, note, sha256(report) AS report_hash FROM closing
WHERE (link_id, day) > ($1, $2) ORDER BY link_id, day LIMIT $3";

    /// Returns the first signed head of a chain that covers a batch.
    COVERING_HEAD = "closing.covering_head", "
SELECT number, batch, at FROM signed_head
WHERE link_id = $1 AND batch >= $2 ORDER BY number LIMIT 1";
}
