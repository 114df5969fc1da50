//! The lines of a witness's file: section 12 of JOURNAL.

use meterhouse_journal::tree_head::{SIGNATURE_BYTES, SignedHead, TreeHead};
use serde::Deserialize;

/// A line of a witness's file. Hexadecimal digits.
#[derive(Deserialize)]
struct WitnessLine {
    /// Signed bytes.
    bytes: String,
    /// Ed25519 public key.
    public_key: String,
    /// Ed25519 signature over the bytes.
    signature: String,
}

/// What a witness's file has on a line.
#[derive(Deserialize)]
#[serde(untagged)]
enum WitnessValue {
    /// Page of `GET /v1/witness/heads`.
    Page {
        /// Heads of the page.
        heads: Vec<WitnessLine>,
    },
    /// One head.
    Line(WitnessLine),
}

/// Returns the heads of a line: one, or those of the pages that another Meterhouse answered.
pub(crate) fn witnessed_heads(line: &str) -> Option<Vec<SignedHead>> {
    let values = serde_json::Deserializer::from_str(line).into_iter::<WitnessValue>();
    let mut heads = Vec::new();
    for value in values {
        match value.ok()? {
            WitnessValue::Line(line) => heads.push(witnessed_head(line)?),
            WitnessValue::Page { heads: lines } => {
                let page: Option<Vec<_>> = lines.into_iter().map(witnessed_head).collect();
                heads.extend(page?);
            }
        }
    }
    Some(heads)
}

fn witnessed_head(line: WitnessLine) -> Option<SignedHead> {
    let bytes = hex::decode(line.bytes).ok()?;
    let signature: [u8; SIGNATURE_BYTES] = hex::decode(line.signature).ok()?.try_into().ok()?;
    Some(SignedHead {
        head: TreeHead::from_bytes(&bytes).ok()?,
        key: line.public_key.parse().ok()?,
        signature,
    })
}
