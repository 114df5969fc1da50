//! The commit statement for batches of several links: arrays with one element a link, and the events of all links one
//! after another.
//!
//! # Shape
//! An event names its link by its place in the arrays of links, counted from 1 as in Postgres. Balances of all links
//! are one array, of which each link has a slice.

use std::sync::Arc;

use meterhouse_journal::batch::Batch;
use sqlx::Row as _;
use sqlx::postgres::{PgBindIterExt as _, PgConnection};

use crate::commit::{bind_events, bind_marks};
use crate::error::StoreError;
use crate::head_page::HeadPage;
use crate::new_batch::NewBatch;
use crate::sql::commit::COMMIT_MANY;
use crate::sql::statement::{Bound, ResultExt as _};

/// Sends batches of different links, each with the page of its head's row. Returns for each the page of the head's new row, or
/// `None`: its head may be held, or another node may have moved it.
pub(crate) async fn send(
    connection: &mut PgConnection,
    batches: &[Arc<NewBatch>],
    heads: &[HeadPage],
) -> Result<Vec<Option<HeadPage>>, StoreError> {
    let row = query(batches, heads)
        .fetch_one(connection)
        .await
        .in_statement(COMMIT_MANY)?;
    let get = |error| COMMIT_MANY.failed()(error);
    let places: Vec<i32> = row.try_get("places").map_err(get)?;
    let pages: Vec<i64> = row.try_get("pages").map_err(get)?;
    let rows: i64 = row.try_get("events").map_err(get)?;
    let mut moved = vec![None; batches.len()];
    for (place, page) in places.into_iter().zip(pages) {
        let index = usize::try_from(place - 1).ok();
        if let Some(moved) = index.and_then(|index| moved.get_mut(index)) {
            *moved = Some(HeadPage(page));
        }
    }
    let each = batches.iter().zip(&moved);
    let events = each.filter(|(_, moved)| moved.is_some());
    let events = events.map(|(new, _)| new.batch.events.len()).sum();
    if i64::try_from(events) == Ok(rows) {
        return Ok(moved);
    }
    let rows = rows.unsigned_abs();
    Err(StoreError::RowCount { events, rows })
}

fn query<'q>(batches: &'q [Arc<NewBatch>], heads: &'q [HeadPage]) -> Bound<'q> {
    let query = bind_heads(sqlx::query(COMMIT_MANY.sql), batches);
    let query = bind_balances(query, batches);
    let marks = batches.iter().flat_map(|new| new.marks.iter());
    let query = query.bind(places(batches, |new| new.marks.len()).bind_iter());
    let query = bind_marks(query, marks);
    let events = batches.iter().flat_map(|new| new.batch.events.iter());
    let positions = |new: &Arc<NewBatch>| (0_i32..).take(new.batch.events.len());
    let positions = batches.iter().flat_map(positions);
    let query = query
        .bind(places(batches, |new| new.batch.events.len()).bind_iter())
        .bind(positions.bind_iter());
    let heads = heads.iter().map(|head| head.0);
    bind_events(query, events).bind(heads.bind_iter())
}

/// Returns the place of each batch, as often as it has rows.
fn places<'q>(
    batches: &'q [Arc<NewBatch>],
    rows: impl Fn(&NewBatch) -> usize + 'q,
) -> impl Iterator<Item = i32> + 'q {
    let numbered = (1..).zip(batches);
    numbered.flat_map(move |(place, new)| std::iter::repeat_n(place, rows(new)))
}

/// Binds $1 to $13.
fn bind_heads<'q>(query: Bound<'q>, batches: &'q [Arc<NewBatch>]) -> Bound<'q> {
    let each = || batches.iter();
    let batch = || batches.iter().map(|new| &new.batch);
    let ends = batch().scan(0, |end, batch| {
        *end += length(batch.after.len());
        Some((*end - length(batch.after.len()) + 1, *end))
    });
    query
        .bind(batch().map(|batch| batch.link.0).bind_iter())
        .bind(
            batch()
                .map(|batch| batch.number.wrapping_sub(1).cast_signed())
                .bind_iter(),
        )
        .bind(batch().map(|batch| batch.epoch).bind_iter())
        .bind(each().map(|new| new.previous_hash.0.as_slice()).bind_iter())
        .bind(each().map(|new| new.chain_hash.0.as_slice()).bind_iter())
        .bind(batch().map(|batch| batch.period).bind_iter())
        .bind(each().map(|new| new.status).bind_iter())
        .bind(batch().map(|batch| batch.at.0).bind_iter())
        .bind(batch().map(|batch| batch.node.as_str()).bind_iter())
        .bind(
            batch()
                .map(|batch| batch.rule_version.cast_signed())
                .bind_iter(),
        )
        .bind(batch().map(|batch| length(batch.events.len())).bind_iter())
        .bind(ends.clone().map(|(first, _)| first).bind_iter())
        .bind(ends.map(|(_, last)| last).bind_iter())
}

/// Binds $14 and $15.
fn bind_balances<'q>(query: Bound<'q>, batches: &'q [Arc<NewBatch>]) -> Bound<'q> {
    let of = |balances: fn(&Batch) -> &Vec<i64>| {
        let each = batches.iter().map(move |new| balances(&new.batch));
        each.flat_map(|balances| balances.iter().copied())
    };
    query
        .bind(of(|batch| &batch.deltas).bind_iter())
        .bind(of(|batch| &batch.after).bind_iter())
}

/// Returns a length as Postgres counts. It is at most some thousands.
fn length(length: usize) -> i32 {
    i32::try_from(length).unwrap_or(i32::MAX)
}
