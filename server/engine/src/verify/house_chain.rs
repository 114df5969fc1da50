//! Verification of the house chain: its hashes, and the rows of people, tokens and paytables.
//!
//! # Order
//! The chain is read, then the rows, then the entries added meanwhile. Each row has an entry in one of the two parts,
//! and each entry of the first part has a row.

use std::collections::BTreeMap;

use meterhouse_domain::ids::ActorId;
use meterhouse_journal::batch::{ChainHash, HASH_BYTES};
use meterhouse_journal::house::HouseFact;
use meterhouse_store::{HOUSE_PAGE_MAX, Store, StoreError};

use super::link_report::FINDINGS_MAX;

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
    /// The chain's head.
    pub chain_hash: ChainHash,
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
            chain_hash: ChainHash::GENESIS,
            findings: Vec::new(),
            more_findings: 0,
        },
        unmatched: BTreeMap::new(),
    };
    reader.entries(store).await?;
    let before = reader.report.entries;
    let rows = rows(store, &mut reader.report).await?;
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
    Ok(reader.report)
}

/// The part of the chain that was read.
struct ChainReader {
    report: HouseReport,
    /// The number of entries by kind and content that have no row yet.
    unmatched: BTreeMap<(u8, Vec<u8>), u64>,
}

impl ChainReader {
    fn find(&mut self, what: String) {
        if self.report.findings.len() < FINDINGS_MAX {
            self.report.findings.push(what);
        } else {
            self.report.more_findings += 1;
        }
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
                match stored.entry.key_fact() {
                    Ok(None) => {
                        let key = (stored.entry.kind, content(&stored.entry.body).to_vec());
                        self.unmatched.insert(key, number);
                    }
                    // A key has no row of its own.
                    Ok(Some(_)) => {}
                    Err(error) => {
                        self.find(format!(
                            "house_chain: entry {number} can't be read: {error}"
                        ));
                    }
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
            return Ok(rows);
        }
    }
}
