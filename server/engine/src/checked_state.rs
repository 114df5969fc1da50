//! The state of a link that follows batches of its journal, each of them checked.

use meterhouse_domain::apply::{apply, opened};
use meterhouse_domain::event::{Event, Recorded};
use meterhouse_domain::state::LinkState;
use meterhouse_journal::batch::{ChainHash, EventRow};
use meterhouse_journal::chain::chain_hash;
use meterhouse_journal::record::from_row;
use meterhouse_journal::snapshot::{SNAPSHOT_FORMAT, Snapshot};
use meterhouse_store::StoredBatch;

use crate::committer::replica::flat_balances;

/// A link's state with its place in the journal.
pub(crate) struct CheckedState {
    /// Number of the last batch.
    pub(crate) batch: u64,
    /// Chain hash of that batch.
    pub(crate) chain_hash: ChainHash,
    epoch: i64,
    period: i32,
    state: Option<LinkState>,
}

impl CheckedState {
    /// Returns the state before the first batch.
    pub(crate) fn before_opening() -> Self {
        Self {
            batch: 0,
            chain_hash: ChainHash::GENESIS,
            epoch: 0,
            period: i32::MIN,
            state: None,
        }
    }

    /// Returns the state of a snapshot.
    pub(crate) fn of_snapshot(snapshot: Snapshot) -> Self {
        Self {
            batch: snapshot.batch,
            chain_hash: snapshot.chain_hash,
            epoch: snapshot.epoch,
            period: snapshot.period,
            state: Some(snapshot.state),
        }
    }

    /// Applies the events of the next batch, and shows each to `visit`. The batch has to follow, to fit its hash, and to
    /// leave the balances that it declares.
    ///
    /// # Errors
    /// The number of the batch that is wrong, and what is.
    pub(crate) fn apply(
        &mut self,
        stored: &StoredBatch,
        mut visit: impl FnMut(&EventRow, &Recorded),
    ) -> Result<(), (u64, String)> {
        let batch = &stored.batch;
        let wrong = |what: &str| (batch.number, what.to_owned());
        if batch.number != self.batch + 1 {
            return Err((self.batch + 1, "it is missing".to_owned()));
        }
        if chain_hash(self.chain_hash, batch) != stored.chain_hash {
            return Err(wrong(
                "its content or its predecessor differs from its hash",
            ));
        }
        for row in &batch.events {
            let recorded = from_row(row).map_err(|error| wrong(&error.to_string()))?;
            match (&mut self.state, &recorded.event) {
                (None, Event::LinkOpened { terms, moves }) => self.state = opened(terms, moves),
                (Some(state), _) => apply(state, &recorded, batch.at),
                (None, _) => return Err(wrong("the link was not opened first")),
            }
            visit(row, &recorded);
        }
        if self.state.as_ref().map(flat_balances).as_ref() != Some(&batch.after) {
            return Err(wrong("the balances after it differ from its events"));
        }
        self.batch = batch.number;
        self.chain_hash = stored.chain_hash;
        self.epoch = batch.epoch;
        self.period = batch.period;
        Ok(())
    }

    /// Returns the state as a snapshot. Returns nothing before the opening.
    pub(crate) fn snapshot(&self) -> Option<Snapshot> {
        Some(Snapshot {
            format: SNAPSHOT_FORMAT,
            batch: self.batch,
            chain_hash: self.chain_hash,
            epoch: self.epoch,
            period: self.period,
            state: self.state.clone()?,
        })
    }
}
