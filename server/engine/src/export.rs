//! The export of a link: its journal and the house's chain in one file, with their signed heads.
//!
//! # Shape
//! [`export`] reads the journal as of one snapshot of the database, checks each batch, applies its events, and writes
//! those of the asked day. The file of a later day has the state before it.
//!
//! # Limits
//! One batch and one state in memory at a time, and the signed heads of the exported part: about 300 bytes each.

use std::io::{self, Write};
use std::iter::Peekable;
use std::vec::IntoIter;

use meterhouse_domain::ids::{LinkName, Timestamp};
use meterhouse_journal::batch::ChainHash;
use meterhouse_journal::export::{ExportHeader, ExportStart, ExportTotals, ExportWriter};
use meterhouse_journal::file_parts::LinkPart;
use meterhouse_journal::tree::Peaks;
use meterhouse_journal::tree_head::{HOUSE, SignedHead};
use meterhouse_store::verify::pieces::{ArchivedBatches, Piece};
use meterhouse_store::{HEADS_MAX, HOUSE_PAGE_MAX, Store, StoreError, StoredBatch, TreeChain};

use crate::checked_state::CheckedState;
use crate::clock::now;

/// What is exported of a link.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Span {
    /// Time of the first batch at least; `None` from the opening on.
    pub from: Option<Timestamp>,
    /// Time behind the last batch; `None` up to the newest one.
    pub until: Option<Timestamp>,
}

/// The reason that a link could not be exported.
#[derive(Debug, thiserror::Error)]
pub enum ExportError {
    /// The database can't be queried.
    #[error("the journal can't be read")]
    Store(#[from] StoreError),
    /// The file can't be written.
    #[error("the file can't be written")]
    File(#[from] io::Error),
    /// There is no such link.
    #[error("there is no link {0}")]
    UnknownLink(LinkName),
    /// The link has no batch in the span.
    #[error("the link has no batch there")]
    Nothing,
    /// Events of an archived month are needed.
    #[error("events of {0} are archived, and the folder with the file of that month was not given")]
    Archived(String),
    /// The journal differs from itself.
    #[error("batch {batch}: {what}")]
    Differs {
        /// Number of the batch.
        batch: u64,
        /// Description of the difference.
        what: String,
    },
}

/// Writes the file of a link.
///
/// # Errors
/// [`ExportError`]. What was written until then is no whole file.
pub async fn export<W: Write>(
    store: &Store,
    link: &LinkName,
    span: Span,
    archive: &mut dyn ArchivedBatches,
    out: W,
    program: &str,
) -> Result<(W, ExportTotals), ExportError> {
    let row = store.find_link(link.as_str()).await?;
    let unknown = || ExportError::UnknownLink(link.clone());
    let row = row.ok_or_else(unknown)?;
    let chain = store.tree_chain(row.link).await?.ok_or_else(unknown)?;
    let first = match span.from {
        Some(from) => store.batch_before(row.link, from).await? + 1,
        None => 1,
    };
    let last = match span.until {
        Some(until) => store.batch_before(row.link, until).await?,
        None => u64::MAX,
    };
    if last < first {
        return Err(ExportError::Nothing);
    }
    let header = ExportHeader {
        identity: chain.identity,
        at: now(),
        until: span.until,
        program: program.to_owned(),
    };
    let mut file = ExportWriter::new(out, &header)?;
    house(store, &mut file).await?;
    let heads = heads(store, &chain, first.saturating_sub(1), last).await?;
    let mut view = store.view_link(row.link).await?;
    let months = view.archived_months().await?;
    if let Some(month) = months.iter().find(|month| !archive.has(**month)) {
        return Err(ExportError::Archived(month.to_string()));
    }
    let mut copy = Copy {
        file,
        chain,
        first,
        last,
        is_begun: false,
        heads: heads.into_iter().peekable(),
        at: CheckedState::before_opening(),
        tree: Peaks::default(),
    };
    view.for_each_batch(archive, |piece| copy.piece(piece))
        .await?;
    view.close().await?;
    if copy.at.batch < first {
        return Err(ExportError::Nothing);
    }
    Ok(copy.file.finish()?)
}

/// Writes the house's chain with its heads.
async fn house<W: Write>(store: &Store, file: &mut ExportWriter<W>) -> Result<(), ExportError> {
    let Some(chain) = store.tree_chain(HOUSE).await? else {
        return Ok(());
    };
    let mut heads = heads(store, &chain, 1, u64::MAX)
        .await?
        .into_iter()
        .peekable();
    let mut after = 0;
    loop {
        let page = store.house_entries(after).await?;
        let is_last = page.len() < HOUSE_PAGE_MAX;
        for stored in page {
            after = stored.entry.number;
            file.house_entry(&stored.entry, stored.hash)?;
            while let Some(head) = heads.next_if(|signed| signed.head.batch <= after) {
                file.head(&head)?;
            }
        }
        if is_last {
            return Ok(());
        }
    }
}

/// Returns the heads over the batches from one to another.
async fn heads(
    store: &Store,
    chain: &TreeChain,
    first: u64,
    last: u64,
) -> Result<Vec<SignedHead>, StoreError> {
    let mut heads = Vec::new();
    let mut after = 0;
    loop {
        let page = store.signed_heads(chain, after).await?;
        let is_last = page.len() < HEADS_MAX;
        for signed in page {
            after = signed.head.number;
            if (first..=last).contains(&signed.head.batch) {
                heads.push(signed);
            }
        }
        if is_last {
            return Ok(heads);
        }
    }
}

/// A file that is being written.
struct Copy<W> {
    file: ExportWriter<W>,
    chain: TreeChain,
    first: u64,
    last: u64,
    is_begun: bool,
    /// Signed heads that are still to come.
    heads: Peekable<IntoIter<SignedHead>>,
    at: CheckedState,
    tree: Peaks,
}

impl<W: Write> Copy<W> {
    fn piece(&mut self, piece: Piece) -> Result<(), ExportError> {
        let (batch, what) = match piece {
            Piece::Batch(stored) if stored.batch.number > self.last => return Ok(()),
            Piece::Batch(stored) => return self.batch(&stored),
            Piece::Broken { position, what } => (position.batch, what),
            Piece::Unread { batch, what } => (batch, what),
        };
        Err(ExportError::Differs { batch, what })
    }

    fn batch(&mut self, stored: &StoredBatch) -> Result<(), ExportError> {
        let number = stored.batch.number;
        if number == self.first {
            self.begin()?;
        }
        let applied = self.at.apply(stored, |_, _| ());
        applied.map_err(|(batch, what)| ExportError::Differs { batch, what })?;
        self.tree.push(stored.chain_hash, |_, _| ());
        if !self.is_begun {
            return Ok(());
        }
        self.file.batch(&stored.batch, stored.chain_hash)?;
        self.heads_through(number)
    }

    /// Writes the link, and the state if earlier batches are left out.
    fn begin(&mut self) -> Result<(), ExportError> {
        self.is_begun = true;
        let (before, hash_before): (u64, ChainHash) = (self.at.batch, self.at.chain_hash);
        self.file.link(&LinkPart {
            link: self.chain.link,
            name: self.chain.name.clone(),
            before,
            hash_before,
        })?;
        let Some(snapshot) = self.at.snapshot() else {
            return Ok(());
        };
        self.file.start(&ExportStart {
            snapshot: snapshot.encode(),
            peaks: self.tree.nodes().to_vec(),
        })?;
        self.heads_through(before)
    }

    /// Writes the heads up to a batch.
    fn heads_through(&mut self, batch: u64) -> Result<(), ExportError> {
        while let Some(signed) = self.heads.next_if(|signed| signed.head.batch <= batch) {
            self.file.head(&signed)?;
        }
        Ok(())
    }
}
