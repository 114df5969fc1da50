//! The answer to a command, or the reason that it was not executed.
//!
//! An answer holds the event that the command caused, not text. Rendering an event is deterministic, so an idempotent
//! replay returns the same response.

use std::sync::Arc;
use std::time::Duration;

use meterhouse_domain::event::Recorded;
use meterhouse_domain::ids::{Sequence, Timestamp};
use meterhouse_domain::money::Money;
use meterhouse_domain::paytable::LEVELS_MAX;
use meterhouse_domain::refusal::Refusal;
use meterhouse_domain::state::LinkState;
use meterhouse_store::{ArchivedEnd, NoWrites, StoreError, THEMES_MAX};

use crate::error_chain::ErrorChain;

/// The outcome of a command, accepted or refused by the rules.
#[derive(Clone, Debug)]
pub struct Answer {
    /// The event with its outcome.
    pub outcome: Outcome,
    /// Set if the command is a replay and this is its first answer again.
    pub replayed: bool,
    /// The link's names (tables, levels), with balances newer than the outcome.
    pub link: Arc<LinkState>,
    /// The batch as of which `link` is.
    pub as_of: u64,
}

/// The event that one command caused, with its position in the journal.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// The event, with its sender.
    pub recorded: Arc<Recorded>,
    /// The amounts that the signs show right after the event.
    pub displayed: Displayed,
    /// The number of the batch.
    pub batch: u64,
    /// The position in the batch, from 0.
    pub position: u32,
    /// The server's time of the batch.
    pub at: Timestamp,
}

/// The displayed amounts of a link's levels, in their order.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Displayed {
    amounts: [Money; LEVELS_MAX],
    len: usize,
}

impl Displayed {
    /// Returns the amounts that the signs show in this state.
    pub fn of(state: &LinkState) -> Self {
        Self::from_amounts(state.displayed())
    }

    /// Returns these amounts, cut to the cent. More than a paytable's maximum number of levels are left out.
    pub fn from_amounts(amounts: impl Iterator<Item = Money>) -> Self {
        let mut displayed = Self {
            amounts: [Money::ZERO; LEVELS_MAX],
            len: 0,
        };
        for (shown, amount) in displayed.amounts.iter_mut().zip(amounts) {
            *shown = amount.displayed();
            displayed.len += 1;
        }
        displayed
    }

    /// Returns the amounts, level by level.
    pub fn amounts(&self) -> &[Money] {
        &self.amounts[..self.len]
    }
}

/// A result of a request that may be sent again. Only the first request has an effect.
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

/// The reason that a command was not executed. No denial uses up a table's sequence number.
#[derive(Clone, Debug, thiserror::Error)]
pub enum NotExecuted {
    /// No link has this name.
    #[error("there is no link {0:?}")]
    UnknownLink(String),
    /// No table has this name.
    #[error("there is no table {0:?}")]
    UnknownTable(String),
    /// No hit has this name.
    #[error("there is no hit {0:?}")]
    UnknownHit(String),
    /// A document that was used for a payout of another hit.
    #[error("the document belongs to the hit {hit}")]
    DocumentUsed {
        /// Name of the other hit.
        hit: String,
    },
    /// No theme of the house has this name.
    #[error("there is no theme {0:?}")]
    UnknownTheme(String),
    /// No picture of a theme has this digest.
    #[error("there is no picture {0}")]
    UnknownArtwork(String),
    /// A theme that links present themselves by: some of their names.
    #[error("links present themselves by this theme: {0}")]
    ThemeUsed(String),
    /// A house with as many themes as it may have.
    #[error("the house has {THEMES_MAX} themes")]
    TooManyThemes,
    /// A theme whose texts don't stand out: each field to change, with what is wrong with it.
    #[error("{}", told(.0))]
    LowContrast(Vec<(String, String)>),
    /// No slip has this number.
    #[error("there is no slip {0}")]
    UnknownSlip(u64),
    /// The link has no proposal of this name.
    #[error("there is no proposal {0:?}")]
    UnknownProposal(String),
    /// The event at this position of the link's journal is no exception, or there is no such event.
    #[error("there is no exception at {0}")]
    UnknownException(String),
    /// An exception that the person who clears it caused.
    #[error("{by} caused this exception")]
    OwnException {
        /// Name of the person.
        by: String,
    },
    /// A day to which batches may still be added.
    #[error("the day is not over")]
    DayNotOver {
        /// First moment after the day.
        end: Timestamp,
    },
    /// A day with exceptions that nobody cleared.
    #[error("exceptions of this day are open")]
    ExceptionsOpen {
        /// Number of them.
        open: usize,
    },
    /// A day whose books don't balance, or with a decrease that nothing explains.
    #[error("the books of this day don't balance")]
    DayUnbalanced {
        /// Sum of the decreases without a cause.
        unmatched: Money,
    },
    /// A moment before the link was opened.
    #[error("the link was opened later")]
    NotOpenYet {
        /// Time of the link's first batch.
        opened: Timestamp,
    },
    /// A moment that has not passed.
    #[error("nothing is known of the future")]
    TimeInFuture {
        /// The server's time.
        now: Timestamp,
    },
    /// A change that needs two departments, by a person who belongs to none.
    #[error("you belong to no department")]
    NoDepartment,
    /// A sequence number ahead of the next one.
    #[error("the next number of this table is {expected}")]
    SequenceGap {
        /// The next sequence number.
        expected: Sequence,
    },
    /// A sequence number that was used for another command.
    #[error("this number was used for another command")]
    SequenceReused,
    /// A repeat of a command whose outcome is in the file of an archived month. Nothing was counted.
    #[error("this number was used long ago, and its outcome is in the archive of {month}")]
    SequenceArchived {
        /// Newest archived month of the link.
        month: String,
    },
    /// A read that needs events of an archived month.
    #[error("the journal up to {through} is archived, the newest of it in the file of {month}")]
    PositionArchived {
        /// Newest archived month of the link.
        month: String,
        /// Position of the last archived event.
        through: String,
    },
    /// A proof of what no signed head covers.
    #[error("the newest signed head is {head} and ends with batch {through}")]
    NotSigned {
        /// Number of the newest signed head; 0 without one.
        head: u64,
        /// Last batch that it covers.
        through: u64,
    },
    /// A name that exists with other content: the fields that differ.
    #[error("it exists already with other content")]
    RequestReused(Vec<(String, String)>),
    /// A refusal by the rules without a journal entry: opening a link, or deciding on a hit of a closed round.
    #[error(transparent)]
    Refused(Refusal),
    /// A table over its limit of journaled refusals.
    #[error("too many refused commands from this table")]
    TooManyRefusals {
        /// The time until the next refusal may be journaled.
        retry_after: Duration,
    },
    /// A full queue, or a command that waited too long in it.
    #[error("too many commands are waiting for this link")]
    Busy,
    /// No permit left for one more display.
    #[error("too many displays are listening")]
    TooManyFeeds,
    /// A database that can't be reached. Nothing was counted.
    #[error("the database can't be reached; nothing was counted")]
    DatabaseUnavailable,
    /// A database that answers and takes no writes. Nothing was counted.
    #[error("the database takes no writes: {0}; nothing was counted")]
    DatabaseNotWritable(NoWrites),
    /// A commit of unknown outcome: the connection to the database was lost. The command may have been counted.
    #[error("the database was lost while committing; send the command again")]
    OutcomeUnknown,
    /// A signing key that can't vouch for a credential now. Nothing was changed.
    #[error("the signing key can't be used, so that no login, password, code or token is made")]
    SigningKeyUnavailable,
    /// A link whose books are still being compared after it was loaded. Nothing was counted.
    #[error("the link's books are being checked; nothing was counted")]
    BooksNotChecked,
    /// A stored row of a hit that differs from the journal.
    #[error("hit {hit} is stored differently from what the journal says")]
    HitDiffers {
        /// The name of the hit.
        hit: String,
    },
    /// A link that accepts nothing until people have cleared its fault.
    #[error("the link is faulted: {reason}")]
    LinkFaulted {
        /// The reason of the fault.
        reason: String,
    },
}

/// Returns what is wrong with each field, once.
fn told(low: &[(String, String)]) -> String {
    let mut all: Vec<&str> = low.iter().map(|(_, told)| told.as_str()).collect();
    all.dedup();
    all.join("; ")
}

impl NotExecuted {
    /// Returns the denial for an error of the store, after which nothing was counted.
    pub(crate) fn by_store(error: &StoreError) -> Self {
        if let StoreError::Archived(end) = error {
            return Self::archived(end);
        }
        if matches!(error, StoreError::NotVouched) {
            return Self::SigningKeyUnavailable;
        }
        error
            .no_writes()
            .map_or(Self::DatabaseUnavailable, Self::DatabaseNotWritable)
    }
}

impl NotExecuted {
    /// Returns the denial for a read that needs archived events.
    pub(crate) fn archived(end: &ArchivedEnd) -> Self {
        Self::PositionArchived {
            month: end.month.to_string(),
            through: end.through.to_string(),
        }
    }
}

/// Returns the denial for a query that failed, and logs its cause.
#[expect(
    clippy::needless_pass_by_value,
    reason = "map_err passes the error by value"
)]
pub(crate) fn unavailable(error: StoreError) -> NotExecuted {
    // What vouches has logged its own failure.
    if !matches!(error, StoreError::Archived(_) | StoreError::NotVouched) {
        tracing::warn!(error = %ErrorChain(&error), "the database can't be queried");
    }
    NotExecuted::by_store(&error)
}

/// Returns the denial for a journal that can't be read.
pub(crate) fn damaged(what: &str) -> NotExecuted {
    NotExecuted::LinkFaulted {
        reason: format!("the journal is damaged: {what}"),
    }
}
