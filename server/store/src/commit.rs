//! The commit statement: a batch as arrays, one per column.
//!
//! # Shape
//! Each column is encoded into the statement directly from the batch's rows, without an
//! intermediate collection. Unsigned numbers are stored with the same bits as signed ones: a
//! sequence is below 2^63, a seat set has at most 15 bits.

use meterhouse_journal::batch::EventRow;
use meterhouse_journal::hit::{HitRow, PayoutRow};
use sqlx::postgres::{PgBindIterExt as _, PgConnection};

use crate::error::StoreError;
use crate::head_page::HeadPage;
use crate::new_batch::{JoinedRow, Mark, NewBatch};
use crate::sql::commit::{COMMIT_FULL, COMMIT_ROUTINE};
use crate::sql::statement::Bound;
use crate::sql::statement::{ResultExt as _, Statement};

/// Sends a batch. Returns the page of the head's new row, or `None` if the head had moved before.
pub(crate) async fn send(
    connection: &mut PgConnection,
    new: &NewBatch,
    head: HeadPage,
) -> Result<Option<HeadPage>, StoreError> {
    if new.batch.events.is_empty() {
        return Err(StoreError::EmptyBatch);
    }
    let (statement, query) = statement(new, head);
    let row = query.fetch_optional(connection).await;
    let row = row.in_statement(statement)?;
    row.map(|row| HeadPage::of_row(statement, &row)).transpose()
}

fn statement(new: &NewBatch, head: HeadPage) -> (Statement, Bound<'_>) {
    let is_routine = new.is_routine();
    let statement = if is_routine {
        COMMIT_ROUTINE
    } else {
        COMMIT_FULL
    };
    let query = bind_head(sqlx::query(statement.sql), new).bind(head.0);
    let query = bind_marks(query, new.marks.iter());
    let query = bind_events(query, new.batch.events.iter());
    if is_routine {
        return (statement, query);
    }
    let query = bind_tables(query, &new.tables);
    let query = bind_hits(query, &new.hits);
    (statement, bind_payouts(query, &new.hits))
}

/// Binds $1 to $13.
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
        // A batch has at most a few thousand events.
        .bind(i32::try_from(batch.events.len()).unwrap_or(i32::MAX))
        .bind(&batch.deltas)
}

/// Binds a mark's table, sequence and position.
pub(crate) fn bind_marks<'q, I>(query: Bound<'q>, marks: I) -> Bound<'q>
where
    I: Iterator<Item = &'q Mark> + Clone + 'q,
{
    query
        .bind(
            marks
                .clone()
                .map(|mark| mark.table.cast_signed())
                .bind_iter(),
        )
        .bind(
            marks
                .clone()
                .map(|mark| mark.sequence.cast_signed())
                .bind_iter(),
        )
        .bind(marks.map(|mark| mark.position.cast_signed()).bind_iter())
}

/// Binds the twelve columns of an event.
pub(crate) fn bind_events<'q, I>(query: Bound<'q>, events: I) -> Bound<'q>
where
    I: Iterator<Item = &'q EventRow> + Clone + 'q,
{
    let each = move || events.clone();
    let number = |index: usize| each().map(move |event| event.numbers[index]).bind_iter();
    query
        .bind(
            each()
                .map(|event| event.table.map(u32::cast_signed))
                .bind_iter(),
        )
        .bind(each().map(|event| event.actor).bind_iter())
        .bind(
            each()
                .map(|event| event.sequence.map(u64::cast_signed))
                .bind_iter(),
        )
        .bind(each().map(|event| i16::from(event.kind)).bind_iter())
        .bind(each().map(|event| event.refusal.map(i16::from)).bind_iter())
        .bind(
            each()
                .map(|event| event.own_seats.map(u16::cast_signed))
                .bind_iter(),
        )
        .bind(
            each()
                .map(|event| event.dealer_seats.map(u16::cast_signed))
                .bind_iter(),
        )
        .bind(number(0))
        .bind(number(1))
        .bind(number(2))
        .bind(number(3))
        .bind(each().map(|event| event.record.as_deref()).bind_iter())
}

/// Binds $29 to $32.
fn bind_tables<'q>(query: Bound<'q>, tables: &'q [JoinedRow]) -> Bound<'q> {
    query
        .bind(
            tables
                .iter()
                .map(|table| table.table_no.cast_signed())
                .bind_iter(),
        )
        .bind(tables.iter().map(|table| table.name.as_str()).bind_iter())
        .bind(tables.iter().map(|table| table.game.as_str()).bind_iter())
        .bind(
            tables
                .iter()
                .map(|table| i16::from(table.seats))
                .bind_iter(),
        )
}

/// Binds $33 to $58.
fn bind_hits<'q>(query: Bound<'q>, hits: &'q [HitRow]) -> Bound<'q> {
    let payouts = |hit: &HitRow| {
        hit.payouts
            .iter()
            .map(|payout| payout.number)
            .max()
            .unwrap_or(0)
    };
    query
        .bind(hits.iter().map(|hit| hit.table.cast_signed()).bind_iter())
        .bind(
            hits.iter()
                .map(|hit| hit.sequence.cast_signed())
                .bind_iter(),
        )
        .bind(hits.iter().map(|hit| i16::from(hit.number)).bind_iter())
        .bind(
            hits.iter()
                .map(|hit| hit.hit_order.cast_signed())
                .bind_iter(),
        )
        .bind(hits.iter().map(|hit| hit.round.cast_signed()).bind_iter())
        .bind(
            hits.iter()
                .map(|hit| i16::from(hit.state.code()))
                .bind_iter(),
        )
        .bind(hits.iter().map(|hit| i16::from(hit.kind)).bind_iter())
        .bind(hits.iter().map(|hit| hit.hand.map(i16::from)).bind_iter())
        .bind(hits.iter().map(|hit| hit.seat.map(i16::from)).bind_iter())
        .bind(hits.iter().map(|hit| hit.level.map(i16::from)).bind_iter())
        .bind(
            hits.iter()
                .map(|hit| hit.percent.map(i16::from))
                .bind_iter(),
        )
        .bind(hits.iter().map(|hit| hit.before).bind_iter())
        .bind(hits.iter().map(|hit| hit.after).bind_iter())
        .bind(hits.iter().map(|hit| hit.reserve_before).bind_iter())
        .bind(hits.iter().map(|hit| hit.overflow_before).bind_iter())
        .bind(hits.iter().map(|hit| hit.due).bind_iter())
        .bind(hits.iter().map(|hit| hit.keyed_by_actor).bind_iter())
        .bind(hits.iter().map(|hit| hit.keyed_by.as_deref()).bind_iter())
        .bind(hits.iter().map(|hit| hit.keyed_at).bind_iter())
        .bind(hits.iter().map(|hit| hit.decided_by_actor).bind_iter())
        .bind(hits.iter().map(|hit| hit.decided_by.as_deref()).bind_iter())
        .bind(hits.iter().map(|hit| hit.decided_at).bind_iter())
        .bind(hits.iter().map(|hit| hit.note.as_deref()).bind_iter())
        .bind(hits.iter().map(|hit| hit.cards.as_deref()).bind_iter())
        .bind(
            hits.iter()
                .map(|hit| hit.validated_cards.as_deref())
                .bind_iter(),
        )
        .bind(
            hits.iter()
                .map(move |hit| payouts(hit).cast_signed())
                .bind_iter(),
        )
}

/// Binds $59 to $71.
fn bind_payouts<'q>(query: Bound<'q>, hits: &'q [HitRow]) -> Bound<'q> {
    let payouts = || {
        hits.iter()
            .flat_map(|hit| hit.payouts.iter().map(move |payout| (hit, payout)))
    };
    let each = || payouts().map(|(_, payout): (&HitRow, &'q PayoutRow)| payout);
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
        .bind(each().map(|payout| payout.number.cast_signed()).bind_iter())
        .bind(each().map(|payout| i16::from(payout.seat)).bind_iter())
        .bind(each().map(|payout| payout.player.as_deref()).bind_iter())
        .bind(each().map(|payout| i16::from(payout.kind)).bind_iter())
        .bind(each().map(|payout| payout.amount).bind_iter())
        .bind(
            each()
                .map(|payout| i16::from(payout.charged_to))
                .bind_iter(),
        )
        .bind(
            each()
                .map(|payout| i16::from(payout.handed_over))
                .bind_iter(),
        )
        .bind(each().map(|payout| payout.paid_at).bind_iter())
        .bind(each().map(|payout| payout.paid_by_actor).bind_iter())
        .bind(each().map(|payout| payout.document.as_deref()).bind_iter())
}
