//! The words of earlier signing keys for later ones, which a witness needs after a rotation.

use std::collections::HashMap;

use meterhouse_api::text::Text;
use meterhouse_api::witness::KeyVouch;
use meterhouse_domain::ids::Timestamp;
use meterhouse_journal::house::{HouseFact, Vouched};
use meterhouse_journal::tree_head::PublicKey;
use meterhouse_store::{Store, StoreError};

/// Maximum number of vouches that lead to one key: the maximum of a list in a request.
const VOUCHES_MAX: usize = 64;

/// The vouches by key, as far as they were needed.
#[derive(Default)]
pub(super) struct Vouches(HashMap<PublicKey, Vec<KeyVouch>>);

impl Vouches {
    /// Returns the vouches that lead to a key, the earliest first.
    pub(super) async fn of(
        &mut self,
        store: &Store,
        key: PublicKey,
    ) -> Result<Vec<KeyVouch>, StoreError> {
        if let Some(vouches) = self.0.get(&key) {
            return Ok(vouches.clone());
        }
        let mut introduced: HashMap<PublicKey, (Timestamp, Vouched)> = HashMap::new();
        for entry in store.key_entries().await? {
            // An entry that can't be read vouches for no key. `verify` names it.
            if let Ok(Some(HouseFact::SigningKey {
                key,
                introduced_at,
                vouched: Some(vouched),
            })) = entry.key_fact()
            {
                introduced.entry(key).or_insert((introduced_at, vouched));
            }
        }
        let mut vouches = Vec::new();
        let mut later = key;
        while let Some((introduced_at, vouched)) = introduced.remove(&later)
            && vouches.len() < VOUCHES_MAX
        {
            vouches.push(KeyVouch {
                public_key: later.to_string(),
                introduced_at: Text(introduced_at),
                by: vouched.by.to_string(),
                signature: hex::encode(vouched.signature),
            });
            later = vouched.by;
        }
        vouches.reverse();
        self.0.insert(key, vouches.clone());
        Ok(vouches)
    }
}
