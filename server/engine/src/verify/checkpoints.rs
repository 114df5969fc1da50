//! The comparison of checkpoints with the replayed sums.

use std::collections::VecDeque;

use meterhouse_domain::ids::LinkId;
use meterhouse_journal::checkpoint::Checkpoint;
use meterhouse_store::{CHECKPOINTS_MAX, Store, StoreError, StoredCheckpoint};

use super::replay::Replay;
use crate::committer::replica::flat_balances;

/// Returns the stored checkpoints in their order.
pub(super) async fn read(
    store: &Store,
    link: LinkId,
) -> Result<VecDeque<StoredCheckpoint>, StoreError> {
    let mut checkpoints = VecDeque::new();
    loop {
        let last: Option<&StoredCheckpoint> = checkpoints.back();
        let after = last.map_or(0, |last| last.checkpoint.number);
        let page = store.checkpoints(link, after).await?;
        let is_last = page.len() < CHECKPOINTS_MAX;
        checkpoints.extend(page);
        if is_last {
            return Ok(checkpoints);
        }
    }
}

impl Replay {
    /// Compares the checkpoint of this batch, if there is one, with the replayed sums.
    pub(super) fn checkpoint(&mut self) {
        let batch = self.head.batch;
        let is_of = |stored: &mut StoredCheckpoint| stored.checkpoint.batch <= batch;
        while let Some(stored) = self.checkpoints.pop_front_if(is_of) {
            let (number, previous) = self.checkpoint;
            let expected = Checkpoint {
                link: stored.checkpoint.link,
                number: number + 1,
                batch,
                chain_hash: self.head.chain_hash,
                sums: self.state.as_ref().map(flat_balances).unwrap_or_default(),
            };
            if stored.checkpoint != expected || stored.hash != expected.hash(previous) {
                let number = stored.checkpoint.number;
                self.find(format!("checkpoint: {number} differs from the journal"));
            }
            self.checkpoint = (stored.checkpoint.number, stored.hash);
        }
    }
}
