//! Reading what people log in by, and the small changes that need no entry: used steps, used sessions, failed logins.
//!
//! # Limits
//! One page has at most [`PEOPLE_MAX`] people.

use meterhouse_domain::ids::{ActorId, Timestamp};
use meterhouse_journal::batch::HASH_BYTES;
use meterhouse_journal::credential::Voucher;
use sqlx::Postgres;
use sqlx::postgres::{PgArguments, PgRow};
use sqlx::query::Query;

use crate::access_change::OpenIdSubject;
use crate::actors::{ActorRow, TokenHash, actor_row, voucher_in};
use crate::error::StoreError;
use crate::numbers::{bounded, to_bigint};
use crate::pins::{PinRow, pin_of};
use crate::rows::RowReader;
use crate::sql::login;
use crate::sql::statement::Statement;
use crate::store::Store;

/// Maximum number of people who are read for one subject of OpenID Connect: more than one were not made by the program.
const OPENID_NAMES_MAX: usize = 8;
/// Maximum number of people in one page.
pub const PEOPLE_MAX: usize = 500;

/// A person with what the person logs in by.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PersonRow {
    /// Person.
    pub actor: ActorRow,
    /// Newest password.
    pub password: Option<PasswordRow>,
    /// Second factor.
    pub factor: Option<FactorRow>,
    /// Subject of OpenID Connect.
    pub openid: Option<OpenIdRow>,
    /// PIN to sign with.
    pub pin: Option<PinRow>,
    /// Number of wrong PINs in a row.
    pub pin_failures: u32,
    /// `true` if the person's access was ended.
    pub is_ended: bool,
    /// Time at which a session of the person was used last. Only in lists.
    pub seen_at: Option<Timestamp>,
}

/// A stored password.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PasswordRow {
    /// Hash, in the text form of argon2.
    pub hash: String,
    /// Time at which it was set.
    pub set_at: Timestamp,
    /// Voucher.
    pub voucher: Option<Voucher>,
}

/// A stored second factor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FactorRow {
    /// Secret.
    pub secret: Vec<u8>,
    /// Time at which it was set.
    pub set_at: Timestamp,
    /// Newest step that was used.
    pub used_step: u64,
}

/// A stored subject of OpenID Connect.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpenIdRow {
    /// Subject.
    pub subject: OpenIdSubject,
    /// Time at which it was set.
    pub set_at: Timestamp,
    /// Voucher.
    pub voucher: Option<Voucher>,
}

/// A session or signature that goes on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SessionRow {
    /// Owner of the session.
    pub actor: ActorRow,
    /// Time of the login.
    pub created_at: Timestamp,
    /// Latest end of the session.
    pub expires_at: Timestamp,
    /// Time at which the session was used last.
    pub seen_at: Timestamp,
    /// Voucher.
    pub voucher: Option<Voucher>,
    /// `true` for a signature.
    pub is_signature: bool,
}

/// Failed logins of a name in a row.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Failures {
    /// Number of failed logins.
    pub count: u32,
    /// Time of the last one.
    pub failed_at: Timestamp,
}

impl Store {
    /// Returns a person by name.
    ///
    /// # Errors
    /// If the query fails.
    pub async fn find_person(&self, name: &str) -> Result<Option<PersonRow>, StoreError> {
        let query = sqlx::query(login::FIND_PERSON.sql).bind(name);
        let row = self.inner.row(login::FIND_PERSON, query).await?;
        row.map(|row| person(login::FIND_PERSON, &row)).transpose()
    }

    /// Returns at most [`PEOPLE_MAX`] people after a name, in the order of their names.
    ///
    /// # Errors
    /// If the query fails.
    pub async fn list_people(
        &self,
        after: &str,
        limit: usize,
    ) -> Result<Vec<PersonRow>, StoreError> {
        let query = sqlx::query(login::LIST_PEOPLE.sql)
            .bind(after)
            .bind(bounded(limit, PEOPLE_MAX));
        let rows = self.inner.rows(login::LIST_PEOPLE, query).await?;
        let listed = |row: &PgRow| {
            let seen_at: Option<i64> =
                RowReader::new(login::LIST_PEOPLE, "session", row).get("seen_at")?;
            Ok(PersonRow {
                seen_at: seen_at.map(Timestamp),
                ..person(login::LIST_PEOPLE, row)?
            })
        };
        rows.iter().map(listed).collect()
    }

    /// Returns the names of those whose newest subject this is, at most [`OPENID_NAMES_MAX`]. The program gives it to one.
    ///
    /// # Errors
    /// If the query fails.
    pub async fn names_by_openid(
        &self,
        subject: &OpenIdSubject,
    ) -> Result<Vec<String>, StoreError> {
        let query = find_openid(subject);
        let rows = self.inner.rows(login::FIND_OPENID, query).await?;
        let name = |row| RowReader::new(login::FIND_OPENID, "actor", row).get("name");
        rows.iter().map(name).collect()
    }

    /// Returns the end of validity and the voucher of a person's code that was not used; `None` for any other code.
    ///
    /// # Errors
    /// If the query fails.
    pub async fn find_code(
        &self,
        actor: ActorId,
        code: &[u8; HASH_BYTES],
        now: Timestamp,
    ) -> Result<Option<(Timestamp, Option<Voucher>)>, StoreError> {
        let query = sqlx::query(login::FIND_CODE.sql)
            .bind(code.to_vec())
            .bind(actor.0)
            .bind(now.0);
        let row = self.inner.row(login::FIND_CODE, query).await?;
        let found = |row: &PgRow| {
            let row = RowReader::new(login::FIND_CODE, "password_code", row);
            Ok((Timestamp(row.get("expires_at")?), voucher(row)?))
        };
        row.as_ref().map(found).transpose()
    }

    /// Uses up a step of a second factor. Returns `false` if it or a later one was used.
    ///
    /// # Errors
    /// If the database refuses.
    pub async fn use_step(
        &self,
        actor: ActorId,
        set_at: Timestamp,
        step: u64,
    ) -> Result<bool, StoreError> {
        let query = sqlx::query(login::USE_STEP.sql)
            .bind(actor.0)
            .bind(set_at.0)
            .bind(to_bigint(step));
        Ok(self.inner.run(login::USE_STEP, query).await? == 1)
    }

    /// Returns a session that was begun by `now` and used since `seen_since`.
    ///
    /// # Errors
    /// If the query fails.
    pub async fn find_session(
        &self,
        session: &[u8; HASH_BYTES],
        now: Timestamp,
        seen_since: Timestamp,
    ) -> Result<Option<SessionRow>, StoreError> {
        let query = sqlx::query(login::FIND_SESSION.sql)
            .bind(session.to_vec())
            .bind(now.0)
            .bind(seen_since.0);
        let row = self.inner.row(login::FIND_SESSION, query).await?;
        let found = |row: &PgRow| {
            let actor = actor_row(login::FIND_SESSION, row)?;
            let row = RowReader::new(login::FIND_SESSION, "session", row);
            Ok(SessionRow {
                actor,
                created_at: Timestamp(row.get("session_created_at")?),
                expires_at: Timestamp(row.get("expires_at")?),
                seen_at: Timestamp(row.get("seen_at")?),
                voucher: voucher(row)?,
                is_signature: row.get("is_signature")?,
            })
        };
        row.as_ref().map(found).transpose()
    }

    /// Returns the digests of at most `limit` sessions that have not ended.
    ///
    /// # Errors
    /// If the query fails.
    pub async fn session_hashes(
        &self,
        now: Timestamp,
        limit: usize,
    ) -> Result<Vec<TokenHash>, StoreError> {
        let query = sqlx::query(login::SESSION_HASHES.sql)
            .bind(now.0)
            .bind(bounded(limit, limit));
        self.digests(login::SESSION_HASHES, query).await
    }

    /// Returns which of some sessions and signatures have ended.
    ///
    /// # Errors
    /// If the query fails.
    pub async fn ended_sessions(
        &self,
        hashes: &[TokenHash],
        now: Timestamp,
    ) -> Result<Vec<TokenHash>, StoreError> {
        self.ended(login::ENDED_SESSIONS, hashes, now).await
    }

    /// Notes that a session was used.
    ///
    /// # Errors
    /// If the database refuses.
    pub async fn see_session(
        &self,
        session: &[u8; HASH_BYTES],
        now: Timestamp,
    ) -> Result<(), StoreError> {
        let query = sqlx::query(login::SEE_SESSION.sql)
            .bind(session.to_vec())
            .bind(now.0);
        self.inner.run(login::SEE_SESSION, query).await.map(drop)
    }

    /// Counts an attempt to log in as a failed one, after so many others. Returns `false` if another was counted meanwhile.
    ///
    /// # Errors
    /// If the database refuses.
    pub async fn count_attempt(
        &self,
        name: &str,
        before: u32,
        now: Timestamp,
    ) -> Result<bool, StoreError> {
        let query = sqlx::query(login::COUNT_ATTEMPT.sql)
            .bind(name)
            .bind(now.0)
            .bind(i64::from(before));
        Ok(self.inner.run(login::COUNT_ATTEMPT, query).await? == 1)
    }

    /// Returns the failed logins of a name.
    ///
    /// # Errors
    /// If the query fails.
    pub async fn login_failures(&self, name: &str) -> Result<Option<Failures>, StoreError> {
        let query = sqlx::query(login::FIND_FAILURES.sql).bind(name);
        let row = self.inner.row(login::FIND_FAILURES, query).await?;
        let found = |row: &PgRow| {
            let row = RowReader::new(login::FIND_FAILURES, "login_failure", row);
            Ok(Failures {
                count: row.number::<u32, i32>("failures")?,
                failed_at: Timestamp(row.get("failed_at")?),
            })
        };
        row.as_ref().map(found).transpose()
    }

    /// Forgets the failed logins of a name.
    ///
    /// # Errors
    /// If the database refuses.
    pub async fn forget_login_failures(&self, name: &str) -> Result<(), StoreError> {
        let query = sqlx::query(login::FORGET_FAILURES.sql).bind(name);
        self.inner
            .run(login::FORGET_FAILURES, query)
            .await
            .map(drop)
    }
}

/// Returns the query for the names of those who have a subject.
pub(crate) fn find_openid(subject: &OpenIdSubject) -> Query<'static, Postgres, PgArguments> {
    sqlx::query(login::FIND_OPENID.sql)
        .bind(subject.issuer.clone())
        .bind(subject.subject.clone())
        .bind(bounded(OPENID_NAMES_MAX, OPENID_NAMES_MAX))
}

/// Returns the voucher of a row.
pub(crate) fn voucher(row: RowReader<'_>) -> Result<Option<Voucher>, StoreError> {
    voucher_in(row, "voucher")
}

pub(crate) fn person(statement: Statement, row: &PgRow) -> Result<PersonRow, StoreError> {
    let actor = actor_row(statement, row)?;
    let row = RowReader::new(statement, "actor", row);
    let hash: Option<String> = row.get("hash")?;
    let set_at: Option<i64> = row.get("password_set_at")?;
    let secret: Option<Vec<u8>> = row.get("secret")?;
    let factor_set_at: Option<i64> = row.get("factor_set_at")?;
    let used_step: Option<i64> = row.get("used_step")?;
    let voucher = voucher(row)?;
    Ok(PersonRow {
        actor,
        password: hash.zip(set_at).map(|(hash, set_at)| PasswordRow {
            hash,
            set_at: Timestamp(set_at),
            voucher,
        }),
        factor: secret.zip(factor_set_at).map(|(secret, set_at)| FactorRow {
            secret,
            set_at: Timestamp(set_at),
            used_step: used_step
                .and_then(|step| u64::try_from(step).ok())
                .unwrap_or(0),
        }),
        openid: openid(row)?,
        pin: pin_of(row)?,
        pin_failures: row.number::<u32, i32>("pin_failures")?,
        is_ended: row.get("is_ended")?,
        seen_at: None,
    })
}

/// Returns the subject of OpenID Connect of a row, if it has one.
fn openid(row: RowReader<'_>) -> Result<Option<OpenIdRow>, StoreError> {
    let issuer: Option<String> = row.get("issuer")?;
    let subject: Option<String> = row.get("subject")?;
    let set_at: Option<i64> = row.get("openid_set_at")?;
    let voucher = voucher_in(row, "openid_voucher")?;
    let subject = issuer.zip(subject).zip(set_at);
    Ok(subject.map(|((issuer, subject), set_at)| OpenIdRow {
        subject: OpenIdSubject { issuer, subject },
        set_at: Timestamp(set_at),
        voucher,
    }))
}
