//! The proof of a file: every batch of the month in the database is in the file with its hash, and no other.

use std::collections::{BTreeSet, VecDeque};
use std::io::Read;

use meterhouse_domain::ids::LinkId;
use meterhouse_journal::batch::{Batch, ChainHash};
use meterhouse_journal::file_parts::LinkPart;
use meterhouse_journal::month::{IDENTITY_BYTES, MonthTotals};
use meterhouse_journal::month_reader::{MonthItem, MonthReader};
use meterhouse_store::{BatchHash, Month, Store, StoreError};

use super::error::ArchiveError;
use super::links::links;

/// Reads the file of a month and compares it with the batches in the database.
///
/// # Errors
/// [`ArchiveError::Damaged`], [`ArchiveError::Differs`]; or if the database can't be queried.
pub async fn prove(
    store: &Store,
    month: Month,
    identity: [u8; IDENTITY_BYTES],
    input: impl Read + Send,
) -> Result<MonthTotals, ArchiveError> {
    let mut file = MonthReader::open(input)?;
    let differs = |what: String| Err(ArchiveError::Differs(what));
    if file.header().identity != identity {
        return differs("the file is of another database".to_owned());
    }
    if file.header().period != month.0 {
        let other = Month(file.header().period);
        return differs(format!("the file is of {other}, not of {month}"));
    }
    let mut seen = BTreeSet::new();
    let mut current: Option<Stored<'_>> = None;
    loop {
        match file.next_item()? {
            MonthItem::Link(link, _) => {
                finish(current.take()).await?;
                seen.insert(link.link);
                current = Some(Stored::begin(store, month, &link).await?);
            }
            MonthItem::Batch(batch, hash) => match &mut current {
                Some(stored) => stored.compare(&batch, hash).await?,
                None => return differs("a batch of the file belongs to no link".to_owned()),
            },
            MonthItem::End(totals) => {
                finish(current.take()).await?;
                refuse_missing(store, month, &seen).await?;
                return Ok(totals);
            }
        }
    }
}

/// Checks that each link with batches in the month is in the file.
async fn refuse_missing(
    store: &Store,
    month: Month,
    seen: &BTreeSet<LinkId>,
) -> Result<(), ArchiveError> {
    for row in links(store).await? {
        if seen.contains(&row.link) {
            continue;
        }
        let before = store.state_before(row.link, month).await?;
        let after = before.map_or(0, |state| state.batch);
        if !store.month_hashes(row.link, month, after).await?.is_empty() {
            let name = row.name;
            return Err(ArchiveError::Differs(format!(
                "link {name} has batches in {month}, and the file has none of them"
            )));
        }
    }
    Ok(())
}

async fn finish(current: Option<Stored<'_>>) -> Result<(), ArchiveError> {
    match current {
        Some(stored) => stored.finish().await,
        None => Ok(()),
    }
}

/// The batches of a link's month in the database, read in pages.
struct Stored<'a> {
    store: &'a Store,
    month: Month,
    link: LinkId,
    name: String,
    last: u64,
    page: VecDeque<BatchHash>,
}

impl<'a> Stored<'a> {
    async fn begin(store: &'a Store, month: Month, begin: &LinkPart) -> Result<Self, ArchiveError> {
        let before = store.state_before(begin.link, month).await?;
        let (batch, hash) = before.map_or((0, ChainHash::GENESIS), |state| {
            (state.batch, state.chain_hash)
        });
        let stored = Self {
            store,
            month,
            link: begin.link,
            name: begin.name.clone(),
            last: batch,
            page: VecDeque::new(),
        };
        if (begin.before, begin.hash_before) != (batch, hash) {
            return Err(stored.differs(batch + 1, "the file begins behind another batch"));
        }
        Ok(stored)
    }

    async fn next(&mut self) -> Result<Option<BatchHash>, StoreError> {
        if self.page.is_empty() {
            let page = self.store.month_hashes(self.link, self.month, self.last);
            self.page = page.await?.into();
        }
        let next = self.page.pop_front();
        self.last = next.map_or(self.last, |next| next.batch);
        Ok(next)
    }

    async fn compare(&mut self, batch: &Batch, hash: ChainHash) -> Result<(), ArchiveError> {
        let Some(next) = self.next().await? else {
            return Err(self.differs(batch.number, "the database has no such batch in the month"));
        };
        let events = batch.events.len() as u64;
        let in_file = (batch.number, hash, events);
        if in_file != (next.batch, next.chain_hash, next.events) {
            let what = "the file has another number, hash or count of events than the database";
            return Err(self.differs(next.batch, what));
        }
        Ok(())
    }

    async fn finish(mut self) -> Result<(), ArchiveError> {
        match self.next().await? {
            Some(next) => Err(self.differs(next.batch, "the file ends before it")),
            None => Ok(()),
        }
    }

    fn differs(&self, batch: u64, what: &str) -> ArchiveError {
        ArchiveError::Differs(format!("link {}, batch {batch}: {what}", self.name))
    }
}
