//! The proof of a link or of the house's chain: its newest signed head, and the paths from a batch and from an older head to it.

use meterhouse_domain::ids::{LinkName, Timestamp};
use meterhouse_journal::batch::ChainHash;
use meterhouse_journal::tree::{TreeHash, consistency_spans, inclusion_spans};
use meterhouse_journal::tree_head::{HOUSE, SignedHead};
use meterhouse_store::{Store, TreeChain};

use super::chain_tree::{TreeError, hashes};
use crate::answer::{NotExecuted, damaged, unavailable};
use crate::context::Engine;

/// What is asked of a proof.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct ProofQuery {
    /// Batch, or entry of the house's chain, whose inclusion is proven.
    pub batch: Option<u64>,
    /// Number of an older head that the newest one continues.
    pub since: Option<u64>,
}

/// The proof of a chain.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProofView {
    /// Newest batch, signed or not.
    pub batch: u64,
    /// Newest signed head; `None` if nobody signs here or nothing was signed yet.
    pub head: Option<SignedHead>,
    /// The batch that was asked for.
    pub inclusion: Option<InclusionView>,
    /// The older head that was asked for.
    pub consistency: Option<ConsistencyView>,
}

/// The path from a batch to the root of the newest head.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InclusionView {
    /// Number of the batch.
    pub batch: u64,
    /// Chain hash of the batch.
    pub chain_hash: ChainHash,
    /// Hashes beside the way from the leaf to the root.
    pub path: Vec<TreeHash>,
}

/// The path from an older head to the newest one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConsistencyView {
    /// Older head.
    pub since: SignedHead,
    /// Hashes from which both roots are made.
    pub path: Vec<TreeHash>,
}

impl Engine {
    /// Returns the newest signed head of a link, with the paths that were asked for.
    ///
    /// # Errors
    /// [`NotExecuted`] if there is no such link, the newest head does not cover what was asked for, or the database can't
    /// be queried.
    pub async fn proof(
        &self,
        link: &LinkName,
        asked: ProofQuery,
    ) -> Result<ProofView, NotExecuted> {
        let id = self.context.registry.find_link(link).await?;
        let store = &self.context.store;
        let chain = store.tree_chain(id).await.map_err(unavailable)?;
        let chain = chain.ok_or_else(|| NotExecuted::UnknownLink(link.to_string()))?;
        let newest = store.newest_signed_head(&chain).await;
        let newest = newest.map_err(unavailable)?;
        // Read behind the head, so that it is not older.
        let batch = self.context.registry.confirmed_state(id).await?.batch;
        self.proof_of(&chain, newest, batch, asked).await
    }

    /// Returns the newest signed head of the house's chain, with the paths that were asked for.
    ///
    /// # Errors
    /// [`NotExecuted`] if the newest head does not cover what was asked for, or the database can't be queried.
    pub async fn house_proof(&self, asked: ProofQuery) -> Result<ProofView, NotExecuted> {
        let store = &self.context.store;
        let chain = store.tree_chain(HOUSE).await.map_err(unavailable)?;
        let chain = chain.ok_or_else(|| damaged("the house has no chain"))?;
        let newest = store.newest_signed_head(&chain).await;
        let newest = newest.map_err(unavailable)?;
        // Read behind the head, so that it is not older.
        let entry = store.batch_before(HOUSE, Timestamp(i64::MAX)).await;
        let entry = entry.map_err(unavailable)?;
        self.proof_of(&chain, newest, entry, asked).await
    }

    async fn proof_of(
        &self,
        chain: &TreeChain,
        newest: Option<SignedHead>,
        batch: u64,
        asked: ProofQuery,
    ) -> Result<ProofView, NotExecuted> {
        let store = &self.context.store;
        let Some(newest) = newest else {
            if asked != ProofQuery::default() {
                return Err(NotExecuted::NotSigned {
                    head: 0,
                    through: 0,
                });
            }
            return Ok(ProofView {
                batch,
                head: None,
                inclusion: None,
                consistency: None,
            });
        };
        let inclusion = match asked.batch {
            Some(batch) => Some(inclusion(store, &newest, batch).await?),
            None => None,
        };
        let consistency = match asked.since {
            Some(number) => Some(consistency(store, chain, &newest, number).await?),
            None => None,
        };
        Ok(ProofView {
            batch,
            head: Some(newest),
            inclusion,
            consistency,
        })
    }
}

async fn inclusion(
    store: &Store,
    newest: &SignedHead,
    batch: u64,
) -> Result<InclusionView, NotExecuted> {
    let head = &newest.head;
    let index = batch.checked_sub(1);
    let spans = index.and_then(|index| inclusion_spans(index, head.batch));
    let spans = spans.ok_or_else(|| not_signed(newest))?;
    let path = hashes(store, head.link, &spans).await.map_err(unproven)?;
    let leaf = store.leaves(head.link, batch - 1, 1).await;
    let leaf = leaf.map_err(unavailable)?.into_iter().next();
    let leaf = leaf.filter(|(number, _)| *number == batch);
    let (_, chain_hash) = leaf.ok_or_else(|| damaged(&format!("batch {batch} is missing")))?;
    Ok(InclusionView {
        batch,
        chain_hash,
        path,
    })
}

async fn consistency(
    store: &Store,
    chain: &TreeChain,
    newest: &SignedHead,
    number: u64,
) -> Result<ConsistencyView, NotExecuted> {
    let since = store
        .signed_head(chain, number)
        .await
        .map_err(unavailable)?;
    let since = since.ok_or_else(|| not_signed(newest))?;
    let spans = consistency_spans(since.head.batch, newest.head.batch);
    let spans =
        spans.ok_or_else(|| damaged(&format!("head {number} is larger than a later one")))?;
    let path = hashes(store, chain.link, &spans).await.map_err(unproven)?;
    Ok(ConsistencyView { since, path })
}

pub(crate) fn not_signed(newest: &SignedHead) -> NotExecuted {
    NotExecuted::NotSigned {
        head: newest.head.number,
        through: newest.head.batch,
    }
}

pub(crate) fn unproven(error: TreeError) -> NotExecuted {
    match error {
        TreeError::Store(error) => unavailable(error),
        error => damaged(&error.to_string()),
    }
}
