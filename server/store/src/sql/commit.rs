//! Statements that move a link's head.
//!
//! # Order and locking
//! The update of the head's row comes first and takes the only lock that anything waits for. All
//! inserts select from the updated row, so that they write nothing if the update moved nothing.
//! [`COMMIT_MANY`] waits for no row at all: it locks the heads that are free, and passes the others
//! over. So no transaction that holds a head waits for a second one, and none can be in a deadlock.
//!
//! The arrays of events are unnested in the list of columns. In the FROM clause Postgres would first
//! store all rows, which is a quarter of a large statement.
//!
//! The WHERE clause on `link_id, batch, epoch, chain_hash` makes a commit happen at most once:
//! - `batch` keeps two writers apart.
//! - `chain_hash` shows that batch n is the one this batch was decided on, not another node's.
//! - `epoch` keeps out a statement that was considered lost and arrives late.
//!
//! A head that `is_compact` has no balances, and its batches have NULL for each zero: `docs/JOURNAL.md`.
//!
//! `ctid` finds the row on its page: see `head_page`. `link_id + 0` keeps Postgres from the key.

use crate::sql::statement::statements;

statements! {
    /// Commits a batch without hits or new tables. Returns the page of the head's new row, or no row if the head had moved.
    /// Each event has one position: more events than positions are refused, since a position can't be NULL.
    COMMIT_ROUTINE = "journal.commit_routine", "
WITH head AS (
  UPDATE link_head SET batch = $2 + 1, chain_hash = $5, period = $6, status = $7,
    balances = CASE WHEN is_compact THEN '{}' ELSE $8::bigint[] END
  WHERE ctid BETWEEN format('(%s,0)', $14::bigint)::tid AND format('(%s,65535)', $14::bigint)::tid
    AND link_id + 0 = $1 AND batch = $2 AND epoch = $3 AND chain_hash = $4
  RETURNING link_id, batch, epoch, period, CASE WHEN is_compact THEN NULL ELSE 0 END::bigint AS zero,
    (ctid::text::point)[0]::bigint AS page
), new_batch AS (
  INSERT INTO batch (link_id, batch, at, node, epoch, rule_version, period, events, deltas, after,
                     chain_hash)
  SELECT link_id, batch, $9, $10, epoch, $11, period, $12, array_replace($13::bigint[], 0, zero),
         array_replace($8::bigint[], 0, zero), $5
  FROM head
), new_mark AS (
  INSERT INTO table_mark (link_id, table_no, sequence, period, batch, position)
  SELECT head.link_id, u.table_no, u.sequence, head.period, head.batch, u.position
  FROM head, UNNEST($15::int[], $16::bigint[], $17::int[]) AS u(table_no, sequence, position)
), new_event AS (
  INSERT INTO event (link_id, period, batch, position, table_no, actor_id, sequence, kind, refusal,
                     own_seats, dealer_seats, i1, i2, i3, i4, record)
  SELECT link_id, period, batch, generate_series(0, $12 - 1), UNNEST($18::int[]), UNNEST($19::int[]),
         UNNEST($20::bigint[]), UNNEST($21::smallint[]), UNNEST($22::smallint[]),
         UNNEST($23::smallint[]), UNNEST($24::smallint[]), UNNEST($25::bigint[]),
         UNNEST($26::bigint[]), UNNEST($27::bigint[]), UNNEST($28::bigint[]), UNNEST($29::bytea[])
  FROM head
)
SELECT page FROM head";

    /// Commits a batch with changed hits and with tables that joined. Each hit appears once.
    COMMIT_FULL = "journal.commit_full", "
WITH head AS (
  UPDATE link_head SET batch = $2 + 1, chain_hash = $5, period = $6, status = $7,
    balances = CASE WHEN is_compact THEN '{}' ELSE $8::bigint[] END
  WHERE ctid BETWEEN format('(%s,0)', $14::bigint)::tid AND format('(%s,65535)', $14::bigint)::tid
    AND link_id + 0 = $1 AND batch = $2 AND epoch = $3 AND chain_hash = $4
  RETURNING link_id, batch, epoch, period, CASE WHEN is_compact THEN NULL ELSE 0 END::bigint AS zero,
    (ctid::text::point)[0]::bigint AS page
), new_batch AS (
  INSERT INTO batch (link_id, batch, at, node, epoch, rule_version, period, events, deltas, after,
                     chain_hash)
  SELECT link_id, batch, $9, $10, epoch, $11, period, $12, array_replace($13::bigint[], 0, zero),
         array_replace($8::bigint[], 0, zero), $5
  FROM head
), new_mark AS (
  INSERT INTO table_mark (link_id, table_no, sequence, period, batch, position)
  SELECT head.link_id, u.table_no, u.sequence, head.period, head.batch, u.position
  FROM head, UNNEST($15::int[], $16::bigint[], $17::int[]) AS u(table_no, sequence, position)
), new_table AS (
  INSERT INTO game_table (link_id, table_no, name, game, seats, joined_at)
  SELECT head.link_id, u.table_no, u.name, u.game, u.seats, $9
  FROM head, UNNEST($30::int[], $31::text[], $32::text[], $33::smallint[])
    AS u(table_no, name, game, seats)
), new_hit AS (
  INSERT INTO hit (link_id, table_no, sequence, number, hit_order, round, state, kind, hand, seat,
                   level, percent, before, after, reserve_before, overflow_before, due,
                   keyed_by_actor, keyed_by, keyed_at, decided_by_actor, decided_by, decided_at,
                   note, cards, validated_cards, payout_count)
  SELECT head.link_id, u.*
  FROM head, UNNEST($34::int[], $35::bigint[], $36::smallint[], $37::bigint[], $38::bigint[],
                    $39::smallint[], $40::smallint[], $41::smallint[], $42::smallint[],
                    $43::smallint[], $44::smallint[], $45::bigint[], $46::bigint[], $47::bigint[],
                    $48::bigint[], $49::bigint[], $50::int[], $51::text[], $52::bigint[],
                    $53::int[], $54::text[], $55::bigint[], $56::text[], $57::text[], $58::text[],
                    $59::int[]) AS u
  ON CONFLICT ON CONSTRAINT hit_pkey DO UPDATE SET
    state = EXCLUDED.state, kind = EXCLUDED.kind, hand = EXCLUDED.hand, seat = EXCLUDED.seat,
    level = EXCLUDED.level, percent = EXCLUDED.percent, before = EXCLUDED.before,
    after = EXCLUDED.after, reserve_before = EXCLUDED.reserve_before,
    overflow_before = EXCLUDED.overflow_before, due = EXCLUDED.due,
    decided_by_actor = EXCLUDED.decided_by_actor, decided_by = EXCLUDED.decided_by,
    decided_at = EXCLUDED.decided_at, note = EXCLUDED.note, cards = EXCLUDED.cards,
    validated_cards = EXCLUDED.validated_cards, payout_count = EXCLUDED.payout_count
), new_payout AS (
  INSERT INTO payout (link_id, table_no, sequence, hit_number, number, seat, player, kind, amount,
                      charged_to, handed_over, paid_at, paid_by_actor, document)
  SELECT head.link_id, u.*
  FROM head, UNNEST($60::int[], $61::bigint[], $62::smallint[], $63::int[], $64::smallint[],
                    $65::text[], $66::smallint[], $67::bigint[], $68::smallint[],
                    $69::smallint[], $70::bigint[], $71::int[], $72::text[]) AS u
  ON CONFLICT ON CONSTRAINT payout_pkey DO UPDATE SET
    seat = EXCLUDED.seat, player = EXCLUDED.player, kind = EXCLUDED.kind, amount = EXCLUDED.amount,
    charged_to = EXCLUDED.charged_to, handed_over = EXCLUDED.handed_over,
    paid_at = EXCLUDED.paid_at, paid_by_actor = EXCLUDED.paid_by_actor,
    document = EXCLUDED.document
), new_event AS (
  INSERT INTO event (link_id, period, batch, position, table_no, actor_id, sequence, kind, refusal,
                     own_seats, dealer_seats, i1, i2, i3, i4, record)
  SELECT link_id, period, batch, generate_series(0, $12 - 1), UNNEST($18::int[]), UNNEST($19::int[]),
         UNNEST($20::bigint[]), UNNEST($21::smallint[]), UNNEST($22::smallint[]),
         UNNEST($23::smallint[]), UNNEST($24::smallint[]), UNNEST($25::bigint[]),
         UNNEST($26::bigint[]), UNNEST($27::bigint[]), UNNEST($28::bigint[]), UNNEST($29::bytea[])
  FROM head
)
SELECT page FROM head";

    /// Commits routine batches of several links. Returns the places, counted from 1, of those that moved their head, the
    /// pages of the heads' new rows in the same order, and the number of events that were written. A head that another transaction holds is passed over, so that this
    /// statement waits for no row.
    COMMIT_MANY = "journal.commit_many", "
WITH held AS (
  SELECT u.*, locked.row
  FROM UNNEST($1::int[], $2::bigint[], $3::bigint[], $4::bytea[], $5::bytea[], $6::int[],
              $7::smallint[], $8::bigint[], $9::text[], $10::smallint[], $11::int[], $12::int[],
              $13::int[], $34::bigint[])
    WITH ORDINALITY AS u(link_id, batch, epoch, before_hash, chain_hash, period, status, at, node,
                         rule_version, events, first, last, page, place)
  CROSS JOIN LATERAL (
    SELECT ctid AS row FROM link_head
    WHERE ctid BETWEEN format('(%s,0)', u.page)::tid AND format('(%s,65535)', u.page)::tid
      AND link_id + 0 = u.link_id AND batch = u.batch AND epoch = u.epoch
      AND chain_hash = u.before_hash
    FOR NO KEY UPDATE SKIP LOCKED
  ) AS locked
), head AS (
  UPDATE link_head AS h SET batch = h.batch + 1, chain_hash = held.chain_hash, period = held.period,
    status = held.status,
    balances = CASE WHEN h.is_compact THEN '{}' ELSE ($15::bigint[])[held.first:held.last] END
  FROM held WHERE h.ctid = held.row
  RETURNING held.*, CASE WHEN h.is_compact THEN NULL ELSE 0 END::bigint AS zero, (h.ctid::text::point)[0]::bigint AS new_page
), new_batch AS (
  INSERT INTO batch (link_id, batch, at, node, epoch, rule_version, period, events, deltas, after,
                     chain_hash)
  SELECT link_id, batch + 1, at, node, epoch, rule_version, period, events,
         array_replace(($14::bigint[])[first:last], 0, zero),
         array_replace(($15::bigint[])[first:last], 0, zero), chain_hash
  FROM head
), moved AS (
  SELECT array_agg(head.place IS NOT NULL ORDER BY each.place) AS is_moved
  FROM generate_series(1, cardinality($1)) AS each(place) LEFT JOIN head ON head.place = each.place
), new_mark AS (
  INSERT INTO table_mark (link_id, table_no, sequence, period, batch, position)
  SELECT ($1)[u.place], u.table_no, u.sequence, ($6)[u.place], ($2)[u.place] + 1, u.position
  FROM UNNEST($16::int[], $17::int[], $18::bigint[], $19::int[]) AS u(place, table_no, sequence, position)
  WHERE ((SELECT is_moved FROM moved))[u.place]
), new_event AS (
  INSERT INTO event (link_id, period, batch, position, table_no, actor_id, sequence, kind, refusal,
                     own_seats, dealer_seats, i1, i2, i3, i4, record)
  SELECT ($1)[u.place], ($6)[u.place], ($2)[u.place] + 1, u.position, u.table_no, u.actor_id,
         u.sequence, u.kind, u.refusal, u.own_seats, u.dealer_seats, u.i1, u.i2, u.i3, u.i4, u.record
  FROM (
    SELECT UNNEST($20::int[]), UNNEST($21::int[]), UNNEST($22::int[]), UNNEST($23::int[]),
           UNNEST($24::bigint[]), UNNEST($25::smallint[]), UNNEST($26::smallint[]),
           UNNEST($27::smallint[]), UNNEST($28::smallint[]), UNNEST($29::bigint[]),
           UNNEST($30::bigint[]), UNNEST($31::bigint[]), UNNEST($32::bigint[]), UNNEST($33::bytea[])
  ) AS u(place, position, table_no, actor_id, sequence, kind, refusal, own_seats, dealer_seats,
         i1, i2, i3, i4, record)
  WHERE ((SELECT is_moved FROM moved))[u.place]
  RETURNING 1
)
SELECT COALESCE(array_agg(place::int), '{}') AS places,
       COALESCE(array_agg(new_page), '{}') AS pages,
       (SELECT count(*) FROM new_event) AS events
FROM head";

    /// Returns the head.
    READ_HEAD = "journal.read_head", "
SELECT batch, epoch, chain_hash, period, status, (ctid::text::point)[0]::bigint AS page
FROM link_head WHERE link_id = $1";

    /// Returns the head and locks it until the transaction ends.
    LOCK_HEAD = "journal.lock_head", "
SELECT batch, epoch, chain_hash, period, status, (ctid::text::point)[0]::bigint AS page
FROM link_head WHERE link_id = $1 FOR UPDATE";

    /// Waits for a statement that still moves the head, then fences it off by raising the head's
    /// epoch.
    CONFIRM_HEAD = "journal.confirm_head", "
UPDATE link_head SET epoch = epoch + 1 WHERE link_id = $1
RETURNING batch, epoch, chain_hash, period, status, (ctid::text::point)[0]::bigint AS page";

    /// Opens a transaction of the locked mode or of `transaction`.
    BEGIN = "journal.begin", "BEGIN";

    /// Commits the transaction.
    COMMIT = "journal.commit", "COMMIT";

    /// Rolls the transaction back.
    ROLLBACK = "journal.rollback", "ROLLBACK";
}

/// Two statements that end what a caller may have left open. Outside a transaction a `ROLLBACK` alone would leave a warning in
/// Postgres' log each time.
pub(crate) const END_OPEN: &str = "BEGIN; ROLLBACK";
