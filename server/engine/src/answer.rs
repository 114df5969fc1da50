//! What callers hear: an answer, or why there is none.
//!
//! An answer holds the event that the command caused, never text: rendering it is deterministic, so a repeat
//! hears the same again.

use std::sync::Arc;
use std::time::Duration;

use meterhouse_domain::event::Recorded;
use meterhouse_domain::ids::{Sequence, Timestamp};
use meterhouse_domain::money::Money;
use meterhouse_domain::paytable::LEVELS_MAX;
use meterhouse_domain::refusal::Refusal;
use meterhouse_domain::state::LinkState;
use meterhouse_store::{NoWrites, StoreError};

use crate::error_chain::ErrorChain;

/// The outcome of a command, accepted or refused by the rules.
#[derive(Clone, Debug)]
pub struct Answer {
    /// The event with its outcome.
    pub outcome: Outcome,
    /// Whether the command was seen before and this is its first answer again.
    pub replayed: bool,
    /// The link's names (tables, levels); its balances are newer than the outcome.
    pub link: Arc<LinkState>,
    /// The batch that `link` is as of.
    pub as_of: u64,
}

/// What one command caused and where it stands in the journal.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// The event, with who caused it.
    pub recorded: Arc<Recorded>,
    /// What the signs show right after it.
    pub displayed: Displayed,
    /// The batch.
    pub batch: u64,
    /// The place in the batch, from 0.
    pub position: u32,
    /// The server's time.
    pub at: Timestamp,
}

/// The displayed amounts of a link's levels, in their order.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Displayed {
    amounts: [Money; LEVELS_MAX],
    len: usize,
}

impl Displayed {
    /// What the signs show in this state.
    pub fn of(state: &LinkState) -> Self {
        Self::from_amounts(state.displayed())
    }

    /// These amounts, cut to the cent; more than a paytable has levels are left out.
    pub fn from_amounts(amounts: impl Iterator<Item = Money>) -> Self {
        let mut displayed = Self {
            amounts: [Money::ZERO; LEVELS_MAX],
            len: 0,
        };
        for (place, amount) in displayed.amounts.iter_mut().zip(amounts) {
            *place = amount.displayed();
            displayed.len += 1;
        }
        displayed
    }

    /// The amounts.
    pub fn amounts(&self) -> &[Money] {
        &self.amounts[..self.len]
    }
}

/// A result of a request that may be sent again: only the first one has an effect.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Idempotent<T> {
    /// The result.
    pub value: T,
    /// Set if the request was a repeat and had no effect.
    pub replayed: bool,
}

impl<T> Idempotent<T> {
    /// Returns the result of a first request.
    pub const fn first(value: T) -> Self {
        let replayed = false;
        Self { value, replayed }
    }

    /// Returns the result of a repeat.
    pub const fn repeat(value: T) -> Self {
        let replayed = true;
        Self { value, replayed }
    }

    /// Changes the result.
    pub fn map<U>(self, change: impl FnOnce(T) -> U) -> Idempotent<U> {
        Idempotent {
            value: change(self.value),
            replayed: self.replayed,
        }
    }
}

/// Why there is no answer. None of these used a table's number up.
#[derive(Clone, Debug, thiserror::Error)]
pub enum Denied {
    /// No link has this name.
    #[error("there is no link {0:?}")]
    UnknownLink(String),
    /// No table has this name.
    #[error("there is no table {0:?}")]
    UnknownTable(String),
    /// No hit has this name.
    #[error("there is no hit {0:?}")]
    UnknownHit(String),
    /// The link has no proposal of this name.
    #[error("there is no proposal {0:?}")]
    UnknownProposal(String),
    /// What needs two departments needs to know which the person's is.
    #[error("the holder of this token belongs to no department")]
    NoDepartment,
    /// Numbers before this one are missing.
    #[error("the next number of this table is {expected}")]
    SequenceGap {
        /// The number that has to come first.
        expected: Sequence,
    },
    /// The number was used for another command.
    #[error("this number was used for another command")]
    SequenceReused,
    /// The name was used with other content.
    #[error("it exists already with other content")]
    RequestReused(Vec<(String, String)>),
    /// The rules refuse something that has no journal entry of its own: opening a link, a hit of a closed
    /// round.
    #[error(transparent)]
    Refused(Refusal),
    /// The table had more refusals written than it may.
    #[error("too many refused commands from this table")]
    TooManyRefusals {
        /// When the next one may come.
        retry_after: Duration,
    },
    /// More waits than may wait.
    #[error("too many commands are waiting for this link")]
    Busy,
    /// More listen than may listen.
    #[error("too many displays are listening")]
    TooManyFeeds,
    /// The database can't be reached; nothing was counted.
    #[error("the database can't be reached; nothing was counted")]
    DatabaseUnavailable,
    /// The database answers and takes no writes; nothing was counted.
    #[error("the database takes no writes: {0}; nothing was counted")]
    DatabaseNotWritable(NoWrites),
    /// The database was lost in the middle of the commit: whether the command was counted is not known yet.
    #[error("the database was lost while committing; send the command again")]
    OutcomeUnknown,
    /// The link was just loaded and its books are being compared; nothing was counted.
    #[error("the link's books are being checked; nothing was counted")]
    BooksNotChecked,
    /// The stored row of a hit is not what the journal says.
    #[error("hit {hit} is stored differently from what the journal says")]
    HitDiffers {
        /// The hit.
        hit: String,
    },
    /// The link accepts nothing until people have looked at it.
    #[error("the link is faulted: {reason}")]
    LinkFaulted {
        /// What broke.
        reason: String,
    },
}

impl Denied {
    /// The denial for an error of the store, after which nothing was counted.
    pub(crate) fn by_store(error: &StoreError) -> Self {
        error
            .no_writes()
            .map_or(Self::DatabaseUnavailable, Self::DatabaseNotWritable)
    }
}

/// Returns the denial for a query that failed, and logs its cause.
#[expect(
    clippy::needless_pass_by_value,
    reason = "map_err passes the error by value"
)]
pub(crate) fn unavailable(error: StoreError) -> Denied {
    tracing::warn!(error = %ErrorChain(&error), "the database can't be queried");
    Denied::by_store(&error)
}

/// Returns the denial for a journal that can't be read.
pub(crate) fn damaged(what: &str) -> Denied {
    Denied::LinkFaulted {
        reason: format!("the journal is damaged: {what}"),
    }
}
