//! The task that signs the heads of all chains.
//!
//! # Limits
//! A head is made over at most [`PAGES_MAX`] pages of new leaves; a longer chain gets several.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use meterhouse_domain::ids::{LinkId, Timestamp};
use meterhouse_journal::batch::ChainHash;
use meterhouse_journal::house::HouseFact;
use meterhouse_journal::signing_keys::SigningKeys;
use meterhouse_journal::tree::Peaks;
use meterhouse_journal::tree_head::{HOUSE, PublicKey, SignedHead, TreeHead};
use meterhouse_store::{
    LEAVES_MAX, LIST_MAX, STORED_LEVEL, Store, StoreError, TreeChain, TreeNodes,
};
use tokio::task::spawn_blocking;
use tokio::time::{MissedTickBehavior, interval};

use super::chain_tree::{TreeError, peaks};
use super::head_key::{HeadKey, KeyFailed};
use super::status::SigningStatus;
use crate::clock::now;
use crate::error_chain::ErrorChain;
use crate::metrics::instruments;

/// Maximum number of pages of leaves under one head that are new: a million leaves.
const PAGES_MAX: usize = 100;
/// Maximum time of the signature of a head.
pub const SIGN_WAIT: Duration = Duration::from_secs(10);
/// Length of a day in microseconds.
const DAY_MICROS: i64 = 86_400_000_000;

/// Default interval between two heads of a chain that grows.
pub const SIGN_EVERY: Duration = Duration::from_mins(1);

/// The key of a node, and how often it signs.
#[derive(Clone)]
pub struct Signing {
    /// Secret key.
    pub key: Arc<dyn HeadKey>,
    /// Interval between two heads of a chain that grows.
    pub every: Duration,
}

impl std::fmt::Debug for Signing {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.debug_struct("Signing")
            .field("key", &self.key.public())
            .field("every", &self.every)
            .finish()
    }
}

/// Introduces a key as the first one of a database that has none. Returns `false` if it has one.
///
/// # Errors
/// [`StoreError`] if the database refuses.
pub async fn introduce_first(store: &Store, key: PublicKey) -> Result<bool, StoreError> {
    if !store.key_entries().await?.is_empty() {
        return Ok(false);
    }
    let introduced_at = now();
    let first = HouseFact::SigningKey {
        key,
        introduced_at,
        vouched: None,
    };
    let is_first = store.add_key_fact(introduced_at, 0, &first).await?;
    if is_first {
        tracing::info!(%key, "the signing key is introduced as the first one of this database");
    }
    Ok(is_first)
}

/// Signs at the interval. Never returns.
pub(crate) async fn run(store: Store, signing: Signing, status: Arc<SigningStatus>) {
    status.begin(signing.every);
    let mut ticks = interval(signing.every);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let mut signer = Signer {
        store,
        signing,
        status,
        failing: BTreeSet::new(),
        is_refused: false,
    };
    loop {
        ticks.tick().await;
        match signer.sign_all().await {
            Ok(true) => signer.status.all_signed(),
            Ok(false) => instruments().record_unsigned(),
            Err(error) => {
                instruments().record_unsigned();
                tracing::debug!(error = %ErrorChain(&error), "no head can be signed now");
            }
        }
    }
}

/// The result of extending a chain's signed part.
enum Step {
    /// A head was signed.
    Signed(Box<SignedHead>),
    /// The chain has not grown.
    Nothing,
    /// Another node signed meanwhile. Its head is continued at the next interval.
    AnotherNode,
}

/// A node that signs.
struct Signer {
    store: Store,
    signing: Signing,
    status: Arc<SigningStatus>,
    /// Chains that could not be signed the last time, so that each is reported once.
    failing: BTreeSet<LinkId>,
    /// `true` if it was reported that the house does not know the key.
    is_refused: bool,
}

impl Signer {
    /// Signs all chains that have grown. Returns `true` if none of them is left unsigned.
    async fn sign_all(&mut self) -> Result<bool, StoreError> {
        if !self.is_introduced().await? {
            return Ok(false);
        }
        self.sign(HOUSE).await;
        let mut after = LinkId(0);
        loop {
            let page = self.store.list_links(after, LIST_MAX).await?;
            let Some(last) = page.last() else {
                return Ok(self.failing.is_empty());
            };
            after = last.link;
            for row in page {
                self.sign(row.link).await;
            }
        }
    }

    /// Returns `true` if the house's chain has introduced the key and not ended it.
    async fn is_introduced(&mut self) -> Result<bool, StoreError> {
        let key = self.signing.key.public();
        let identity = self.store.identity_bytes().await?;
        let entries = self.store.key_entries().await?;
        let mut keys = SigningKeys::default();
        let read = entries
            .iter()
            .try_for_each(|entry| keys.add(&identity, entry));
        let is_current = keys.find(key).is_some_and(|known| known.ended_at.is_none());
        let signs = read.is_ok() && is_current;
        if !signs && !self.is_refused {
            tracing::error!(%key, "no head is signed: the database knows no such signing key, or it was ended; see `meterhouse key list`");
        }
        self.is_refused = !signs;
        Ok(signs)
    }

    /// Signs the new heads of a chain, and reports a failure once.
    async fn sign(&mut self, link: LinkId) {
        match self.try_sign(link).await {
            Ok(()) => {
                self.failing.remove(&link);
            }
            Err(error) if self.failing.insert(link) => {
                tracing::error!(link.id = %link, error = %ErrorChain(&error), "the chain can't be signed");
            }
            Err(_) => {}
        }
    }

    async fn try_sign(&self, link: LinkId) -> Result<(), TreeError> {
        let Some(chain) = self.store.tree_chain(link).await? else {
            return Ok(());
        };
        let at = now();
        let mut newest = self.store.newest_signed_head(&chain).await?;
        if let Some(newest) = &newest {
            self.status.head_seen(newest.head.at);
        }
        if let Some(newest) = &newest
            && (self.is_recent(newest, at) || !self.has_grown(newest).await?)
        {
            return Ok(());
        }
        let mut tree = continued(&self.store, link, newest.as_ref()).await?;
        let midnight = Timestamp(at.0 - at.0.rem_euclid(DAY_MICROS));
        if newest
            .as_ref()
            .is_none_or(|newest| newest.head.at < midnight)
        {
            let last = self.store.batch_before(link, midnight).await?;
            while tree.size() < last {
                match self
                    .extend(&chain, &mut tree, newest.as_ref(), last)
                    .await?
                {
                    Step::Signed(head) => newest = Some(*head),
                    Step::Nothing => break,
                    Step::AnotherNode => return Ok(()),
                }
            }
        }
        while let Step::Signed(head) = self
            .extend(&chain, &mut tree, newest.as_ref(), u64::MAX)
            .await?
        {
            newest = Some(*head);
        }
        Ok(())
    }

    /// Returns `true` if another node has signed within the interval.
    fn is_recent(&self, newest: &SignedHead, at: Timestamp) -> bool {
        // A head from the future is one of a clock that was set back.
        let age = u64::try_from(at.0 - newest.head.at.0);
        age.is_ok_and(|age| Duration::from_micros(age) < self.signing.every / 2)
    }

    /// Returns `true` if the chain has leaves behind a head. A house has many idle links.
    async fn has_grown(&self, newest: &SignedHead) -> Result<bool, StoreError> {
        let TreeHead { link, batch, .. } = newest.head;
        Ok(!self.store.leaves(link, batch, 1).await?.is_empty())
    }

    /// Signs a head. A device may take some time, so it is asked outside the tasks.
    async fn signed(&self, head: TreeHead) -> Result<SignedHead, TreeError> {
        let key = Arc::clone(&self.signing.key);
        let signing = spawn_blocking(move || sign(&*key, head));
        let ended = |error| TreeError::Key(KeyFailed::new(error));
        signing.await.map_err(ended)?
    }

    /// Extends the tree through a batch at most, and signs its head.
    async fn extend(
        &self,
        chain: &TreeChain,
        tree: &mut Peaks,
        before: Option<&SignedHead>,
        through: u64,
    ) -> Result<Step, TreeError> {
        let mut last = None;
        for _ in 0..PAGES_MAX {
            let limit = usize::try_from(through - tree.size()).unwrap_or(usize::MAX);
            let page = self
                .store
                .leaves(chain.link, tree.size(), limit.min(LEAVES_MAX))
                .await?;
            let nodes = added(tree, &page)?;
            let Some((_, hash)) = page.last() else { break };
            last = Some(*hash);
            self.store.add_tree_nodes(chain.link, &nodes).await?;
            if page.len() < LEAVES_MAX || tree.size() == through {
                break;
            }
        }
        let Some(chain_hash) = last else {
            return Ok(Step::Nothing);
        };
        let head = self.signed(TreeHead {
            identity: chain.identity,
            link: chain.link,
            name: chain.name.clone(),
            number: before.map_or(0, |before| before.head.number) + 1,
            previous: before.map_or([0; 32], |before| before.head.hash()),
            batch: tree.size(),
            chain_hash,
            root: tree.root(),
            at: now(),
        });
        let head = head.await?;
        if self.store.add_signed_head(&head).await? {
            self.status.head_seen(head.head.at);
            Ok(Step::Signed(Box::new(head)))
        } else {
            Ok(Step::AnotherNode)
        }
    }
}

/// Returns the signature of a key over a head, checked with the public key.
fn sign(key: &dyn HeadKey, head: TreeHead) -> Result<SignedHead, TreeError> {
    let signature = key.sign(&head.bytes(), SIGN_WAIT)?;
    let signed = SignedHead {
        head,
        key: key.public(),
        signature,
    };
    if signed.is_signed() {
        Ok(signed)
    } else {
        let what = "the signature is not that of its public key";
        Err(TreeError::Key(KeyFailed::new(what)))
    }
}

/// Returns the tree under the newest head.
async fn continued(
    store: &Store,
    link: LinkId,
    newest: Option<&SignedHead>,
) -> Result<Peaks, TreeError> {
    let Some(newest) = newest else {
        return Ok(Peaks::default());
    };
    let tree = peaks(store, link, newest.head.batch).await?;
    if tree.root() == newest.head.root {
        return Ok(tree);
    }
    let TreeHead { number, batch, .. } = newest.head;
    Err(TreeError::Differs { number, batch })
}

/// Adds leaves to a tree and returns the completed nodes that are stored.
fn added(tree: &mut Peaks, page: &[(u64, ChainHash)]) -> Result<TreeNodes, TreeError> {
    let mut nodes = TreeNodes::new();
    for (number, hash) in page {
        if *number != tree.size() + 1 {
            return Err(TreeError::Missing {
                level: 0,
                position: tree.size(),
            });
        }
        tree.push(*hash, |place, hash| {
            if place.level >= STORED_LEVEL {
                nodes.push((place, hash));
            }
        });
    }
    Ok(nodes)
}
