//! What the auditor keeps of a table: its open round with its hits, and what it said under which number.

use std::collections::{BTreeMap, BTreeSet};

use meterhouse_domain::command::{Holder, TableCommand};
use meterhouse_domain::hand::Hand;

use super::books::Entry;
use super::sheet::Sheet;

/// A table.
#[derive(Debug, Default)]
pub(crate) struct Felt {
    /// The last number used up.
    pub(crate) last: u64,
    /// Every command under a number used up, and whether the rules accepted it.
    pub(crate) said: Vec<(TableCommand, bool)>,
    /// The open round.
    pub(crate) round: Option<Round>,
}

/// An open round.
#[derive(Debug)]
pub(crate) struct Round {
    /// Its coin-in's number.
    pub(crate) number: u64,
    /// When it was locked, by the auditor's own clock.
    pub(crate) locked_at: u64,
    /// Seats with a wager on their own hand.
    pub(crate) own: BTreeSet<u8>,
    /// Seats with a wager on the dealer's.
    pub(crate) dealer: BTreeSet<u8>,
    /// Seats with cards.
    pub(crate) dealt: BTreeSet<u8>,
    /// Seats that folded.
    pub(crate) folded: BTreeSet<u8>,
    /// Who sits where.
    pub(crate) names: BTreeMap<u8, String>,
    /// What the wagers added.
    pub(crate) added: Vec<Entry>,
    /// All hits, undone ones too.
    pub(crate) hits: Vec<Hit>,
}

/// A token and the badge that came with it.
pub(crate) type Person = (i32, Option<String>);

/// Whose hand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Who {
    /// A seat's.
    Seat(u8),
    /// The dealer's.
    Dealer,
}

impl Who {
    /// As a command says it.
    pub(crate) const fn of(holder: Holder) -> Self {
        match holder {
            Holder::Seat(seat) => Self::Seat(seat.0),
            Holder::Dealer => Self::Dealer,
        }
    }
}

/// A hit.
#[derive(Clone, Debug)]
pub(crate) struct Hit {
    /// The command that keyed it.
    pub(crate) number: u64,
    /// When, by the auditor's own clock.
    pub(crate) at: u64,
    /// Whose token and badge keyed it.
    pub(crate) keyed_by: Person,
    /// Whose hand.
    pub(crate) who: Who,
    /// Whether it is a line; else envy alone.
    pub(crate) line: bool,
    /// The hand.
    pub(crate) hand: Hand,
    /// The cards as text.
    pub(crate) cards: Vec<String>,
    /// The level it took from, and whether its reset took from the reserve.
    pub(crate) took: Option<(usize, bool)>,
    /// What is due.
    pub(crate) due: Vec<Due>,
    /// Where it stands.
    pub(crate) status: Status,
    /// Its entries.
    pub(crate) entries: Vec<Entry>,
}

/// Where a hit stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Status {
    /// Waits for a person.
    Pending,
    /// Needs none.
    ByRule,
    /// This person validated it.
    Validated(i32),
    /// The button again.
    Cancelled,
    /// This person rejected it.
    Rejected(i32),
}

/// How a payout reaches the player.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Way {
    /// With a document.
    Slip,
    /// From the tray.
    Rack,
    /// To the game account.
    Account,
}

/// A payout.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Due {
    /// The seat.
    pub(crate) seat: u8,
    /// Who sits there.
    pub(crate) player: Option<String>,
    /// Whether it is envy.
    pub(crate) envy: bool,
    /// How much.
    pub(crate) micros: i128,
    /// How.
    pub(crate) way: Way,
    /// Its document, once paid.
    pub(crate) document: Option<String>,
}

impl Hit {
    /// Neither cancelled nor rejected.
    pub(crate) const fn stands(&self) -> bool {
        !matches!(self.status, Status::Cancelled | Status::Rejected(_))
    }

    /// Whether something of it is paid.
    pub(crate) fn paid(&self) -> bool {
        self.due.iter().any(|due| due.document.is_some())
    }
}

impl Round {
    /// The hits that stand.
    pub(crate) fn standing(&self) -> impl Iterator<Item = &Hit> {
        self.hits.iter().filter(|hit| hit.stands())
    }

    /// Whether two seats are one player's.
    pub(crate) fn one_player(&self, one: u8, other: u8) -> bool {
        one == other
            || (self.names.contains_key(&one) && self.names.get(&one) == self.names.get(&other))
    }

    /// When it is whose turn: counterclockwise from the player farthest to the dealer's right. Twice the
    /// seats passed, and one more for the dealer, who follows the first seat that wagered on his hand.
    pub(crate) fn turn(&self, who: Who) -> i32 {
        match who {
            Who::Seat(seat) => -2 * i32::from(seat),
            Who::Dealer => -2 * self.dealer.last().map_or(0, |seat| i32::from(*seat)) + 1,
        }
    }

    /// Hands that could be keyed now, in turn: a wager is on them, nothing was keyed for them or after them.
    pub(crate) fn open_turns(&self, sheet: &Sheet) -> Vec<Who> {
        let forfeited = |seat: &u8| !sheet.hand_bonus && self.folded.contains(seat);
        let seats = self.own.iter().filter(|seat| !forfeited(seat));
        let mut all: Vec<Who> = seats.map(|seat| Who::Seat(*seat)).collect();
        if !self.dealer.is_empty() {
            all.push(Who::Dealer);
        }
        let lines = self.standing().filter(|hit| hit.line);
        let last = lines.map(|hit| self.turn(hit.who)).max();
        all.retain(|who| last.is_none_or(|last| self.turn(*who) > last));
        all.sort_by_key(|who| self.turn(*who));
        all
    }
}
