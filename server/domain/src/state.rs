//! The state of one link: what [`crate::decide`] reads and [`crate::apply`] changes.
//!
//! # Shape
//! Balances of every book, tables with their open rounds, hits inside their rounds. Tables and standing hits
//! stand behind `Arc`, so that a clone is a draft: cheap to make, changed where touched, dropped on any
//! failure, and what readers hold never moves under them.
//!
//! # What bounds it
//! One open round a table; hits live in their round until GAME OVER; of each level only the hits are kept on
//! which an open round or a revocable hit still depends.

use std::sync::Arc;

use crate::card::Card;
use crate::command::Holder;
use crate::event::{HitKind, Payout, Taken};
use crate::hand::Hand;
use crate::link::{Account, Added, Balances, Book, LinkTerms, Move, Share};
use crate::money::Money;
use crate::name::{
    ActorId, Badge, Document, GameName, HitId, HitOrder, PlayerName, Sequence, TableName, TableNo,
};
use crate::paytable::GameRules;
use crate::seat::{Seat, SeatSet};

/// The state of one link.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LinkState {
    /// What it was opened with.
    pub terms: Arc<LinkTerms>,
    /// What each wager adds; derived from the terms.
    pub shares: Arc<[Share]>,
    /// Why it accepts nothing, if the rules broke.
    pub fault: Option<Arc<str>>,
    /// The balances of every book: the levels in their order, then the fixed pays.
    pub balances: Vec<Balances>,
    /// Of every level, the standing hits that something still depends on, oldest first.
    pub standing: Vec<Arc<Vec<StandingHit>>>,
    /// The newest hit's place; 0 before the first.
    pub last_order: HitOrder,
    /// The tables; number n stands at n - 1.
    pub tables: Vec<Arc<Table>>,
}

/// A hit that took from a level and was not undone.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct StandingHit {
    /// Its place among all hits.
    pub order: HitOrder,
    /// Which one.
    pub hit: HitId,
    /// Whether its reset took something out of the reserve.
    pub took_reserve: bool,
}

/// A table of the link.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Table {
    /// Its name.
    pub name: TableName,
    /// Its game.
    pub game: GameName,
    /// Seats on its layout.
    pub seats: u8,
    /// How its game forms hands and what a fold does.
    pub rules: GameRules,
    /// The last number used up; 0 before the first.
    pub last_sequence: Sequence,
    /// The open round.
    pub round: Option<Round>,
}

/// An open round.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Round {
    /// Its coin-in.
    pub sequence: Sequence,
    /// Seats with a wager on their own hand.
    pub own: SeatSet,
    /// Seats with a wager on the dealer's hand.
    pub dealer: SeatSet,
    /// Seats that got cards.
    pub dealt: SeatSet,
    /// Who sits where, as far as the table said, ascending by seat.
    pub players: Vec<(Seat, PlayerName)>,
    /// Seats that folded.
    pub folded: SeatSet,
    /// The newest hit of the link when the bets were locked.
    pub order_at_coin_in: HitOrder,
    /// What the wagers added.
    pub added: Added,
    /// Its hits in the order they were keyed.
    pub hits: Vec<Arc<Hit>>,
}

/// A hit of an open round.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hit {
    /// The command that keyed it.
    pub sequence: Sequence,
    /// Its place among all hits.
    pub order: HitOrder,
    /// Whose token keyed it.
    pub keyed_by_actor: ActorId,
    /// The badge that keyed it.
    pub keyed_by: Option<Badge>,
    /// A line or envy alone.
    pub kind: HitKind,
    /// Whose hand.
    pub holder: Holder,
    /// The hand.
    pub hand: Hand,
    /// The cards, where the table sent them.
    pub cards: Option<Vec<Card>>,
    /// What it took from a level.
    pub taken: Option<Taken>,
    /// What has to be paid.
    pub payouts: Vec<PayoutState>,
    /// Where it stands.
    pub status: HitStatus,
    /// Its entries.
    pub moves: Vec<Move>,
}

/// Where a hit stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum HitStatus {
    /// Waits for a floorperson.
    Pending,
    /// Needs none: validated by rule, the button may be pressed again until GAME OVER.
    ValidatedByRule,
    /// A person validated it.
    Validated {
        /// Whose token.
        actor: ActorId,
        /// The person's name.
        by: Option<Badge>,
    },
    /// The button was pressed again.
    Cancelled,
    /// A supervisor rejected it.
    Rejected {
        /// Whose token.
        actor: ActorId,
    },
}

/// A payout and whether it reached the player.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PayoutState {
    /// What has to be paid.
    pub payout: Payout,
    /// Whether it was.
    pub paid: Option<Payment>,
}

/// How a payout was paid.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Payment {
    /// Whose token said so.
    pub actor: ActorId,
    /// The document.
    pub document: Document,
}

impl LinkState {
    /// The table with this number.
    pub fn table(&self, table: TableNo) -> Option<&Table> {
        self.tables.get(table_index(table)?).map(Arc::as_ref)
    }

    /// The number of the table with this name.
    pub fn table_no(&self, name: &TableName) -> Option<TableNo> {
        let index = self.tables.iter().position(|table| table.name == *name)?;
        u32::try_from(index + 1).ok().map(TableNo)
    }

    /// The hit, while its round is open.
    pub fn hit(&self, hit: HitId) -> Option<&Hit> {
        self.table(hit.table)?.round.as_ref()?.hit(hit.sequence)
    }

    /// The exact balance of one account.
    pub fn balance(&self, book: Book, account: Account) -> Money {
        self.balances
            .get(book.index())
            .map_or(Money::ZERO, |it| it.of(account))
    }

    /// What the signs show for each level: its meter, cut to the cent.
    pub fn displayed(&self) -> impl Iterator<Item = Money> {
        let levels = self.terms.content().levels.len();
        self.balances
            .iter()
            .take(levels)
            .map(|it| it.of(Account::Meter).displayed())
    }
}

/// The place of a table in [`LinkState::tables`].
pub(crate) fn table_index(table: TableNo) -> Option<usize> {
    usize::try_from(table.0).ok()?.checked_sub(1)
}

impl Round {
    /// One of its hits.
    pub fn hit(&self, sequence: Sequence) -> Option<&Hit> {
        self.hits
            .iter()
            .map(Arc::as_ref)
            .find(|hit| hit.sequence == sequence)
    }

    /// Its hits that were not undone.
    pub fn standing_hits(&self) -> impl DoubleEndedIterator<Item = &Hit> {
        self.hits.iter().map(Arc::as_ref).filter(|hit| hit.stands())
    }

    /// Who sits on a seat, as far as the table said.
    pub fn player(&self, seat: Seat) -> Option<&PlayerName> {
        self.players
            .iter()
            .find(|(it, _)| *it == seat)
            .map(|(_, player)| player)
    }

    /// Whether two seats are one player's: the same seat, or the same name on both.
    pub fn same_player(&self, one: Seat, other: Seat) -> bool {
        one == other
            || self
                .player(one)
                .is_some_and(|player| self.player(other) == Some(player))
    }
}

impl Hit {
    /// Whether it was neither cancelled nor rejected.
    pub const fn stands(&self) -> bool {
        match self.status {
            HitStatus::Pending | HitStatus::ValidatedByRule | HitStatus::Validated { .. } => true,
            HitStatus::Cancelled | HitStatus::Rejected { .. } => false,
        }
    }

    /// Whether the dealer may still undo it: no person has validated it and nothing of it is paid.
    pub fn is_revocable(&self) -> bool {
        match self.status {
            HitStatus::Pending | HitStatus::ValidatedByRule => {
                self.payouts.iter().all(|payout| payout.paid.is_none())
            }
            HitStatus::Validated { .. } | HitStatus::Cancelled | HitStatus::Rejected { .. } => {
                false
            }
        }
    }
}
