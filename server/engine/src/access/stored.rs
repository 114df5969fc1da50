//! Vouchers for credentials that were made before the house had a key.
//!
//! # Limits
//! [`VOUCHED_AT_ONCE_MAX`] vouchers in one transaction with their act, since the house's chain is locked meanwhile.

use std::sync::Arc;

use meterhouse_journal::credential::Credential;
use meterhouse_store::{Only, StoredCredential};

use super::by::By;
use super::control::AccessControl;
use super::error::AccessError;
use crate::answer::NotExecuted;
use crate::clock::now;
use crate::own_thread::to_the_end;

/// Maximum number of vouchers that are made in one transaction.
const VOUCHED_AT_ONCE_MAX: usize = 50;

/// The result of vouching for what is stored: each credential as `token of NAME`, `password of NAME` or `code of NAME`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct VouchedFor {
    /// Credentials that have got a voucher.
    pub vouched: Vec<String>,
    /// Credentials whose voucher does not count: a key made it that is not accepted, or their owner was changed.
    pub refused: Vec<String>,
}

impl AccessControl {
    /// Vouches for all tokens, passwords and codes that are good and have no voucher, and records it.
    ///
    /// # Errors
    /// [`AccessError`] if the database or the key refuses. What was vouched for before is recorded.
    pub async fn vouch_for_stored(&self, by: &By, only: Only) -> Result<VouchedFor, AccessError> {
        let mut found = VouchedFor::default();
        let mut after: Option<StoredCredential> = None;
        loop {
            let page = self.store.stored_credentials(after.as_ref(), now()).await?;
            let Some(last) = page.last() else {
                return Ok(found);
            };
            after = Some(last.clone());
            let (with, without): (Vec<_>, Vec<_>) = page
                .into_iter()
                .partition(|stored| stored.voucher.is_some());
            let refused = with.iter().filter(|stored| {
                let StoredCredential {
                    owner,
                    credential,
                    voucher,
                } = stored;
                !self.vouching.counts(owner, credential, voucher.as_ref())
            });
            found.refused.extend(refused.map(named));
            for few in without.chunks(VOUCHED_AT_ONCE_MAX) {
                self.vouch_for(few, by, only).await?;
                found.vouched.extend(few.iter().map(named));
            }
        }
    }

    /// Vouches for a few credentials in one transaction with its act.
    async fn vouch_for(
        &self,
        few: &[StoredCredential],
        by: &By,
        only: Only,
    ) -> Result<(), AccessError> {
        let mut act = by.act("credentials_vouched", None);
        for word in ["token", "password", "code"] {
            let of_word = few.iter().filter(|stored| kind(&stored.credential) == word);
            let names: Vec<&str> = of_word
                .map(|stored| stored.owner.who.name.as_str())
                .collect();
            if !names.is_empty() {
                act.details.push((format!("{word}s"), names.join(" ")));
            }
        }
        let (store, vouching) = (self.store.clone(), Arc::clone(&self.vouching));
        let few = few.to_vec();
        let vouched = to_the_end(async move || {
            let vouch = move |owner: &_, credential: &_| vouching.vouch(owner, credential);
            let vouched = store.vouch_for_stored(now(), only, &few, &act, &vouch);
            vouched.await
        });
        vouched.await.map_err(|_| NotExecuted::OutcomeUnknown)??;
        Ok(())
    }
}

fn named(stored: &StoredCredential) -> String {
    let name = &stored.owner.who.name;
    format!("{} of {name}", kind(&stored.credential))
}

fn kind(credential: &Credential) -> &'static str {
    match credential {
        Credential::Token { .. } => "token",
        Credential::Password { .. } => "password",
        Credential::Session { .. } => "session",
        Credential::Code { .. } => "code",
        Credential::OpenId { .. } => "subject",
        Credential::Pin { .. } => "PIN",
        Credential::Signature { .. } => "signature",
    }
}
