//! The journal of a link in parts: batches from one connection, events from the other or from the files of archived
//! months.

use meterhouse_domain::ids::LinkId;
use meterhouse_journal::batch::Batch;
use meterhouse_journal::position::Position;

use super::LinkReader;
use crate::archived_month::Month;
use crate::copy_stream::{BATCH_COLUMNS, CopyStream, EVENT_COLUMNS, StoredEvent, batch, event};
use crate::error::StoreError;
use crate::journal::StoredBatch;
use crate::sql::archive::ARCHIVED_PERIODS;
use crate::sql::statement::ResultExt as _;
use crate::sql::verify::{BATCHES, BATCHES_OF_MONTH, EVENTS, EVENTS_OF_MONTH, SET_MONTH};

/// A part of a journal, in its order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Piece {
    /// Batch with its events.
    Batch(StoredBatch),
    /// Rows that belong to no possible batch, which no version of this program writes.
    Broken {
        /// Position of the rows.
        position: Position,
        /// Description of the error.
        what: String,
    },
    /// A batch whose archived events can't be read. The journal is not read any further.
    Unread {
        /// Number of the batch.
        batch: u64,
        /// Reason.
        what: String,
    },
}

/// The files of archived months.
pub trait ArchivedBatches: Send {
    /// Returns `true` if there is a file of the month.
    fn has(&self, month: Month) -> bool;

    /// Returns a batch with its events. Batches of a link are asked for in their order.
    ///
    /// # Errors
    /// The reason why the batch can't be read.
    fn batch(&mut self, link: LinkId, month: Month, number: u64) -> Result<Batch, String>;
}

/// The part of a link's journal that is read.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
enum Part {
    Whole,
    Month,
}

impl LinkReader {
    /// Returns the months of the link whose events are archived, in their order.
    ///
    /// # Errors
    /// If the query fails.
    pub async fn archived_months(&mut self) -> Result<Vec<Month>, StoreError> {
        let query = sqlx::query_scalar(ARCHIVED_PERIODS.sql).bind(self.link.0);
        let periods: Vec<i32> = query
            .fetch_all(&mut self.batches)
            .await
            .in_statement(ARCHIVED_PERIODS)?;
        Ok(periods.into_iter().map(Month).collect())
    }

    /// Calls `visit` for the whole journal, part by part in its order. Events of archived months come from the files.
    /// May be called once.
    ///
    /// # Errors
    /// An error of `visit`, or of the query.
    pub async fn for_each_batch<E: From<StoreError>>(
        &mut self,
        archive: &mut dyn ArchivedBatches,
        visit: impl FnMut(Piece) -> Result<(), E>,
    ) -> Result<(), E> {
        self.for_each_of(Part::Whole, archive, visit).await
    }

    /// Calls `visit` for a month of the journal, whose batches begin behind `after`. May be called once.
    ///
    /// # Errors
    /// An error of `visit`, or of the query.
    pub async fn for_each_of_month<E: From<StoreError>>(
        &mut self,
        month: Month,
        after: u64,
        visit: impl FnMut(Piece) -> Result<(), E>,
    ) -> Result<(), E> {
        for connection in [&mut self.batches, &mut self.events] {
            let set = sqlx::query(SET_MONTH.sql)
                .bind(month.0.to_string())
                .bind(after.to_string());
            set.execute(connection).await.in_statement(SET_MONTH)?;
        }
        self.for_each_of(Part::Month, &mut NoArchive, visit).await
    }

    async fn for_each_of<E: From<StoreError>>(
        &mut self,
        part: Part,
        archive: &mut dyn ArchivedBatches,
        mut visit: impl FnMut(Piece) -> Result<(), E>,
    ) -> Result<(), E> {
        let archived = match part {
            Part::Whole => self.archived_months().await?,
            Part::Month => Vec::new(),
        };
        let (of_batches, of_events) = match part {
            Part::Whole => (BATCHES, EVENTS),
            Part::Month => (BATCHES_OF_MONTH, EVENTS_OF_MONTH),
        };
        let mut batches = CopyStream::start(&mut self.batches, of_batches, BATCH_COLUMNS).await?;
        let mut events = CopyStream::start(&mut self.events, of_events, EVENT_COLUMNS).await?;
        let mut next_event = events.next(event).await?;
        while let Some((mut stored, declared)) =
            batches.next(|fields| batch(self.link, fields)).await?
        {
            // Events before this batch belong to no batch.
            while let Some(stray) = next_event.take_if(|stray| stray.is_before(&stored.batch)) {
                visit(stray_event(&stray))?;
                next_event = events.next(event).await?;
            }
            if archived.contains(&Month(stored.batch.period)) {
                let number = stored.batch.number;
                match events_from(archive, &mut stored) {
                    Ok(()) => visit(Piece::Batch(stored))?,
                    Err(what) => {
                        let batch = number;
                        return visit(Piece::Unread { batch, what });
                    }
                }
                continue;
            }
            while let Some(one) = next_event.take_if(|one| one.is_of(&stored.batch)) {
                if usize::try_from(one.position.index) != Ok(stored.batch.events.len()) {
                    visit(broken(
                        one.position,
                        "an event is not at the next position of its batch",
                    ))?;
                }
                stored.batch.events.push(one.event);
                next_event = events.next(event).await?;
            }
            if stored.batch.events.len() != declared {
                let start = Position {
                    batch: stored.batch.number,
                    index: 0,
                };
                visit(broken(
                    start,
                    "a batch has another number of events than it says",
                ))?;
            }
            visit(Piece::Batch(stored))?;
        }
        while let Some(stray) = next_event {
            visit(stray_event(&stray))?;
            next_event = events.next(event).await?;
        }
        Ok(())
    }
}

fn broken(position: Position, what: &'static str) -> Piece {
    let what = what.to_owned();
    Piece::Broken { position, what }
}

/// No files.
#[derive(Copy, Clone, Debug)]
pub struct NoArchive;

impl ArchivedBatches for NoArchive {
    fn has(&self, _: Month) -> bool {
        false
    }

    fn batch(&mut self, _: LinkId, month: Month, _: u64) -> Result<Batch, String> {
        Err(format!(
            "its events are in the file of {month}, which was not given"
        ))
    }
}

/// Moves the events of an archived batch into its row. Row and file have to agree.
fn events_from(archive: &mut dyn ArchivedBatches, stored: &mut StoredBatch) -> Result<(), String> {
    let row = &mut stored.batch;
    let month = Month(row.period);
    let mut archived = archive.batch(row.link, month, row.number)?;
    let events = std::mem::take(&mut archived.events);
    if archived != *row {
        return Err(format!("its row differs from the file of {month}"));
    }
    row.events = events;
    Ok(())
}

fn stray_event(stray: &StoredEvent) -> Piece {
    broken(stray.position, "an event belongs to no batch")
}
