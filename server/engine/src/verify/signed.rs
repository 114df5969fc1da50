//! The comparison of a chain with its signed heads, and with those that a witness kept.

use std::collections::{BTreeMap, VecDeque};

use meterhouse_domain::ids::{LinkId, Timestamp};
use meterhouse_journal::batch::{ChainHash, HASH_BYTES};
use meterhouse_journal::month::IDENTITY_BYTES;
use meterhouse_journal::signing_keys::SigningKeys;
use meterhouse_journal::tree::{NodePlace, Peaks, TreeHash};
use meterhouse_journal::tree_head::{HOUSE, PublicKey, SignedHead};
use meterhouse_store::{HEADS_MAX, LEAVES_MAX, Store, StoreError, TreeChain};

/// The signed heads of one chain, or of both chains of a file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct HeadsReport {
    /// Number of heads.
    pub heads: u64,
    /// Number of heads by key.
    pub by_key: BTreeMap<PublicKey, u64>,
    /// Last batch of the link under a head that proves something, with the time of the head.
    pub signed_through: Option<(u64, Timestamp)>,
    /// Heads that prove nothing, and why.
    pub unproven: Vec<String>,
}

impl HeadsReport {
    /// Returns `true` if a head proves something of the link, or would if its key were good.
    pub(super) const fn says_something(&self) -> bool {
        self.signed_through.is_some() || !self.unproven.is_empty()
    }

    /// Returns a difference for each key that the house's chain does not know, or that no given key vouches for.
    pub(super) fn foreign_keys(&self, keys: &SigningKeys, given: &[PublicKey]) -> Vec<String> {
        let trusted = keys.trusted(given);
        let foreign = |(key, heads): (&PublicKey, &u64)| {
            let why = if keys.find(*key).is_none() {
                "which the house's chain does not introduce"
            } else if !given.is_empty() && !trusted.contains(key) {
                "which is not given and for which no given key vouches"
            } else {
                return None;
            };
            Some(format!("heads: {heads} are signed by {key}, {why}"))
        };
        self.by_key.iter().filter_map(foreign).collect()
    }
}

/// What the heads that a witness kept say of a file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WitnessReport {
    /// Number of the witness's heads over entries and batches of the file.
    pub compared: u64,
    /// Number of those that agree with it.
    pub confirming: u64,
    /// Last entry of the house's chain that it confirms.
    pub entry: Option<u64>,
    /// Last batch of the link that it confirms.
    pub batch: Option<u64>,
    /// Last batch under its heads, if the file ends before.
    pub beyond: Option<u64>,
}

impl WitnessReport {
    /// Returns `true` if no head of the witness is about the file.
    pub(super) const fn is_silent(&self) -> bool {
        self.compared == 0
    }
}

/// A chain under comparison.
pub(super) struct ChainCheck {
    pub(super) link: LinkId,
    name: String,
    tree: Peaks,
    last: ChainHash,
    /// Number and hash of the newest head: 0 and zeros before the first. `None` where earlier heads are left out.
    head: Option<(u64, [u8; HASH_BYTES])>,
    seen: Vec<SeenHead>,
    /// Stored heads that are still to come, in their order.
    heads: VecDeque<SignedHead>,
    /// Stored nodes that are still to come.
    stored: BTreeMap<NodePlace, TreeHash>,
    /// Heads of the witness that are still to come, by their batches.
    witnessed: Vec<SignedHead>,
    /// Number of the witness's heads that were compared, and of those that agree.
    compared: u64,
    confirming: u64,
    /// Last leaf under them.
    confirmed: Option<u64>,
}

/// A head that was compared with the chain.
struct SeenHead {
    number: u64,
    batch: u64,
    at: Timestamp,
    key: PublicKey,
}

impl ChainCheck {
    /// Begins a chain with the heads that a witness kept of it.
    pub(super) fn new(link: LinkId, name: String, mut witnessed: Vec<SignedHead>) -> Self {
        // The next one is last.
        witnessed.sort_by_key(|signed| std::cmp::Reverse(signed.head.batch));
        witnessed.dedup();
        Self {
            link,
            name,
            tree: Peaks::default(),
            last: ChainHash::GENESIS,
            head: Some((0, [0; HASH_BYTES])),
            seen: Vec::new(),
            heads: VecDeque::new(),
            stored: BTreeMap::new(),
            witnessed,
            compared: 0,
            confirming: 0,
            confirmed: None,
        }
    }

    /// Reads the stored heads and nodes of a chain.
    pub(super) async fn read(store: &Store, chain: &TreeChain) -> Result<Self, StoreError> {
        let mut check = Self::new(chain.link, chain.name.clone(), Vec::new());
        loop {
            let after = check.heads.back().map_or(0, |last| last.head.number);
            let page = store.signed_heads(chain, after).await?;
            let is_last = page.len() < HEADS_MAX;
            check.heads.extend(page);
            if is_last {
                break;
            }
        }
        loop {
            let after = check.stored.last_key_value().map(|(place, _)| *place);
            let page = store.all_tree_nodes(chain.link, after).await?;
            let is_last = page.len() < LEAVES_MAX;
            check.stored.extend(page);
            if is_last {
                return Ok(check);
            }
        }
    }

    /// Adds the next leaf of a stored chain, and compares its stored heads.
    pub(super) fn stored_leaf(
        &mut self,
        identity: &[u8; IDENTITY_BYTES],
        hash: ChainHash,
        findings: &mut Vec<String>,
    ) {
        self.leaf(hash, findings);
        let size = self.tree.size();
        let is_due = |signed: &mut SignedHead| signed.head.batch <= size;
        while let Some(signed) = self.heads.pop_front_if(is_due) {
            self.head(identity, &signed, findings);
        }
    }

    /// Finds stored heads and nodes beyond the chain's end.
    pub(super) fn stored_end(&self, findings: &mut Vec<String>) {
        if let Some(signed) = self.heads.front() {
            findings.push(format!(
                "{}: head {} is over {} {}, and the chain ends with {}",
                self.name(),
                signed.head.number,
                self.part(),
                signed.head.batch,
                self.tree.size()
            ));
        }
        if !self.stored.is_empty() {
            findings.push(format!(
                "{}: {} nodes of the stored tree are beyond the chain's end",
                self.name(),
                self.stored.len()
            ));
        }
    }

    /// Begins behind earlier leaves, whose nodes the file has.
    pub(super) fn begin(
        &mut self,
        before: u64,
        last: ChainHash,
        nodes: &[TreeHash],
        findings: &mut Vec<String>,
    ) {
        let Some(tree) = Peaks::new(before, nodes.to_vec()) else {
            findings.push(format!(
                "{}: the tree before has another number of nodes",
                self.name()
            ));
            return;
        };
        self.tree = tree;
        self.last = last;
        self.head = None;
        // Nothing here says anything of earlier batches.
        self.witnessed.retain(|signed| signed.head.batch >= before);
        self.compare_witnessed(findings);
    }

    /// Adds the next leaf, and compares the heads of the witness about it.
    pub(super) fn leaf(&mut self, hash: ChainHash, findings: &mut Vec<String>) {
        let Self { tree, stored, .. } = self;
        let mut differs = Vec::new();
        tree.push(hash, |place, node| {
            let Some(found) = stored.remove(&place) else {
                return;
            };
            if found != node {
                differs.push(place);
            }
        });
        self.last = hash;
        for NodePlace { level, position } in differs {
            findings.push(format!(
                "{}: node {position} of level {level} of the stored tree differs from the hashes under it",
                self.name()
            ));
        }
        self.compare_witnessed(findings);
    }

    /// Compares the heads of the witness over the chain so far.
    fn compare_witnessed(&mut self, findings: &mut Vec<String>) {
        let size = self.tree.size();
        while let Some(signed) = self.witnessed.pop_if(|signed| signed.head.batch <= size) {
            self.compared += 1;
            let number = signed.head.number;
            if !signed.is_signed() {
                findings.push(format!(
                    "{}: the witness's head {number} has no valid signature",
                    self.name()
                ));
            } else if !self.is_about_here(&signed) {
                findings.push(format!(
                    "{}: a {} up to {size} was changed since the witness's head {number}",
                    self.name(),
                    self.part()
                ));
            } else {
                self.confirming += 1;
                self.confirmed = Some(size);
            }
        }
    }

    /// Adds what the witness's heads say of this chain, at its end.
    pub(super) fn witness(&self, report: &mut WitnessReport) {
        report.compared += self.compared;
        report.confirming += self.confirming;
        if self.link == HOUSE {
            report.entry = self.confirmed;
        } else {
            report.batch = self.confirmed;
            let beyond = self.witnessed.iter().map(|signed| signed.head.batch);
            report.beyond = beyond.max();
        }
    }

    /// Compares a head with the chain so far.
    pub(super) fn head(
        &mut self,
        identity: &[u8; IDENTITY_BYTES],
        signed: &SignedHead,
        findings: &mut Vec<String>,
    ) {
        let head = &signed.head;
        let mut wrong = |what: &str| {
            findings.push(format!("{}: head {} {what}", self.name(), head.number));
        };
        if !signed.is_signed() {
            wrong("has no valid signature");
        }
        if head.identity != *identity || head.link != self.link || head.name != self.name {
            wrong("is of another database or link");
        } else if !self.is_about_here(signed) {
            let (part, batch) = (self.part(), head.batch);
            wrong(&format!(
                "signs other hashes than there are up to {part} {batch}"
            ));
        }
        if let Some((number, hash)) = self.head
            && (head.number, head.previous) != (number + 1, hash)
        {
            wrong("does not follow the head before");
        }
        self.head = Some((head.number, head.hash()));
        self.seen.push(SeenHead {
            number: head.number,
            batch: head.batch,
            at: head.at,
            key: signed.key,
        });
    }

    fn is_about_here(&self, signed: &SignedHead) -> bool {
        let head = &signed.head;
        head.batch == self.tree.size()
            && head.chain_hash == self.last
            && head.root == self.tree.root()
    }

    /// Compares the end with the heads of the witness that are left. The link has its batches before `until`, the house
    /// its entries before the file was `written`.
    pub(super) fn end(&self, until: Timestamp, written: Timestamp, findings: &mut Vec<String>) {
        let size = self.tree.size();
        let end = if self.link == HOUSE { written } else { until };
        let is_later = |at: Timestamp| at >= end;
        let mut missing = self.witnessed.iter();
        if let Some(signed) = missing.find(|signed| !is_later(signed.head.at)) {
            let (part, head) = (self.part(), &signed.head);
            findings.push(format!(
                "{}: the file ends with {part} {size}, and the witness has head {} over {part} {}: the end is missing",
                self.name(),
                head.number,
                head.batch
            ));
        }
    }

    /// Adds the heads to a report. A head proves something if its key is known, is trusted, and was good at that time.
    pub(super) fn report(&self, keys: &SigningKeys, given: &[PublicKey], report: &mut HeadsReport) {
        let trusted = keys.trusted(given);
        for seen in &self.seen {
            report.heads += 1;
            *report.by_key.entry(seen.key).or_default() += 1;
            let known = keys.find(seen.key);
            let known = known.filter(|known| given.is_empty() || trusted.contains(&known.key));
            let Some(known) = known else { continue };
            if let Some(why) = known.why_not_at(seen.at) {
                let (name, number) = (self.name(), seen.number);
                report
                    .unproven
                    .push(format!("{name}: head {number}: its key {why}"));
                continue;
            }
            let through = report.signed_through.map_or(0, |(batch, _)| batch);
            if self.link != HOUSE && seen.batch >= through {
                report.signed_through = Some((seen.batch, seen.at));
            }
        }
    }

    fn name(&self) -> String {
        if self.link == HOUSE {
            "house".to_owned()
        } else {
            format!("link {}", self.name)
        }
    }

    fn part(&self) -> &'static str {
        if self.link == HOUSE { "entry" } else { "batch" }
    }
}
