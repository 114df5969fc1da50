//! The proof of a bundle, written as texts and read from them.

use meterhouse_api::evidence::{EvidenceBatch, EvidenceEntry, EvidenceProof};
use meterhouse_api::proof::ProofHead;
use meterhouse_api::text::Text;
use meterhouse_domain::hit_name::HitName;
use meterhouse_engine::evidence::{self, ProvenBatch, ProvenEntry};
use meterhouse_journal::batch::ChainHash;
use meterhouse_journal::chain::{canonical_bytes, read_batch};
use meterhouse_journal::house::HouseEntry;
use meterhouse_journal::tree::{PATH_MAX, TreeHash};
use meterhouse_journal::tree_head::{SignedHead, TreeHead};

use super::proof::{head, path};

/// Returns a proof as texts.
pub(crate) fn evidence_proof(proof: &evidence::EvidenceProof) -> EvidenceProof {
    EvidenceProof {
        link_head: head(&proof.head),
        batches: proof.batches.iter().map(batch).collect(),
        house_head: head(&proof.house_head),
        entries: proof.entries.iter().map(entry).collect(),
    }
}

fn batch(proven: &ProvenBatch) -> EvidenceBatch {
    let mut bytes = Vec::new();
    canonical_bytes(&proven.batch, &mut bytes);
    EvidenceBatch {
        batch: proven.batch.number,
        bytes: hex::encode(bytes),
        hash_before: proven.hash_before.to_string(),
        chain_hash: proven.chain_hash.to_string(),
        path: path(&proven.path),
    }
}

fn entry(proven: &ProvenEntry) -> EvidenceEntry {
    EvidenceEntry {
        entry: proven.entry.number,
        at: Text(proven.entry.at),
        kind: proven.entry.kind,
        body: hex::encode(&proven.entry.body),
        hash_before: proven.hash_before.to_string(),
        hash: proven.hash.to_string(),
        path: path(&proven.path),
    }
}

/// Reads a proof.
///
/// # Errors
/// The place of the first text that can't be read.
pub(crate) fn read_proof(
    hit: HitName,
    proof: &EvidenceProof,
) -> Result<evidence::EvidenceProof, String> {
    let batches = proof.batches.iter().enumerate();
    let batches = batches.map(|(index, batch)| {
        read_one_batch(batch).map_err(|what| format!("proof.batches[{index}].{what}"))
    });
    let entries = proof.entries.iter().enumerate();
    let entries = entries.map(|(index, entry)| {
        read_entry(entry).map_err(|what| format!("proof.entries[{index}].{what}"))
    });
    let head = |member: &str, head: &ProofHead| {
        read_head(head).map_err(|what| format!("proof.{member}.{what}"))
    };
    Ok(evidence::EvidenceProof {
        hit,
        head: head("link_head", &proof.link_head)?,
        batches: batches.collect::<Result<_, _>>()?,
        house_head: head("house_head", &proof.house_head)?,
        entries: entries.collect::<Result<_, _>>()?,
    })
}

fn read_one_batch(batch: &EvidenceBatch) -> Result<ProvenBatch, String> {
    let bytes = digits("bytes", &batch.bytes)?;
    Ok(ProvenBatch {
        batch: read_batch(&bytes).map_err(|error| format!("bytes: {error}"))?,
        hash_before: ChainHash(array("hash_before", &batch.hash_before)?),
        chain_hash: ChainHash(array("chain_hash", &batch.chain_hash)?),
        path: read_path(&batch.path)?,
    })
}

fn read_entry(entry: &EvidenceEntry) -> Result<ProvenEntry, String> {
    Ok(ProvenEntry {
        entry: HouseEntry {
            number: entry.entry,
            at: entry.at.0,
            kind: entry.kind,
            body: digits("body", &entry.body)?,
        },
        hash_before: ChainHash(array("hash_before", &entry.hash_before)?),
        hash: ChainHash(array("hash", &entry.hash)?),
        path: read_path(&entry.path)?,
    })
}

fn read_head(head: &ProofHead) -> Result<SignedHead, String> {
    let bytes = digits("bytes", &head.bytes)?;
    let key = head.public_key.parse();
    Ok(SignedHead {
        head: TreeHead::from_bytes(&bytes).map_err(|error| format!("bytes: {error}"))?,
        key: key.map_err(|error| format!("public_key: {error}"))?,
        signature: array("signature", &head.signature)?,
    })
}

fn read_path(hashes: &[String]) -> Result<Vec<TreeHash>, String> {
    if hashes.len() > PATH_MAX {
        return Err(format!("path: more than {PATH_MAX} hashes"));
    }
    let hashes = hashes.iter();
    hashes
        .map(|hash| array("path", hash).map(TreeHash))
        .collect()
}

fn digits(member: &str, text: &str) -> Result<Vec<u8>, String> {
    hex::decode(text).map_err(|error| format!("{member}: {error}"))
}

fn array<const N: usize>(member: &str, text: &str) -> Result<[u8; N], String> {
    let bytes = digits(member, text)?;
    bytes
        .try_into()
        .map_err(|_| format!("{member}: not {N} bytes"))
}
