//! Changes of what people log in by: passwords, second factors and sessions.

use meterhouse_domain::ids::{ActorId, Timestamp};
use meterhouse_journal::access::AccessFact;
use meterhouse_journal::batch::HASH_BYTES;
use meterhouse_journal::credential::Credential;
use meterhouse_journal::house::HouseFact;
use sqlx::Row as _;

use crate::access::{Changed, Making};
use crate::access_change::{ConfirmedFactor, Proven};
use crate::actors::ActorRow;
use crate::error::StoreError;
use crate::logins::{PersonRow, person};
use crate::numbers::to_bigint;
use crate::sql::login;
use crate::sql::statement::ResultExt as _;

impl Making<'_> {
    /// Checks a proof again, now that no other change can come between, and uses a code up.
    pub(crate) async fn prove(
        &mut self,
        actor: &ActorRow,
        proven: Proven,
    ) -> Result<(), StoreError> {
        let is_right = match proven {
            Proven::Code(code) => {
                let take = sqlx::query(login::USE_CODE.sql)
                    .bind(code.to_vec())
                    .bind(actor.actor.0)
                    .bind(self.at.0);
                self.send(login::USE_CODE, take).await? == 1
            }
            Proven::Password(set_at) => {
                let found = self.person(&actor.who.name).await?;
                let password = found.password.filter(|_| !found.is_ended);
                password.is_some_and(|password| password.set_at == set_at)
            }
            Proven::Pin(set_at) => {
                let found = self.person(&actor.who.name).await?;
                let pin = found.pin.filter(|_| !found.is_ended);
                pin.is_some_and(|pin| pin.set_at == set_at)
            }
            Proven::Session(session) => self.has_session(actor.actor, session).await?,
            Proven::OpenId { set_at, login } => self.prove_openid(actor, set_at, login).await?,
        };
        is_right.then_some(()).ok_or(StoreError::NotProven)
    }

    /// Returns a person who is known.
    pub(crate) async fn person(&mut self, name: &str) -> Result<PersonRow, StoreError> {
        let find = sqlx::query(login::FIND_PERSON.sql).bind(name.to_owned());
        let found = find.fetch_one(&mut *self.transaction).await;
        person(login::FIND_PERSON, &found.in_statement(login::FIND_PERSON)?)
    }

    /// Returns the time of a change of what an actor logs in by, or of its access: later than the last one, even if that
    /// came from a node whose clock is ahead, because the newest counts.
    pub(crate) async fn next_time(&mut self, actor: ActorId) -> Result<Timestamp, StoreError> {
        let statement = login::NEWEST_CHANGE;
        let newest = sqlx::query(statement.sql).bind(actor.0);
        let newest = newest.fetch_one(&mut *self.transaction).await;
        let newest: Option<i64> = newest
            .in_statement(statement)?
            .try_get("newest")
            .in_statement(statement)?;
        let earliest = newest.map_or(i64::MIN, |newest| newest.saturating_add(1));
        Ok(Timestamp(self.at.0.max(earliest)))
    }

    pub(crate) async fn password(
        &mut self,
        name: &str,
        hash: &str,
        proven: Proven,
    ) -> Result<Changed, StoreError> {
        let actor = self.find(name).await?;
        self.prove(&actor, proven).await?;
        self.add_password(&actor, hash).await?;
        self.use_codes(actor.actor).await?;
        let ended = self.end_sessions(actor.actor).await?;
        Ok(Changed { actor, ended })
    }

    pub(crate) async fn add_password(
        &mut self,
        actor: &ActorRow,
        hash: &str,
    ) -> Result<(), StoreError> {
        let set_at = self.next_time(actor.actor).await?;
        let voucher = self.vouched(actor, &Credential::password(hash, set_at))?;
        let add = sqlx::query(login::ADD_PASSWORD.sql)
            .bind(actor.actor.0)
            .bind(set_at.0)
            .bind(hash.to_owned())
            .bind(voucher);
        self.send(login::ADD_PASSWORD, add).await?;
        let fact = AccessFact::password(actor.actor, hash, set_at);
        self.facts.push(HouseFact::Access(fact));
        Ok(())
    }

    pub(crate) async fn second_factor(
        &mut self,
        name: &str,
        factor: Option<&ConfirmedFactor>,
    ) -> Result<ActorRow, StoreError> {
        let actor = self.find(name).await?;
        let set_at = self.next_time(actor.actor).await?;
        let secret = factor.map(|factor| factor.secret.as_slice());
        let add = sqlx::query(login::ADD_FACTOR.sql)
            .bind(actor.actor.0)
            .bind(set_at.0)
            .bind(secret.map(<[u8]>::to_vec))
            .bind(factor.map_or(0, |factor| to_bigint(factor.used_step)));
        self.send(login::ADD_FACTOR, add).await?;
        let fact = AccessFact::second_factor(actor.actor, secret, set_at);
        self.facts.push(HouseFact::Access(fact));
        Ok(actor)
    }

    pub(crate) async fn session(
        &mut self,
        actor: &ActorRow,
        session: [u8; HASH_BYTES],
        expires_at: Timestamp,
    ) -> Result<(), StoreError> {
        let credential = Credential::Session {
            session,
            created_at: self.at,
            expires_at,
        };
        let add = sqlx::query(login::ADD_SESSION.sql)
            .bind(session.to_vec())
            .bind(actor.actor.0)
            .bind(self.at.0)
            .bind(expires_at.0)
            .bind(self.vouched(actor, &credential)?);
        self.send(login::ADD_SESSION, add).await.map(drop)
    }
}
