//! The check of a bundle's batches: hashes, paths to the signed heads, signatures, and the keys behind them.

use meterhouse_domain::ids::Timestamp;
use meterhouse_journal::chain::chain_hash;
use meterhouse_journal::signing_keys::SigningKeys;
use meterhouse_journal::tree::verify_inclusion;
use meterhouse_journal::tree_head::{HOUSE, PublicKey, SignedHead};

use super::bundle::{EvidenceProof, ProvenBatch, ProvenEntry};
use super::payoff::balances_follow;
use crate::verify::file::Known;

/// What the signatures of a bundle say.
#[derive(Clone, Debug)]
pub struct SignedBy {
    /// Key under the link's head.
    pub key: PublicKey,
    /// Number of the head.
    pub head: u64,
    /// Last batch that it covers.
    pub through: u64,
    /// Time of the signature.
    pub at: Timestamp,
    /// Heads of the witness that were compared.
    pub compared: usize,
}

/// Returns what the signatures say, and every difference.
pub fn check(proof: &EvidenceProof, known: &Known) -> (SignedBy, Vec<String>) {
    let mut findings = Vec::new();
    batches(proof, &mut findings);
    entries(proof, &mut findings);
    heads(proof, known, &mut findings);
    let compared = witness(proof, known, &mut findings);
    let head = &proof.head.head;
    let signed = SignedBy {
        key: proof.head.key,
        head: head.number,
        through: head.batch,
        at: head.at,
        compared,
    };
    (signed, findings)
}

fn batches(proof: &EvidenceProof, findings: &mut Vec<String>) {
    let head = &proof.head.head;
    let mut before: Option<&ProvenBatch> = None;
    for proven in &proof.batches {
        let number = proven.batch.number;
        let mut wrong = |what: &str| findings.push(format!("batch {number}: {what}"));
        if proven.batch.link != head.link {
            wrong("it is of another link than the signed head");
        }
        if chain_hash(proven.hash_before, &proven.batch) != proven.chain_hash {
            wrong("its content or its predecessor differs from its hash");
        }
        let index = number.wrapping_sub(1);
        if !verify_inclusion(
            proven.chain_hash,
            index,
            head.batch,
            &proven.path,
            head.root,
        ) {
            wrong("it is not under the signed head");
        }
        match before {
            Some(before) if before.batch.number >= number => wrong("it is not in its order"),
            Some(before) if before.batch.number + 1 == number => {
                if before.chain_hash != proven.hash_before {
                    wrong("its predecessor has another hash");
                }
                if !balances_follow(before, proven) {
                    wrong("its balances don't follow from those before");
                }
            }
            Some(_) | None => {}
        }
        before = Some(proven);
    }
}

fn entries(proof: &EvidenceProof, findings: &mut Vec<String>) {
    let head = &proof.house_head.head;
    let mut last = 0;
    for ProvenEntry {
        entry,
        hash_before,
        hash,
        path,
    } in &proof.entries
    {
        let number = entry.number;
        let mut wrong =
            |what: &str| findings.push(format!("entry {number} of the house's chain: {what}"));
        if entry.hash(*hash_before) != *hash {
            wrong("its content or its predecessor differs from its hash");
        }
        if !verify_inclusion(*hash, number.wrapping_sub(1), head.batch, path, head.root) {
            wrong("it is not under the signed head");
        }
        if number <= last {
            wrong("it is not in its order");
        }
        last = number;
    }
}

fn heads(proof: &EvidenceProof, known: &Known, findings: &mut Vec<String>) {
    let identity = proof.head.head.identity;
    let mut keys = SigningKeys::default();
    for ProvenEntry { entry, .. } in &proof.entries {
        if let Err(error) = keys.add(&identity, entry) {
            findings.push(format!(
                "entry {} of the house's chain: {error}",
                entry.number
            ));
        }
    }
    let trusted = keys.trusted(&known.keys);
    for (name, signed) in named(proof) {
        let mut wrong = |what: &str| findings.push(format!("the head of {name} {what}"));
        if !signed.is_signed() {
            wrong("has no valid signature");
        }
        if signed.head.identity != identity {
            wrong("is of another database");
        }
        let key = signed.key;
        match keys.find(key) {
            None => wrong(&format!(
                "is signed by {key}, which the house's chain does not introduce"
            )),
            Some(_) if !known.keys.is_empty() && !trusted.contains(&key) => wrong(&format!(
                "is signed by {key}, which is not given and for which no given key vouches"
            )),
            Some(key) => {
                if let Some(why) = key.why_not_at(signed.head.at) {
                    wrong(&format!("proves nothing: its key {why}"));
                }
            }
        }
    }
    let (head, house) = (&proof.head.head, &proof.house_head.head);
    if house.link != HOUSE || head.link == HOUSE {
        findings.push("the heads are not those of a link and of the house".to_owned());
    }
}

fn named(proof: &EvidenceProof) -> [(&'static str, &SignedHead); 2] {
    [("the link", &proof.head), ("the house", &proof.house_head)]
}

/// Compares the heads that a witness kept. Returns the number of those that say something about the bundle.
fn witness(proof: &EvidenceProof, known: &Known, findings: &mut Vec<String>) -> usize {
    let mut compared = 0;
    for (name, signed) in named(proof) {
        let here = &signed.head;
        let of_chain = known
            .witnessed
            .iter()
            .flatten()
            .filter(|kept| kept.head.identity == here.identity && kept.head.link == here.link);
        for kept in of_chain {
            let number = kept.head.number;
            if !kept.is_signed() {
                findings.push(format!(
                    "the witness's head {number} has no valid signature"
                ));
                continue;
            }
            let leaf = leaf(proof, name == "the house", kept.head.batch);
            let is_same_tree = kept.head.batch == here.batch;
            let differs = (number == here.number && kept.head != *here)
                || (is_same_tree && kept.head.root != here.root)
                || leaf.is_some_and(|hash| hash != kept.head.chain_hash);
            if differs {
                findings.push(format!(
                    "the witness's head {number} of {name} says something else"
                ));
            }
            compared += usize::from(number == here.number || is_same_tree || leaf.is_some());
        }
    }
    compared
}

/// Returns the hash of a batch, or of an entry of the house's chain.
fn leaf(
    proof: &EvidenceProof,
    is_house: bool,
    number: u64,
) -> Option<meterhouse_journal::batch::ChainHash> {
    if is_house {
        let mut entries = proof.entries.iter();
        return Some(entries.find(|proven| proven.entry.number == number)?.hash);
    }
    let mut batches = proof.batches.iter();
    Some(
        batches
            .find(|proven| proven.batch.number == number)?
            .chain_hash,
    )
}
