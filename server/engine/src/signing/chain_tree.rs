//! The tree of a stored chain: its nodes, read where they are stored and made from the leaves where they are not.
//!
//! # Limits
//! A proof reads at most two blocks of leaves, of 256 each.

use std::collections::BTreeMap;

use meterhouse_domain::ids::LinkId;
use meterhouse_journal::batch::ChainHash;
use meterhouse_journal::tree::{NodePlace, Peaks, Span, TreeHash, fold};
use meterhouse_store::{STORED_LEVEL, Store, StoreError};

use super::head_key::KeyFailed;

/// Number of leaves under the smallest stored node.
const BLOCK_LEAVES: u64 = 1 << STORED_LEVEL;

/// A tree that can't be made from what is stored.
#[derive(Debug, thiserror::Error)]
pub(crate) enum TreeError {
    /// The database can't be queried.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A node or a batch is missing.
    #[error("the stored tree lacks its node {position} of level {level}")]
    Missing {
        /// Level of the node.
        level: u8,
        /// Position of the node.
        position: u64,
    },
    /// The key signs nothing now.
    #[error(transparent)]
    Key(#[from] KeyFailed),
    /// The tree differs from its newest signed head.
    #[error("the stored chain up to {batch} differs from the signed head {number}")]
    Differs {
        /// Number of the head.
        number: u64,
        /// Batch, or entry of the house's chain, that the head is about.
        batch: u64,
    },
}

/// Returns the tree over the first leaves of a chain. Its complete nodes have to be stored, as they are up to the newest
/// signed head.
pub(crate) async fn peaks(store: &Store, link: LinkId, size: u64) -> Result<Peaks, TreeError> {
    let places = Span { from: 0, to: size }.nodes();
    let nodes = nodes(store, link, &places).await?;
    Peaks::new(size, nodes).ok_or(TreeError::Missing {
        level: 0,
        position: size,
    })
}

/// Returns the hash over each span.
pub(crate) async fn hashes(
    store: &Store,
    link: LinkId,
    spans: &[Span],
) -> Result<Vec<TreeHash>, TreeError> {
    let places: Vec<Vec<NodePlace>> = spans.iter().map(|span| span.nodes()).collect();
    let mut nodes = nodes(store, link, &places.concat()).await?.into_iter();
    let hash =
        |places: &Vec<NodePlace>| fold(&nodes.by_ref().take(places.len()).collect::<Vec<_>>());
    Ok(places.iter().map(hash).collect())
}

/// Returns the hashes of nodes, in the order of their places.
async fn nodes(
    store: &Store,
    link: LinkId,
    places: &[NodePlace],
) -> Result<Vec<TreeHash>, TreeError> {
    let stored: Vec<NodePlace> = places.iter().copied().filter(is_stored).collect();
    let stored = store.tree_nodes(link, &stored).await?;
    let stored: BTreeMap<NodePlace, TreeHash> = stored.into_iter().collect();
    let mut blocks: BTreeMap<u64, Vec<ChainHash>> = BTreeMap::new();
    let mut hashes = Vec::with_capacity(places.len());
    for place in places {
        let hash = if is_stored(place) {
            stored.get(place).copied()
        } else {
            let block = place.span().from / BLOCK_LEAVES;
            if let std::collections::btree_map::Entry::Vacant(entry) = blocks.entry(block) {
                entry.insert(leaves_of(store, link, block).await?);
            }
            blocks
                .get(&block)
                .and_then(|leaves| of_leaves(leaves, *place))
        };
        let NodePlace { level, position } = *place;
        hashes.push(hash.ok_or(TreeError::Missing { level, position })?);
    }
    Ok(hashes)
}

fn is_stored(place: &NodePlace) -> bool {
    place.level >= STORED_LEVEL
}

/// Returns the leaves of a block, up to the first one that is missing.
async fn leaves_of(store: &Store, link: LinkId, block: u64) -> Result<Vec<ChainHash>, StoreError> {
    let before = block * BLOCK_LEAVES;
    let limit = usize::try_from(BLOCK_LEAVES).unwrap_or(usize::MAX);
    let leaves = store.leaves(link, before, limit).await?;
    let in_order = (before + 1..).zip(leaves);
    let in_order = in_order.take_while(|(expected, (number, _))| expected == number);
    Ok(in_order.map(|(_, (_, hash))| hash).collect())
}

/// Returns the hash of a node over leaves of its block.
fn of_leaves(leaves: &[ChainHash], place: NodePlace) -> Option<TreeHash> {
    let Span { from, to } = place.span();
    let index = |leaf: u64| usize::try_from(leaf % BLOCK_LEAVES).ok();
    let (from, count) = (index(from)?, usize::try_from(to - from).ok()?);
    let mut tree = Peaks::default();
    for leaf in leaves.get(from..from + count)? {
        tree.push(*leaf, |_, _| ());
    }
    Some(tree.root())
}
