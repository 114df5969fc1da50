//! Verification of the house chain: its hashes, and the rows of people, tokens, paytables, clearances and signed days.
//!
//! # Order
//! The chain is read, then the rows, then the entries added meanwhile. Each row has an entry in one of the two parts,
//! and each entry of the first part has a row.

use std::collections::BTreeMap;

use meterhouse_domain::ids::{ActorId, LinkId};
use meterhouse_journal::batch::{ChainHash, HASH_BYTES};
use meterhouse_journal::house::{HouseFact, SIGNING_KEY, SIGNING_KEY_ENDED};
use meterhouse_journal::position::Position;
use meterhouse_journal::signing_keys::SigningKeys;
use meterhouse_journal::tree_head::HOUSE;
use meterhouse_store::{
    HOUSE_PAGE_MAX, LoginTable, Store, StoreError, StoredHouseEntry, TreeChain,
};

use super::access_rows::{acts, logins};
use super::link_report::FINDINGS_MAX;
use super::signed::{ChainCheck, HeadsReport};
use super::slips::slip_rows;
use crate::view::Day;

/// The result of comparing the house chain with its rows.
#[derive(Clone, Debug)]
pub struct HouseReport {
    /// Entries read.
    pub entries: u64,
    /// People, table controllers and displays compared.
    pub actors: u64,
    /// Tokens compared.
    pub tokens: u64,
    /// Paytables compared.
    pub paytables: u64,
    /// Acts compared.
    pub acts: u64,
    /// Cleared exceptions compared.
    pub clearances: u64,
    /// Signed days compared.
    pub closings: u64,
    /// Slips compared.
    pub slips: u64,
    /// The chain's head.
    pub chain_hash: ChainHash,
    /// The signed heads.
    pub heads: HeadsReport,
    /// The differences, each with its position.
    pub findings: Vec<String>,
    /// Differences beyond those named.
    pub more_findings: u64,
}

/// Verifies the house chain.
///
/// # Errors
/// [`StoreError`] if the database can't be queried. Differences are no error: the report contains them.
pub async fn verify_house(store: &Store) -> Result<HouseReport, StoreError> {
    let mut reader = ChainReader {
        report: HouseReport {
            entries: 0,
            actors: 0,
            tokens: 0,
            paytables: 0,
            acts: 0,
            clearances: 0,
            closings: 0,
            slips: 0,
            chain_hash: ChainHash::GENESIS,
            heads: HeadsReport::default(),
            findings: Vec::new(),
            more_findings: 0,
        },
        unmatched: BTreeMap::new(),
        signed: signed(store).await?,
        keys: SigningKeys::default(),
    };
    reader.entries(store).await?;
    let before = reader.report.entries;
    let mut rows = rows(store, &mut reader.report).await?;
    let slips = slip_rows(store).await?;
    reader.report.slips = slips.slips;
    rows.extend(slips.rows);
    for what in slips.findings {
        reader.find(what);
    }
    reader.entries(store).await?;
    for (place, fact) in rows {
        let key = (fact.kind(), content(&fact.body(false)).to_vec());
        if reader.unmatched.remove(&key).is_none() {
            reader.find(format!("{place} differs from the house's chain"));
        }
    }
    for number in std::mem::take(&mut reader.unmatched).into_values() {
        if number <= before {
            reader.find(format!("house_chain: entry {number} has no such row"));
        }
    }
    Ok(reader.finish())
}

/// Returns the stored heads of the house's chain.
async fn signed(store: &Store) -> Result<Option<(TreeChain, ChainCheck)>, StoreError> {
    Ok(match store.tree_chain(HOUSE).await? {
        Some(chain) => {
            let check = ChainCheck::read(store, &chain).await?;
            Some((chain, check))
        }
        None => None,
    })
}

/// The part of the chain that was read.
struct ChainReader {
    report: HouseReport,
    /// The number of entries by kind and content that have no row yet.
    unmatched: BTreeMap<(u8, Vec<u8>), u64>,
    /// The chain's tree with the stored heads.
    signed: Option<(TreeChain, ChainCheck)>,
    keys: SigningKeys,
}

impl ChainReader {
    fn find(&mut self, what: String) {
        if self.report.findings.len() < FINDINGS_MAX {
            self.report.findings.push(what);
        } else {
            self.report.more_findings += 1;
        }
    }

    /// Compares the end of the chain with the stored heads, and returns the report.
    fn finish(mut self) -> HouseReport {
        let mut findings = Vec::new();
        if let Some((_, check)) = self.signed.take() {
            check.stored_end(&mut findings);
            check.report(&self.keys, &[], &mut self.report.heads);
            findings.extend(self.report.heads.foreign_keys(&self.keys, &[]));
        }
        for what in findings {
            self.find(what);
        }
        self.report
    }

    /// Compares an entry with the stored heads, and keeps what it says about keys. Returns `true` for an entry about keys,
    /// which has no row.
    fn signed_entry(&mut self, stored: &StoredHouseEntry) -> bool {
        let mut findings = Vec::new();
        let Some((chain, check)) = &mut self.signed else {
            return false;
        };
        check.stored_leaf(&chain.identity, stored.hash, &mut findings);
        let number = stored.entry.number;
        if let Err(error) = self.keys.add(&chain.identity, &stored.entry) {
            findings.push(format!(
                "house_chain: entry {number} can't be read: {error}"
            ));
        }
        for what in findings {
            self.find(what);
        }
        matches!(stored.entry.kind, SIGNING_KEY | SIGNING_KEY_ENDED)
    }

    /// Reads the next entries of the chain.
    async fn entries(&mut self, store: &Store) -> Result<(), StoreError> {
        loop {
            let page = store.house_entries(self.report.entries).await?;
            let is_last = page.len() < HOUSE_PAGE_MAX;
            for stored in page {
                let number = stored.entry.number;
                if number != self.report.entries + 1 {
                    let missing = self.report.entries + 1;
                    self.find(format!("house_chain: entry {missing} is missing"));
                }
                if stored.entry.hash(self.report.chain_hash) != stored.hash {
                    self.find(format!(
                        "house_chain: entry {number} or its predecessor differs from its hash"
                    ));
                }
                // The stored hash is used from here on, so that one changed entry is one finding.
                self.report.chain_hash = stored.hash;
                self.report.entries = number;
                if !self.signed_entry(&stored) {
                    let key = (stored.entry.kind, content(&stored.entry.body).to_vec());
                    self.unmatched.insert(key, number);
                }
            }
            if is_last {
                return Ok(());
            }
        }
    }
}

/// Returns the bytes of a fact, without the mark of rows that are older than the chain.
fn content(body: &[u8]) -> &[u8] {
    body.get(1..).unwrap_or_default()
}

/// Reads the rows, each with the words that name it.
async fn rows(
    store: &Store,
    report: &mut HouseReport,
) -> Result<Vec<(String, HouseFact)>, StoreError> {
    let mut rows = Vec::new();
    let mut after = ActorId(i32::MIN);
    loop {
        let page = store.house_actors(after).await?;
        let is_last = page.len() < HOUSE_PAGE_MAX;
        for fact in page {
            let HouseFact::Actor { actor, name, .. } = &fact else {
                continue;
            };
            after = *actor;
            report.actors += 1;
            rows.push((format!("actor: {name}"), fact));
        }
        if is_last {
            break;
        }
    }
    let mut after = Vec::new();
    loop {
        let page = store.house_tokens(&after).await?;
        let is_last = page.len() < HOUSE_PAGE_MAX;
        for (made, revoked) in page {
            let HouseFact::Token { token, actor, .. } = &made else {
                continue;
            };
            after = token.to_vec();
            report.tokens += 1;
            let place = format!("token: one of actor {actor}");
            rows.extend(revoked.map(|fact| (place.clone(), fact)));
            rows.push((place, made));
        }
        if is_last {
            break;
        }
    }
    paytables(store, report, &mut rows).await?;
    clearances(store, report, &mut rows).await?;
    closings(store, report, &mut rows).await?;
    for table in LoginTable::ALL {
        logins(store, table, &mut rows).await?;
    }
    report.acts = acts(store, &mut rows).await?;
    Ok(rows)
}

/// Reads the rows of paytables.
async fn paytables(
    store: &Store,
    report: &mut HouseReport,
    rows: &mut Vec<(String, HouseFact)>,
) -> Result<(), StoreError> {
    let mut after: Vec<u8> = Vec::with_capacity(HASH_BYTES);
    loop {
        let page = store.house_paytables(&after).await?;
        let is_last = page.len() < HOUSE_PAGE_MAX;
        for fact in page {
            let HouseFact::Paytable { content, id, .. } = &fact else {
                continue;
            };
            after = content.to_vec();
            report.paytables += 1;
            rows.push((format!("paytable: {id}"), fact));
        }
        if is_last {
            return Ok(());
        }
    }
}

/// Reads the rows of cleared exceptions.
async fn clearances(
    store: &Store,
    report: &mut HouseReport,
    rows: &mut Vec<(String, HouseFact)>,
) -> Result<(), StoreError> {
    let mut after = (LinkId(i32::MIN), Position::default());
    loop {
        let page = store.house_clearances(after).await?;
        let is_last = page.len() < HOUSE_PAGE_MAX;
        for fact in page {
            let HouseFact::ExceptionCleared { link, position, .. } = &fact else {
                continue;
            };
            after = (*link, *position);
            report.clearances += 1;
            let place = format!("exception_clearance: {position} of link {}", link.0);
            rows.push((place, fact));
        }
        if is_last {
            return Ok(());
        }
    }
}

/// Reads the rows of signed days.
async fn closings(
    store: &Store,
    report: &mut HouseReport,
    rows: &mut Vec<(String, HouseFact)>,
) -> Result<(), StoreError> {
    let mut after = (LinkId(i32::MIN), i32::MIN);
    loop {
        let page = store.house_closings(after).await?;
        let is_last = page.len() < HOUSE_PAGE_MAX;
        for fact in page {
            let HouseFact::DaySigned { link, day, .. } = &fact else {
                continue;
            };
            after = (*link, *day);
            report.closings += 1;
            rows.push((
                format!("closing: day {} of link {}", Day(*day), link.0),
                fact,
            ));
        }
        if is_last {
            return Ok(());
        }
    }
}
