//! Pairings of new displays: opening and reading them, and the changes that make a screen of one and remove it.
//!
//! # Order and locking
//! Opening takes a lock of its own, so that the limits hold for openings at the same time on any node.

use meterhouse_domain::ids::Timestamp;
use meterhouse_journal::batch::HASH_BYTES;
use sqlx::postgres::{PgConnection, PgRow};

use crate::access::{Changed, Making};
use crate::access_change::NewScreen;
use crate::actors::NewToken;
use crate::error::StoreError;
use crate::rows::RowReader;
use crate::sql::screen;
use crate::sql::statement::{ResultExt as _, Statement};
use crate::store::Store;

/// Number of the lock of openings.
const PAIRING_LOCK: i64 = 0x6d68_7061_6972;

/// A pairing to open.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewPairing {
    /// Code that the screen shows.
    pub code: String,
    /// SHA-256 of the screen's key.
    pub key: [u8; HASH_BYTES],
    /// Address of the screen.
    pub address: String,
    /// End of validity.
    pub expires_at: Timestamp,
    /// Maximum number of open pairings.
    pub most: i64,
    /// Maximum number of open pairings of one address.
    pub most_of_address: i64,
}

/// A pairing that has not expired.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PairingRow {
    /// Code that the screen shows.
    pub code: String,
    /// SHA-256 of the screen's key.
    pub key: [u8; HASH_BYTES],
    /// Address of the screen.
    pub address: String,
    /// End of validity.
    pub expires_at: Timestamp,
    /// Screen, once a person has named it.
    pub screen: Option<String>,
}

/// The screen that a key was paired as.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeyOwner {
    /// Name.
    pub screen: String,
    /// Links; `None` if the key is no key of a screen any more.
    pub links: Option<Vec<String>>,
}

impl Store {
    /// Opens a pairing, unless the key has one already, which is returned then. Returns nothing if the code is taken.
    ///
    /// # Errors
    /// [`StoreError::TooManyPairings`], or if the database refuses.
    pub async fn open_pairing(
        &self,
        at: Timestamp,
        new: &NewPairing,
    ) -> Result<Option<PairingRow>, StoreError> {
        self.run_tx("screen.open", async |transaction: &mut PgConnection| {
            open(transaction, at, new).await
        })
        .await
    }

    /// Returns the pairing of a key.
    ///
    /// # Errors
    /// If the query fails.
    pub async fn pairing_of_key(
        &self,
        key: &[u8; HASH_BYTES],
        now: Timestamp,
    ) -> Result<Option<PairingRow>, StoreError> {
        let statement = screen::PAIRING_OF_KEY;
        let query = sqlx::query(statement.sql).bind(key.to_vec()).bind(now.0);
        let row = self.inner.row(statement, query).await?;
        row.map(|row| pairing(statement, &row)).transpose()
    }

    /// Returns the pairing of a code.
    ///
    /// # Errors
    /// If the query fails.
    pub async fn pairing_of_code(
        &self,
        code: &str,
        now: Timestamp,
    ) -> Result<Option<PairingRow>, StoreError> {
        let statement = screen::PAIRING_OF_CODE;
        let query = sqlx::query(statement.sql).bind(code).bind(now.0);
        let row = self.inner.row(statement, query).await?;
        row.map(|row| pairing(statement, &row)).transpose()
    }

    /// Returns the screen that a key was paired as; nothing for a new key.
    ///
    /// # Errors
    /// If the query fails.
    pub async fn screen_of_key(
        &self,
        key: &[u8; HASH_BYTES],
    ) -> Result<Option<KeyOwner>, StoreError> {
        let statement = screen::SCREEN_OF_KEY;
        let query = sqlx::query(statement.sql).bind(key.to_vec());
        let row = self.inner.row(statement, query).await?;
        let owner = |row: &PgRow| {
            let row = RowReader::new(statement, "token", row);
            Ok(KeyOwner {
                screen: row.get("name")?,
                links: row.get("links")?,
            })
        };
        row.as_ref().map(owner).transpose()
    }
}

async fn open(
    transaction: &mut PgConnection,
    at: Timestamp,
    new: &NewPairing,
) -> Result<Option<PairingRow>, StoreError> {
    let lock = sqlx::query(screen::LOCK_PAIRINGS.sql).bind(PAIRING_LOCK);
    let locked = lock.execute(&mut *transaction).await;
    locked.in_statement(screen::LOCK_PAIRINGS)?;
    let forget = sqlx::query(screen::FORGET_PAIRINGS.sql).bind(at.0);
    let forgotten = forget.execute(&mut *transaction).await;
    forgotten.in_statement(screen::FORGET_PAIRINGS)?;
    let statement = screen::PAIRING_OF_KEY;
    let known = sqlx::query(statement.sql).bind(new.key.to_vec()).bind(at.0);
    let known = known.fetch_optional(&mut *transaction).await;
    if let Some(row) = known.in_statement(statement)? {
        return Ok(Some(pairing(statement, &row)?));
    }
    let statement = screen::COUNT_PAIRINGS;
    let count = sqlx::query(statement.sql).bind(new.address.clone());
    let count = count.fetch_one(&mut *transaction).await;
    let count = count.in_statement(statement)?;
    let count = RowReader::new(statement, "pairing", &count);
    let (all, of_address): (i64, i64) = (count.get("found")?, count.get("of_address")?);
    if all >= new.most || of_address >= new.most_of_address {
        return Err(StoreError::TooManyPairings);
    }
    let add = sqlx::query(screen::ADD_PAIRING.sql)
        .bind(new.code.clone())
        .bind(new.key.to_vec())
        .bind(new.address.clone())
        .bind(new.expires_at.0);
    let added = add.execute(transaction).await;
    let added = added.in_statement(screen::ADD_PAIRING)?.rows_affected();
    Ok((added == 1).then(|| PairingRow {
        code: new.code.clone(),
        key: new.key,
        address: new.address.clone(),
        expires_at: new.expires_at,
        screen: None,
    }))
}

fn pairing(statement: Statement, row: &PgRow) -> Result<PairingRow, StoreError> {
    let row = RowReader::new(statement, "pairing", row);
    Ok(PairingRow {
        code: row.get("code")?,
        key: row.hash("key_hash")?,
        address: row.get("address")?,
        expires_at: Timestamp(row.get("expires_at")?),
        screen: row.get("screen")?,
    })
}

impl Making<'_> {
    /// Makes a screen of a pairing: its key is a token of the display from now on, and earlier ones end.
    pub(crate) async fn pair(&mut self, new: &NewScreen) -> Result<Changed, StoreError> {
        let statement = screen::USE_PAIRING;
        let used = sqlx::query(statement.sql)
            .bind(new.code.clone())
            .bind(new.who.name.clone())
            .bind(self.at.0);
        let used = used.fetch_optional(&mut *self.transaction).await;
        let used = used
            .in_statement(statement)?
            .ok_or(StoreError::UnknownPairing)?;
        let hash = RowReader::new(statement, "pairing", &used).hash("key_hash")?;
        let actor = self.admit(&new.who).await?;
        let ended = self.revoke(&actor).await?;
        if ended > 0 && !new.replaces {
            return Err(StoreError::ScreenExists);
        }
        let token = NewToken {
            hash,
            created_at: self.at,
            expires_at: None,
        };
        self.add_token(&actor, &token).await?;
        let put = sqlx::query(screen::PUT_SCREEN.sql)
            .bind(actor.actor.0)
            .bind(new.links.clone())
            .bind(self.at.0)
            .bind(new.by.clone());
        self.send(screen::PUT_SCREEN, put).await?;
        Ok(Changed { actor, ended })
    }

    /// Removes a screen with its tokens.
    pub(crate) async fn remove_screen(&mut self, name: &str) -> Result<Changed, StoreError> {
        let actor = match self.find(name).await {
            Err(StoreError::UnknownActor { .. }) => return Err(StoreError::UnknownScreen),
            found => found?,
        };
        let remove = sqlx::query(screen::REMOVE_SCREEN.sql).bind(actor.actor.0);
        if self.send(screen::REMOVE_SCREEN, remove).await? == 0 {
            return Err(StoreError::UnknownScreen);
        }
        let forget = sqlx::query(screen::FORGET_PAIRING.sql).bind(name.to_owned());
        self.send(screen::FORGET_PAIRING, forget).await?;
        let ended = self.revoke(&actor).await?;
        Ok(Changed { actor, ended })
    }
}
