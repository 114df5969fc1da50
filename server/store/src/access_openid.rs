//! Changes of subjects of OpenID Connect, and the logins by them.

use std::time::Duration;

use meterhouse_domain::ids::Timestamp;
use meterhouse_journal::access::AccessFact;
use meterhouse_journal::batch::HASH_BYTES;
use meterhouse_journal::credential::Credential;
use meterhouse_journal::house::HouseFact;

use crate::access::{Changed, Making};
use crate::access_change::OpenIdSubject;
use crate::actors::ActorRow;
use crate::error::StoreError;
use crate::logins::find_openid;
use crate::rows::RowReader;
use crate::sql::login;
use crate::sql::statement::ResultExt as _;

/// Time for which a used login is remembered: much longer than a login may take, on nodes whose clocks differ.
const USED_LOGIN_KEPT: Duration = Duration::from_hours(1);

impl Making<'_> {
    /// Gives a person a subject that is free, or takes it away.
    pub(crate) async fn openid(
        &mut self,
        actor: ActorRow,
        subject: Option<&OpenIdSubject>,
    ) -> Result<Changed, StoreError> {
        if let Some(subject) = subject {
            self.check_free(&actor, subject).await?;
        }
        let set_at = self.next_time(actor.actor).await?;
        let pair = subject.map(|one| (one.issuer.as_str(), one.subject.as_str()));
        let voucher = match pair {
            Some((issuer, subject)) => {
                self.vouched(&actor, &Credential::openid(issuer, subject, set_at))?
            }
            None => None,
        };
        let (issuer, name) = pair.unzip();
        let add = sqlx::query(login::ADD_OPENID.sql)
            .bind(actor.actor.0)
            .bind(set_at.0)
            .bind(issuer.map(str::to_owned))
            .bind(name.map(str::to_owned))
            .bind(voucher);
        self.send(login::ADD_OPENID, add).await?;
        let fact = AccessFact::openid(actor.actor, pair, set_at);
        self.facts.push(HouseFact::Access(fact));
        let ended = self.end_sessions(actor.actor).await?;
        Ok(Changed { actor, ended })
    }

    /// Checks that no other person has a subject.
    async fn check_free(
        &mut self,
        actor: &ActorRow,
        subject: &OpenIdSubject,
    ) -> Result<(), StoreError> {
        let found = find_openid(subject).fetch_all(&mut *self.transaction).await;
        for row in &found.in_statement(login::FIND_OPENID)? {
            let name: String = RowReader::new(login::FIND_OPENID, "actor", row).get("name")?;
            if name != actor.who.name {
                return Err(StoreError::OpenIdTaken { name });
            }
        }
        Ok(())
    }

    /// Checks that a person's subject is still the one that a login was by, and uses the login up.
    pub(crate) async fn prove_openid(
        &mut self,
        actor: &ActorRow,
        set_at: Timestamp,
        login: [u8; HASH_BYTES],
    ) -> Result<bool, StoreError> {
        let person = self.person(&actor.who.name).await?;
        let openid = person.openid.filter(|_| !person.is_ended);
        if openid.is_none_or(|openid| openid.set_at != set_at) {
            return Ok(false);
        }
        let kept = i64::try_from(USED_LOGIN_KEPT.as_micros()).unwrap_or(i64::MAX);
        let forget =
            sqlx::query(login::FORGET_OPENID_LOGINS.sql).bind(self.at.0.saturating_sub(kept));
        self.send(login::FORGET_OPENID_LOGINS, forget).await?;
        let take = sqlx::query(login::USE_OPENID_LOGIN.sql)
            .bind(login.to_vec())
            .bind(self.at.0);
        Ok(self.send(login::USE_OPENID_LOGIN, take).await? == 1)
    }
}
