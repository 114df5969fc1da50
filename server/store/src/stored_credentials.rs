//! Stored credentials that let their owners in, and vouchers for those that have none.
//!
//! # Limits
//! One page has at most [`CREDENTIALS_MAX`] credentials.

use meterhouse_domain::ids::Timestamp;
use meterhouse_journal::batch::HASH_BYTES;
use meterhouse_journal::credential::{Credential, Voucher};
use sqlx::postgres::{PgConnection, PgRow};

use crate::access::{Making, Only, Vouch};
use crate::actors::{ActorRow, actor_row};
use crate::acts::NewAct;
use crate::error::StoreError;
use crate::logins::{person, voucher};
use crate::numbers::bounded;
use crate::rows::RowReader;
use crate::sql::login;
use crate::sql::statement::ResultExt as _;
use crate::store::Store;

/// Maximum number of credentials in one page.
const CREDENTIALS_MAX: usize = 1_000;
/// Numbers of the kinds of credentials.
const TOKEN: i16 = 1;
const PASSWORD: i16 = 2;
const CODE: i16 = 4;

/// A token, a newest password or a code that was neither ended nor used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredCredential {
    /// Person or program.
    pub owner: ActorRow,
    /// Credential.
    pub credential: Credential,
    /// Voucher.
    pub voucher: Option<Voucher>,
}

impl StoredCredential {
    /// Returns the place in the list of all.
    fn place(&self) -> (i16, [u8; HASH_BYTES]) {
        match self.credential {
            Credential::Token { token, .. } => (TOKEN, token),
            Credential::Password { stored, .. } => (PASSWORD, stored),
            Credential::Code { code, .. } => (CODE, code),
            // None of them is listed.
            Credential::Session { session: key, .. }
            | Credential::Signature { signature: key, .. }
            | Credential::Pin { stored: key, .. }
            | Credential::OpenId { subject: key, .. } => (0, key),
        }
    }
}

impl Store {
    /// Returns a page of the credentials that are good at a time, after one.
    ///
    /// # Errors
    /// If the query fails.
    pub async fn stored_credentials(
        &self,
        after: Option<&StoredCredential>,
        now: Timestamp,
    ) -> Result<Vec<StoredCredential>, StoreError> {
        let statement = login::CREDENTIALS;
        let (kind, key) = after.map_or((0, [0; HASH_BYTES]), StoredCredential::place);
        let query = sqlx::query(statement.sql)
            .bind(now.0)
            .bind(kind)
            .bind(key.to_vec())
            .bind(after.map_or(i32::MIN, |after| after.owner.actor.0))
            .bind(bounded(CREDENTIALS_MAX, CREDENTIALS_MAX));
        let rows = self.inner.rows(statement, query).await?;
        rows.iter().map(stored).collect()
    }

    /// Vouches for stored credentials that have no voucher and still count, with an act.
    ///
    /// # Errors
    /// [`StoreError::AdministratorExists`] if the condition is not met; [`StoreError::NotVouched`] if the key can't be used,
    /// and then for none of them.
    pub async fn vouch_for_stored(
        &self,
        at: Timestamp,
        only: Only,
        stored: &[StoredCredential],
        act: &NewAct,
        vouch: &Vouch,
    ) -> Result<(), StoreError> {
        self.run_tx("access.vouch", async |transaction: &mut PgConnection| {
            let mut making = Making::begin(transaction, at, only, vouch).await?;
            for credential in stored {
                making.vouch_for(credential).await?;
            }
            making.end_with(Some(act)).await
        })
        .await
    }
}

fn stored(row: &PgRow) -> Result<StoredCredential, StoreError> {
    let owner = actor_row(login::CREDENTIALS, row)?;
    let row = RowReader::new(login::CREDENTIALS, "credential", row);
    let key = row.hash("key")?;
    let made_at = Timestamp(row.get("made_at")?);
    let expires_at: Option<i64> = row.get("expires_at")?;
    let expires_at = expires_at.map(Timestamp);
    let kind: i16 = row.get("kind")?;
    Ok(StoredCredential {
        owner,
        credential: match (kind, expires_at) {
            (PASSWORD, _) => Credential::Password {
                stored: key,
                set_at: made_at,
            },
            (CODE, Some(expires_at)) => Credential::Code {
                code: key,
                expires_at,
            },
            _ => Credential::Token {
                token: key,
                created_at: made_at,
                expires_at,
            },
        },
        voucher: voucher(row)?,
    })
}

impl Making<'_> {
    /// Vouches for a credential, unless it was ended, used or replaced meanwhile.
    pub(crate) async fn vouch_for(&mut self, stored: &StoredCredential) -> Result<(), StoreError> {
        let StoredCredential {
            owner, credential, ..
        } = stored;
        let (statement, key) = match credential {
            Credential::Token { token, .. } => (login::VOUCH_TOKEN, token),
            Credential::Code { code, .. } => (login::VOUCH_CODE, code),
            Credential::Password { set_at, .. } => {
                return self.set_again(owner, *set_at).await;
            }
            Credential::Session { .. }
            | Credential::Signature { .. }
            | Credential::Pin { .. }
            | Credential::OpenId { .. } => return Ok(()),
        };
        let vouch = sqlx::query(statement.sql)
            .bind(key.to_vec())
            .bind(self.vouched(owner, credential)?);
        self.send(statement, vouch).await.map(drop)
    }

    /// Sets a password again with a voucher: no row of a password is ever changed.
    async fn set_again(&mut self, owner: &ActorRow, set_at: Timestamp) -> Result<(), StoreError> {
        let statement = login::FIND_PERSON;
        let found = sqlx::query(statement.sql).bind(owner.who.name.clone());
        let found = found.fetch_one(&mut *self.transaction).await;
        let found = person(statement, &found.in_statement(statement)?)?;
        match found.password.filter(|password| password.set_at == set_at) {
            Some(password) => self.add_password(owner, &password.hash).await,
            None => Ok(()),
        }
    }
}
