//! Changes of who may come in, each in one transaction with its entries in the house's chain and its act.
//!
//! # Order and locking
//! A change takes the lock of the house's chain first, so that one change is made at a time.

use meterhouse_domain::ids::{ActorId, Timestamp};
use meterhouse_journal::access::AccessFact;
use meterhouse_journal::batch::HASH_BYTES;
use meterhouse_journal::credential::{Credential, Voucher};
use meterhouse_journal::house::HouseFact;
use sqlx::postgres::{PgArguments, PgConnection, PgRow};
use sqlx::query::Query;
use sqlx::{Postgres, Row as _};

use crate::access_change::AccessChange;
use crate::actors::{ActorRow, NewActor, NewToken, actor_fact, actor_row, insert_actor};
use crate::acts::{NewAct, add_acts};
use crate::error::StoreError;
use crate::house_chain::{append, lock_chain};
use crate::rows::RowReader;
use crate::sql::statement::{ResultExt as _, Statement};
use crate::sql::{login, people, push};
use crate::store::Store;

/// Role of administrators, as it is stored.
const ADMINISTRATOR: &str = "administrator";

/// A condition of a change.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Only {
    /// The change is made.
    Always,
    /// The change is made if there is no administrator.
    WithoutAdministrator,
}

/// The result of a change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Changed {
    /// Person or program.
    pub actor: ActorRow,
    /// Number of tokens or sessions that ended.
    pub ended: u64,
}

/// A function that vouches for a credential of an owner.
pub type Vouch =
    dyn Fn(&HouseFact, &Credential) -> Result<Option<Voucher>, StoreError> + Send + Sync;

impl Store {
    /// Makes a change, with its acts. Without a name that is known, nothing is changed.
    ///
    /// # Errors
    /// [`StoreError::ActorDiffers`] if the name belongs to an actor with other properties,
    /// [`StoreError::UnknownActor`] for an unknown name, [`StoreError::AdministratorExists`] if the condition is not met,
    /// [`StoreError::NotProven`] if a proof is not right any more,
    /// [`StoreError::OpenIdTaken`] if another person has the subject,
    /// [`StoreError::LastAdministrator`] if no other person could admit people.
    pub async fn change_access(
        &self,
        at: Timestamp,
        only: Only,
        change: &AccessChange,
        act: Option<&NewAct>,
        vouch: &Vouch,
    ) -> Result<Changed, StoreError> {
        self.run_tx("access.change", async |transaction: &mut PgConnection| {
            let mut making = Making::begin(transaction, at, only, vouch).await?;
            let changed = making.make(change).await?;
            making.end_with(act).await?;
            Ok(changed)
        })
        .await
    }

    /// Returns `true` if there is an administrator.
    ///
    /// # Errors
    /// If the query fails.
    pub async fn has_administrator(&self) -> Result<bool, StoreError> {
        let statement = login::HAS_ADMINISTRATOR;
        let row = self
            .inner
            .row(statement, sqlx::query(statement.sql))
            .await?;
        let found = |row: &PgRow| RowReader::new(statement, "actor", row).get("found");
        row.as_ref().map_or(Ok(false), found)
    }
}

async fn has_administrator(transaction: &mut PgConnection) -> Result<bool, StoreError> {
    let statement = login::HAS_ADMINISTRATOR;
    let row = sqlx::query(statement.sql).fetch_one(transaction).await;
    row.in_statement(statement)?
        .try_get("found")
        .in_statement(statement)
}

/// A change while it is made.
pub(crate) struct Making<'a> {
    pub(crate) transaction: &'a mut PgConnection,
    pub(crate) at: Timestamp,
    vouch: &'a Vouch,
    /// Facts for the house's chain.
    pub(crate) facts: Vec<HouseFact>,
}

impl<'a> Making<'a> {
    /// Begins a change, if its condition is met, under the lock of the house's chain.
    pub(crate) async fn begin(
        transaction: &'a mut PgConnection,
        at: Timestamp,
        only: Only,
        vouch: &'a Vouch,
    ) -> Result<Self, StoreError> {
        lock_chain(transaction).await?;
        if only == Only::WithoutAdministrator && has_administrator(transaction).await? {
            return Err(StoreError::AdministratorExists);
        }
        let facts = Vec::new();
        Ok(Self {
            transaction,
            at,
            vouch,
            facts,
        })
    }

    /// Ends a change with its facts and its act.
    pub(crate) async fn end_with(self, act: Option<&NewAct>) -> Result<(), StoreError> {
        append(self.transaction, self.at, &self.facts).await?;
        match act {
            Some(act) => add_acts(self.transaction, self.at, std::slice::from_ref(act)).await,
            None => Ok(()),
        }
    }

    async fn make(&mut self, change: &AccessChange) -> Result<Changed, StoreError> {
        let none = |actor| Changed { actor, ended: 0 };
        match change {
            AccessChange::Token { who, token } => self.token(who, token).await.map(none),
            AccessChange::Revoke { name } => {
                let actor = self.find(name).await?;
                let ended = self.revoke(&actor).await?;
                Ok(Changed { actor, ended })
            }
            AccessChange::Code {
                who,
                code,
                expires_at,
            } => self.code(who, *code, *expires_at).await.map(none),
            AccessChange::Password { name, hash, proven } => {
                self.password(name, hash, *proven).await
            }
            AccessChange::SecondFactor { name, factor } => {
                self.second_factor(name, factor.as_ref()).await.map(none)
            }
            AccessChange::Pin { name, hash, proven } => {
                let hash = hash.as_deref();
                self.pin(name, hash, *proven).await.map(none)
            }
            AccessChange::Signature { name, signature } => self.signature(name, *signature).await,
            AccessChange::Pair(screen) => self.pair(screen).await,
            AccessChange::RemoveScreen { name } => self.remove_screen(name).await,
            AccessChange::OpenId { who, subject } => {
                let actor = self.admit(who).await?;
                self.openid(actor, Some(subject)).await
            }
            AccessChange::NoOpenId { name } => {
                let actor = self.find(name).await?;
                self.openid(actor, None).await
            }
            AccessChange::Access { name, is_ended } => self.access(name, *is_ended).await,
            AccessChange::Sessions { name } => {
                let actor = self.find(name).await?;
                let ended = self.end_sessions(actor.actor).await?;
                Ok(Changed { actor, ended })
            }
            AccessChange::Session {
                name,
                session,
                expires_at,
                proven,
            } => {
                let actor = self.find(name).await?;
                self.prove(&actor, *proven).await?;
                self.session(&actor, *session, *expires_at).await?;
                Ok(none(actor))
            }
            AccessChange::Logout { name, session } => {
                let end = sqlx::query(login::END_SESSION.sql)
                    .bind(session.to_vec())
                    .bind(self.at.0);
                self.end(name, login::END_SESSION, end).await
            }
            AccessChange::EndDelay { name } => {
                let forget = sqlx::query(login::FORGET_FAILURES.sql).bind(name.clone());
                self.end(name, login::FORGET_FAILURES, forget).await
            }
        }
    }

    pub(crate) async fn send(
        &mut self,
        statement: Statement,
        query: Query<'_, Postgres, PgArguments>,
    ) -> Result<u64, StoreError> {
        let sent = query.execute(&mut *self.transaction).await;
        sent.in_statement(statement)
            .map(|done| done.rows_affected())
    }

    /// Ends something of a person, and returns how many rows that were.
    async fn end(
        &mut self,
        name: &str,
        statement: Statement,
        query: Query<'_, Postgres, PgArguments>,
    ) -> Result<Changed, StoreError> {
        let actor = self.find(name).await?;
        let ended = self.send(statement, query).await?;
        Ok(Changed { actor, ended })
    }

    pub(crate) fn vouched(
        &self,
        owner: &ActorRow,
        credential: &Credential,
    ) -> Result<Option<Vec<u8>>, StoreError> {
        let voucher = (self.vouch)(&actor_fact(owner), credential)?;
        Ok(voucher.map(|voucher| voucher.0.to_vec()))
    }

    pub(crate) async fn find(&mut self, name: &str) -> Result<ActorRow, StoreError> {
        let found = sqlx::query(people::FIND_ACTOR.sql).bind(name.to_owned());
        let found = found
            .fetch_optional(&mut *self.transaction)
            .await
            .in_statement(people::FIND_ACTOR)?;
        let row = found.ok_or_else(|| StoreError::UnknownActor {
            name: name.to_owned(),
        })?;
        actor_row(people::FIND_ACTOR, &row)
    }

    /// Admits a person or program, unless the name is known with the same properties.
    pub(crate) async fn admit(&mut self, who: &NewActor) -> Result<ActorRow, StoreError> {
        let is_new = insert_actor(self.transaction, who, self.at).await?;
        let actor = self.find(&who.name).await?;
        if actor.who != *who {
            return Err(StoreError::ActorDiffers {
                name: who.name.clone(),
            });
        }
        if is_new {
            self.facts.push(actor_fact(&actor));
        }
        Ok(actor)
    }

    async fn token(&mut self, who: &NewActor, token: &NewToken) -> Result<ActorRow, StoreError> {
        let actor = self.admit(who).await?;
        self.add_token(&actor, token).await?;
        Ok(actor)
    }

    pub(crate) async fn add_token(
        &mut self,
        actor: &ActorRow,
        token: &NewToken,
    ) -> Result<(), StoreError> {
        let credential = Credential::Token {
            token: token.hash,
            created_at: token.created_at,
            expires_at: token.expires_at,
        };
        let insert = sqlx::query(people::INSERT_TOKEN.sql)
            .bind(token.hash.to_vec())
            .bind(actor.actor.0)
            .bind(token.created_at.0)
            .bind(token.expires_at.map(|time| time.0))
            .bind(self.vouched(actor, &credential)?);
        self.send(people::INSERT_TOKEN, insert).await?;
        self.facts.push(HouseFact::Token {
            token: token.hash,
            actor: actor.actor,
            created_at: token.created_at,
            expires_at: token.expires_at,
        });
        Ok(())
    }

    pub(crate) async fn revoke(&mut self, actor: &ActorRow) -> Result<u64, StoreError> {
        let statement = people::REVOKE_TOKENS;
        let ended = sqlx::query(statement.sql)
            .bind(actor.who.name.clone())
            .bind(self.at.0);
        let ended = ended
            .fetch_all(&mut *self.transaction)
            .await
            .in_statement(statement)?;
        for row in &ended {
            let token = RowReader::new(statement, "token", row).hash("token_hash")?;
            let revoked_at = self.at;
            self.facts
                .push(HouseFact::TokenRevoked { token, revoked_at });
        }
        Ok(u64::try_from(ended.len()).unwrap_or(u64::MAX))
    }

    async fn code(
        &mut self,
        who: &NewActor,
        code: [u8; HASH_BYTES],
        expires_at: Timestamp,
    ) -> Result<ActorRow, StoreError> {
        let actor = self.admit(who).await?;
        self.use_codes(actor.actor).await?;
        let voucher = self.vouched(&actor, &Credential::Code { code, expires_at })?;
        let add = sqlx::query(login::ADD_CODE.sql)
            .bind(code.to_vec())
            .bind(actor.actor.0)
            .bind(self.at.0)
            .bind(expires_at.0)
            .bind(voucher);
        self.send(login::ADD_CODE, add).await?;
        Ok(actor)
    }

    pub(crate) async fn use_codes(&mut self, actor: ActorId) -> Result<(), StoreError> {
        let end = sqlx::query(login::USE_CODES.sql)
            .bind(actor.0)
            .bind(self.at.0);
        self.send(login::USE_CODES, end).await.map(drop)
    }

    /// Refuses to end the last administrator's access: no person could restore it, except by a command that raises an alarm.
    async fn refuse_last_administrator(&mut self, actor: &ActorRow) -> Result<(), StoreError> {
        if actor.who.role != ADMINISTRATOR {
            return Ok(());
        }
        let statement = login::HAS_OTHER_ADMINISTRATOR;
        let other = sqlx::query(statement.sql)
            .bind(actor.actor.0)
            .bind(self.at.0)
            .fetch_one(&mut *self.transaction)
            .await;
        let other = other.in_statement(statement)?;
        if other.try_get("found").in_statement(statement)? {
            return Ok(());
        }
        Err(StoreError::LastAdministrator(actor.who.name.clone()))
    }

    async fn access(&mut self, name: &str, is_ended: bool) -> Result<Changed, StoreError> {
        let actor = self.find(name).await?;
        if is_ended {
            self.refuse_last_administrator(&actor).await?;
        }
        let changed_at = self.next_time(actor.actor).await?;
        let add = sqlx::query(login::ADD_ACCESS.sql)
            .bind(actor.actor.0)
            .bind(changed_at.0)
            .bind(is_ended);
        self.send(login::ADD_ACCESS, add).await?;
        self.facts.push(HouseFact::Access(AccessFact::Ended {
            actor: actor.actor,
            is_ended,
            changed_at,
        }));
        let mut ended = 0;
        if is_ended {
            self.use_codes(actor.actor).await?;
            ended = self.end_sessions(actor.actor).await? + self.revoke(&actor).await?;
            let end = sqlx::query(push::END_SUBSCRIPTIONS.sql).bind(actor.actor.0);
            self.send(push::END_SUBSCRIPTIONS, end).await?;
        }
        Ok(Changed { actor, ended })
    }

    /// Ends all sessions and signatures of a person, and returns the number of sessions.
    pub(crate) async fn end_sessions(&mut self, actor: ActorId) -> Result<u64, StoreError> {
        let end = sqlx::query(login::END_SESSIONS.sql)
            .bind(actor.0)
            .bind(self.at.0);
        let ended = self.send(login::END_SESSIONS, end).await?;
        self.end_signatures(actor).await?;
        Ok(ended)
    }
}
