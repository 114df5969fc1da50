//! The fixed wagers of a round at a link's table, which are settled with its cards.
//!
//! # Shape
//! A table sends [`PlayedWagers`] beside the cards of `settle`. They have no cards of their own, so that the progressive
//! hits and the fixed wagers are those of one deal. The wagers are settled by [`settle`](crate::fixed::settle::settle())
//! before the command is decided, by the tables in force then. Command and event carry the result, so that neither a
//! decision nor a replay needs a table.
//!
//! # Bounds
//! [`FINDINGS_MAX`] findings, each with a path, a code and a sentence of at most [`FINDING_CHARS_MAX`] characters.

use crate::adopted::Returned;
use crate::card::Card;
use crate::fixed::settle::{PlacedWager, SeatEnd, SettledRound, TableTerms};
use crate::ids::{GameName, PaytableId, PlayerName, ReadingName};
use crate::seat::Seat;

/// Findings that a command carries; further ones are left out.
pub const FINDINGS_MAX: usize = 64;
/// Characters of a finding's sentence; a longer one is cut.
pub const FINDING_CHARS_MAX: usize = 512;

/// The fixed wagers of a round as a table sends them, beside the cards.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlayedWagers {
    /// Code of the jurisdiction: `PA` or `MA`.
    pub jurisdiction: String,
    /// Terms of the table.
    pub terms: TableTerms,
    /// Ids of the tables that pay the wagers.
    pub tables: Vec<PaytableId>,
    /// Cards of the Six Card Bonus or the All-Six Bonus; empty if that wager was not placed.
    pub bonus: Vec<Card>,
    /// Seats that were dealt in, in any order.
    pub seats: Vec<SeatWagers>,
}

/// The fixed wagers and decisions of one seat.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SeatWagers {
    /// Seat.
    pub seat: Seat,
    /// Player, if known: seats with one name are one player, seats without a name are different players.
    pub player: Option<PlayerName>,
    /// End of the player's part in the round.
    pub end: SeatEnd,
    /// Wagers placed, in any order.
    pub wagers: Vec<PlacedWager>,
}

/// The result of the fixed wagers by the tables in force.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WagersResult {
    /// Every wager is settled.
    Settled(Box<SettledWagers>),
    /// Mistakes in the wagers; the rules refuse the command.
    Refused(Vec<WagerFinding>),
}

/// The settled wagers of a round, with all that an answer about them has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SettledWagers {
    /// Game of the table.
    pub game: GameName,
    /// Chosen tables, in the order in which the table sent them.
    pub tables: Vec<PayingTable>,
    /// Settled wagers, seat by seat.
    pub round: SettledRound,
}

/// A table of fixed wagers as it was when it paid a round.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PayingTable {
    /// Id.
    pub id: PaytableId,
    /// Title for people.
    pub title: String,
    /// Clause that prints the table.
    pub citation: String,
    /// Values that the source omits.
    pub omissions: Vec<Omission>,
    /// Reading of its print that paid; `None` for the print.
    pub reading: Option<ReadingName>,
    /// Return, if two people have to adopt the table: it is more than the wager, or the print was read.
    pub returns: Option<Returned>,
}

/// A value that a table's source omits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Omission {
    /// Part of the table, such as `bets`.
    pub what: String,
    /// Clause that would have the value.
    pub place: String,
    /// Clause that the value was inferred from, if it was.
    pub inferred_from: Option<String>,
}

/// A mistake in the fixed wagers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WagerFinding {
    /// Path of the field in the command, such as `wagers.seats[0].wagers[2].amount`.
    pub path: String,
    /// Stable code.
    pub code: String,
    /// Sentence for people, with the remedy.
    pub detail: String,
}

/// The fixed wagers of a settled round, as its event holds them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordedWagers {
    /// Wagers as the table sent them.
    pub played: PlayedWagers,
    /// Settled wagers.
    pub settled: SettledWagers,
}

impl PlayedWagers {
    /// Puts seats and wagers into one order: the order in which they were sent has no meaning.
    pub(crate) fn sort(&mut self) {
        self.seats.sort_by_key(|sent| sent.seat);
        for sent in &mut self.seats {
            sent.wagers
                .sort_by_key(|placed| (placed.wager, placed.amount));
        }
    }
}

impl WagersResult {
    /// Returns the result of mistakes, within the bounds.
    pub fn refused(findings: impl IntoIterator<Item = WagerFinding>) -> Self {
        let bounded = |finding: WagerFinding| WagerFinding {
            detail: finding.detail.chars().take(FINDING_CHARS_MAX).collect(),
            ..finding
        };
        let findings = findings.into_iter().take(FINDINGS_MAX);
        Self::Refused(findings.map(bounded).collect())
    }
}
