//! The commit statement: a batch as arrays, one a column.
//!
//! # Shape
//! The columns are written into the statement straight from the batch's rows; nothing is collected
//! in between. Numbers without a sign are stored with the same bits: a sequence below 2^63, a set
//! of at most 15 seats.

use meterhouse_journal::batch::EventRow;
use meterhouse_journal::hit::{HitRow, PayoutRow};
use sqlx::postgres::{PgBindIterExt as _, PgConnection};

use crate::database::Bound;
use crate::error::StoreError;
use crate::journal::{JoinedRow, Mark, NewBatch};
use crate::sql::commit::{COMMIT_FULL, COMMIT_ROUTINE};
use crate::sql::statement::{Failed as _, Statement};

/// Sends a batch. `true` if it moved the head, `false` if the head had moved.
pub(crate) async fn send(
    connection: &mut PgConnection,
    new: &NewBatch,
) -> Result<bool, StoreError> {
    let events = new.batch.events.len();
    if events == 0 {
        return Err(StoreError::EmptyBatch);
    }
    let (statement, query) = statement(new);
    let done = query.execute(connection).await.of(statement)?;
    match done.rows_affected() {
        0 => Ok(false),
        rows if usize::try_from(rows) == Ok(events) => Ok(true),
        rows => Err(StoreError::RowCount { events, rows }),
    }
}

fn statement(new: &NewBatch) -> (Statement, Bound<'_>) {
    let is_routine = new.hits.is_empty() && new.tables.is_empty();
    let statement = if is_routine {
        COMMIT_ROUTINE
    } else {
        COMMIT_FULL
    };
    let query = bind_head(sqlx::query(statement.sql), new);
    let query = bind_marks(query, &new.marks);
    let query = bind_events(query, &new.batch.events);
    if is_routine {
        return (statement, query);
    }
    let query = bind_tables(query, &new.tables);
    let query = bind_hits(query, &new.hits);
    (statement, bind_payouts(query, &new.hits))
}

/// $1 to $13.
fn bind_head<'q>(query: Bound<'q>, new: &'q NewBatch) -> Bound<'q> {
    let batch = &new.batch;
    query
        .bind(batch.link.0)
        .bind(batch.number.wrapping_sub(1).cast_signed())
        .bind(batch.epoch)
        .bind(new.previous_hash.0.as_slice())
        .bind(new.chain_hash.0.as_slice())
        .bind(batch.period)
        .bind(new.status)
        .bind(&batch.after)
        .bind(batch.at.0)
        .bind(&batch.node)
        .bind(batch.rule_version.cast_signed())
        // A batch has at most a few thousand events; send() counts them again.
        .bind(i32::try_from(batch.events.len()).unwrap_or(i32::MAX))
        .bind(&batch.deltas)
}

/// $14 to $16.
fn bind_marks<'q>(query: Bound<'q>, marks: &'q [Mark]) -> Bound<'q> {
    query
        .bind(marks.iter().map(|it| it.table.cast_signed()).bind_iter())
        .bind(marks.iter().map(|it| it.sequence.cast_signed()).bind_iter())
        .bind(marks.iter().map(|it| it.position.cast_signed()).bind_iter())
}

/// $17 to $28.
fn bind_events<'q>(query: Bound<'q>, events: &'q [EventRow]) -> Bound<'q> {
    let number = |index: usize| events.iter().map(move |it| it.numbers[index]).bind_iter();
    query
        .bind(
            events
                .iter()
                .map(|it| it.table.map(u32::cast_signed))
                .bind_iter(),
        )
        .bind(events.iter().map(|it| it.actor).bind_iter())
        .bind(
            events
                .iter()
                .map(|it| it.sequence.map(u64::cast_signed))
                .bind_iter(),
        )
        .bind(events.iter().map(|it| i16::from(it.kind)).bind_iter())
        .bind(
            events
                .iter()
                .map(|it| it.refusal.map(i16::from))
                .bind_iter(),
        )
        .bind(
            events
                .iter()
                .map(|it| it.own_seats.map(u16::cast_signed))
                .bind_iter(),
        )
        .bind(
            events
                .iter()
                .map(|it| it.dealer_seats.map(u16::cast_signed))
                .bind_iter(),
        )
        .bind(number(0))
        .bind(number(1))
        .bind(number(2))
        .bind(number(3))
        .bind(events.iter().map(|it| it.record.as_deref()).bind_iter())
}

/// $29 to $32.
fn bind_tables<'q>(query: Bound<'q>, tables: &'q [JoinedRow]) -> Bound<'q> {
    query
        .bind(
            tables
                .iter()
                .map(|it| it.table_no.cast_signed())
                .bind_iter(),
        )
        .bind(tables.iter().map(|it| it.name.as_str()).bind_iter())
        .bind(tables.iter().map(|it| it.game.as_str()).bind_iter())
        .bind(tables.iter().map(|it| i16::from(it.seats)).bind_iter())
}

/// $33 to $58.
fn bind_hits<'q>(query: Bound<'q>, hits: &'q [HitRow]) -> Bound<'q> {
    let payouts = |it: &HitRow| it.payouts.iter().map(|it| it.number).max().unwrap_or(0);
    query
        .bind(hits.iter().map(|it| it.table.cast_signed()).bind_iter())
        .bind(hits.iter().map(|it| it.sequence.cast_signed()).bind_iter())
        .bind(hits.iter().map(|it| i16::from(it.number)).bind_iter())
        .bind(hits.iter().map(|it| it.hit_order.cast_signed()).bind_iter())
        .bind(hits.iter().map(|it| it.round.cast_signed()).bind_iter())
        .bind(hits.iter().map(|it| i16::from(it.state.code())).bind_iter())
        .bind(hits.iter().map(|it| i16::from(it.kind)).bind_iter())
        .bind(hits.iter().map(|it| it.hand.map(i16::from)).bind_iter())
        .bind(hits.iter().map(|it| it.seat.map(i16::from)).bind_iter())
        .bind(hits.iter().map(|it| it.level.map(i16::from)).bind_iter())
        .bind(hits.iter().map(|it| it.percent.map(i16::from)).bind_iter())
        .bind(hits.iter().map(|it| it.before).bind_iter())
        .bind(hits.iter().map(|it| it.after).bind_iter())
        .bind(hits.iter().map(|it| it.reserve_before).bind_iter())
        .bind(hits.iter().map(|it| it.overflow_before).bind_iter())
        .bind(hits.iter().map(|it| it.due).bind_iter())
        .bind(hits.iter().map(|it| it.keyed_by_actor).bind_iter())
        .bind(hits.iter().map(|it| it.keyed_by.as_deref()).bind_iter())
        .bind(hits.iter().map(|it| it.keyed_at).bind_iter())
        .bind(hits.iter().map(|it| it.decided_by_actor).bind_iter())
        .bind(hits.iter().map(|it| it.decided_by.as_deref()).bind_iter())
        .bind(hits.iter().map(|it| it.decided_at).bind_iter())
        .bind(hits.iter().map(|it| it.note.as_deref()).bind_iter())
        .bind(hits.iter().map(|it| it.cards.as_deref()).bind_iter())
        .bind(
            hits.iter()
                .map(|it| it.validated_cards.as_deref())
                .bind_iter(),
        )
        .bind(
            hits.iter()
                .map(move |it| payouts(it).cast_signed())
                .bind_iter(),
        )
}

/// $59 to $71.
fn bind_payouts<'q>(query: Bound<'q>, hits: &'q [HitRow]) -> Bound<'q> {
    let payouts = || {
        hits.iter()
            .flat_map(|hit| hit.payouts.iter().map(move |it| (hit, it)))
    };
    let each = || payouts().map(|(_, it): (&HitRow, &'q PayoutRow)| it);
    query
        .bind(
            payouts()
                .map(|(hit, _)| hit.table.cast_signed())
                .bind_iter(),
        )
        .bind(
            payouts()
                .map(|(hit, _)| hit.sequence.cast_signed())
                .bind_iter(),
        )
        .bind(payouts().map(|(hit, _)| i16::from(hit.number)).bind_iter())
        .bind(each().map(|it| it.number.cast_signed()).bind_iter())
        .bind(each().map(|it| i16::from(it.seat)).bind_iter())
        .bind(each().map(|it| it.player.as_deref()).bind_iter())
        .bind(each().map(|it| i16::from(it.kind)).bind_iter())
        .bind(each().map(|it| it.amount).bind_iter())
        .bind(each().map(|it| i16::from(it.charged_to)).bind_iter())
        .bind(each().map(|it| i16::from(it.handed_over)).bind_iter())
        .bind(each().map(|it| it.paid_at).bind_iter())
        .bind(each().map(|it| it.paid_by_actor).bind_iter())
        .bind(each().map(|it| it.document.as_deref()).bind_iter())
}
