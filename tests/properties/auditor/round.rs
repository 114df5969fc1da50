//! What the auditor keeps of a table: its rounds, and what it said under which number.

use std::collections::{BTreeMap, BTreeSet};

use meterhouse_domain::command::{Holder, TableCommand};

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
    /// Rounds that GAME OVER closed, oldest first.
    pub(crate) closed: Vec<Closed>,
    /// Whether it is lost, and if so whether it has to say that it is back.
    pub(crate) lost: Option<bool>,
    /// Whether a manager disabled it.
    pub(crate) disabled: bool,
    /// Whether it left the link.
    pub(crate) left: bool,
    /// When the minute began in which it locked its newest round, and how many it locked in it.
    pub(crate) minute: Option<(i64, u32)>,
}

/// An open round.
#[derive(Clone, Debug)]
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
    /// What of it a ceiling moved on.
    pub(crate) over: Vec<Entry>,
    /// The drawn card as text.
    pub(crate) magic_card: Option<String>,
    /// The drawn position.
    pub(crate) lucky: Option<Who>,
    /// Whether a hit was keyed, undone or not.
    pub(crate) keyed: bool,
}

/// A round after GAME OVER.
#[derive(Debug)]
pub(crate) struct Closed {
    /// As it was.
    pub(crate) round: Round,
    /// What each level displayed then.
    pub(crate) displayed: Vec<i128>,
    /// The link's newest hit then.
    pub(crate) order: u64,
    /// When, by the auditor's own clock.
    pub(crate) at: u64,
}

/// A token and the badge that came with it.
pub(crate) type Person = (i32, Option<String>);

/// Whose hand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
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

impl Round {
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

    /// Whether a fold lost this seat the wager on its own hand.
    pub(crate) fn forfeited(&self, sheet: &Sheet, seat: u8) -> bool {
        !sheet.hand_bonus && self.folded.contains(&seat)
    }

    /// Whether this seat's hand is worth a line.
    pub(crate) fn plays(&self, sheet: &Sheet, seat: u8) -> bool {
        self.own.contains(&seat) && !self.forfeited(sheet, seat)
    }

    /// Whether this seat's hand, worth no line to itself, still gives envy.
    pub(crate) fn gives_envy_alone(&self, sheet: &Sheet, seat: u8) -> bool {
        self.dealt.contains(&seat) && !self.plays(sheet, seat) && self.lies_there(sheet, seat)
    }

    /// Whether the cards of this seat are still on the table.
    pub(crate) fn lies_there(&self, sheet: &Sheet, seat: u8) -> bool {
        sheet.folded_cards_stay || !self.folded.contains(&seat)
    }

    /// Seats with a wager on this hand, in turn order.
    pub(crate) fn wagers_on(&self, who: Who) -> Vec<u8> {
        match who {
            Who::Seat(seat) => vec![seat],
            Who::Dealer => self.dealer.iter().rev().copied().collect(),
        }
    }

    /// Who has such a wager: players, each on his first seat in turn order.
    pub(crate) fn players_on(&self, who: Who) -> Vec<u8> {
        let mut players: Vec<u8> = Vec::new();
        for seat in self.wagers_on(who) {
            if !players.iter().any(|it| self.one_player(*it, seat)) {
                players.push(seat);
            }
        }
        players
    }

    /// Hands on which a wager counts, in turn.
    pub(crate) fn turns(&self, sheet: &Sheet) -> Vec<Who> {
        let seats = self.own.iter().filter(|seat| self.plays(sheet, **seat));
        let mut all: Vec<Who> = seats.map(|seat| Who::Seat(*seat)).collect();
        if !self.dealer.is_empty() {
            all.push(Who::Dealer);
        }
        all.sort_by_key(|who| self.turn(*who));
        all
    }
}
