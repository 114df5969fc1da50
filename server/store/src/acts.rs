//! The append-only record of what people and programs did, beside the journal.
//!
//! # Limits
//! One page has at most [`ACTS_MAX`] acts.
//!
//! # Order and locking
//! An act is numbered under the lock of the house's chain, which has its digest in the same transaction.

use meterhouse_domain::ids::{ActorId, Timestamp};
use meterhouse_journal::access::AccessFact;
use meterhouse_journal::act::Act;
use meterhouse_journal::house::HouseFact;
use sqlx::postgres::{PgConnection, PgRow};

use crate::error::StoreError;
use crate::house_chain::{append, lock_chain};
use crate::numbers::{bounded, to_bigint};
use crate::rows::RowReader;
use crate::sql::login::{ACTS, ADD_ACT, COUNT_ACTS, LAST_ACT, LIST_ACTS};
use crate::sql::statement::{ResultExt as _, Statement};
use crate::store::Store;

/// Maximum number of acts in one page.
pub const ACTS_MAX: usize = 500;

/// An act to record.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NewAct {
    /// Word of the act, such as `login`.
    pub act: &'static str,
    /// Actor who did it, if the server knows who it was.
    pub actor: Option<ActorId>,
    /// Name that was given, known or not.
    pub name: Option<String>,
    /// Proof of the name that was given: `session`, `token`, `password`, `openid`, `code`, `command line` or `server`.
    pub proof: &'static str,
    /// Address of the client.
    pub address: Option<String>,
    /// Person, token, link or path that the act is about.
    pub subject: Option<String>,
    /// Further facts, each with its name, such as a reason.
    pub details: Vec<(String, String)>,
}

/// A filter of acts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ActFilter {
    /// Only acts of this word.
    pub act: Option<String>,
    /// Only acts of this name.
    pub name: Option<String>,
    /// Only acts from this time on.
    pub from: Option<Timestamp>,
    /// Only acts before this time.
    pub to: Option<Timestamp>,
}

/// Adds acts with their entries in the house's chain, in the caller's transaction.
pub(crate) async fn add_acts(
    transaction: &mut PgConnection,
    at: Timestamp,
    acts: &[NewAct],
) -> Result<(), StoreError> {
    lock_chain(transaction).await?;
    let last = sqlx::query(LAST_ACT.sql);
    let last = last
        .fetch_optional(&mut *transaction)
        .await
        .in_statement(LAST_ACT)?;
    let last = last.as_ref().map(|row| {
        let row = RowReader::new(LAST_ACT, "act", row);
        row.number::<u64, i64>("number")
    });
    let first = last.transpose()?.unwrap_or(0) + 1;
    let mut facts = Vec::with_capacity(acts.len());
    for (number, new) in (first..).zip(acts) {
        let act = Act {
            number,
            at,
            act: new.act.to_owned(),
            actor: new.actor,
            name: new.name.clone(),
            proof: new.proof.to_owned(),
            address: new.address.clone(),
            subject: new.subject.clone(),
            details: new.details.clone(),
        };
        insert(transaction, &act).await?;
        facts.push(fact(&act));
    }
    append(transaction, at, &facts).await
}

async fn insert(transaction: &mut PgConnection, act: &Act) -> Result<(), StoreError> {
    let details = act
        .details
        .iter()
        .flat_map(|(name, value)| [name.clone(), value.clone()]);
    sqlx::query(ADD_ACT.sql)
        .bind(to_bigint(act.number))
        .bind(act.at.0)
        .bind(&act.act)
        .bind(act.actor.map(|actor| actor.0))
        .bind(&act.name)
        .bind(&act.proof)
        .bind(&act.address)
        .bind(&act.subject)
        .bind(details.collect::<Vec<_>>())
        .execute(transaction)
        .await
        .in_statement(ADD_ACT)
        .map(drop)
}

/// Returns the fact of an act for the house's chain.
fn fact(act: &Act) -> HouseFact {
    HouseFact::Access(AccessFact::Act {
        number: act.number,
        digest: act.digest(),
    })
}

impl Store {
    /// Records acts.
    ///
    /// # Errors
    /// If the database refuses.
    pub async fn record_acts(&self, at: Timestamp, acts: &[NewAct]) -> Result<(), StoreError> {
        self.run_tx("act.record", async |transaction: &mut PgConnection| {
            add_acts(transaction, at, acts).await
        })
        .await
    }

    /// Returns at most [`ACTS_MAX`] acts before a number, newest first, and one more if that is asked for.
    ///
    /// # Errors
    /// If the query fails.
    pub async fn acts(
        &self,
        filter: &ActFilter,
        before: Option<u64>,
        limit: usize,
    ) -> Result<Vec<Act>, StoreError> {
        let query = sqlx::query(LIST_ACTS.sql)
            .bind(to_bigint(before.unwrap_or(u64::MAX)))
            .bind(&filter.act)
            .bind(&filter.name)
            .bind(filter.from.map(|from| from.0))
            .bind(filter.to.map(|to| to.0))
            .bind(bounded(limit, ACTS_MAX + 1));
        let rows = self.inner.rows(LIST_ACTS, query).await?;
        rows.iter().map(|row| act(LIST_ACTS, row)).collect()
    }

    /// Returns the number of acts of a word since a moment.
    ///
    /// # Errors
    /// If the query fails.
    pub async fn count_acts(&self, word: &str, since: Timestamp) -> Result<u64, StoreError> {
        let query = sqlx::query(COUNT_ACTS.sql).bind(word).bind(since.0);
        let row = self.inner.row(COUNT_ACTS, query).await?;
        let count = |row| RowReader::new(COUNT_ACTS, "act", row).number::<u64, i64>("found");
        row.as_ref().map_or(Ok(0), count)
    }

    /// Returns the facts in the rows of acts after a number, at most [`ACTS_MAX`], each with its number.
    ///
    /// # Errors
    /// If the query fails.
    pub async fn house_acts(&self, after: u64) -> Result<Vec<(u64, HouseFact)>, StoreError> {
        let query = sqlx::query(ACTS.sql)
            .bind(to_bigint(after))
            .bind(bounded(ACTS_MAX, ACTS_MAX));
        let rows = self.inner.rows(ACTS, query).await?;
        let numbered = |row| act(ACTS, row).map(|act| (act.number, fact(&act)));
        rows.iter().map(numbered).collect()
    }
}

fn act(statement: Statement, row: &PgRow) -> Result<Act, StoreError> {
    let row = RowReader::new(statement, "act", row);
    let details: Vec<String> = row.get("details")?;
    let actor: Option<i32> = row.get("actor_id")?;
    let pair = |pair: &[String]| match pair {
        [name, value] => Some((name.clone(), value.clone())),
        _ => None,
    };
    Ok(Act {
        number: row.number::<u64, i64>("number")?,
        at: Timestamp(row.get("at")?),
        act: row.get("act")?,
        actor: actor.map(ActorId),
        name: row.get("name")?,
        proof: row.get("proof")?,
        address: row.get("address")?,
        subject: row.get("subject")?,
        details: details.chunks(2).filter_map(pair).collect(),
    })
}
