//! The state of one link, which [`crate::decide`] reads and [`crate::apply`] changes.
//!
//! # Shape
//! Balances of every book, tables with open rounds and their hits, hits of closed rounds, proposals. Tables, hits and
//! lists of them are behind `Arc`, so that a clone is a cheap draft: it copies only the changed parts and is dropped
//! on any failure. The values that readers hold never change.
//!
//! # Bounds
//! One open round a table; a hit stays in its round until the round is closed or void. Each book keeps the last
//! [`CLOSED_HITS_KEPT`] paid hits of closed rounds, and all that are not wholly paid. Each level keeps the standing
//! hits since the oldest open round was locked, and the last [`RESETS_KEPT`] resets. [`PROPOSALS_MAX`] proposals.

use std::sync::Arc;

use crate::adopted::AdoptedTable;
use crate::card::Card;
use crate::change::Proposal;
use crate::command::Holder;
use crate::event::{Draws, HitKind, Payout, Taken};
use crate::hand::Hand;
use crate::ids::{
    ActorId, Badge, Document, GameName, HitId, HitOrder, Note, PlayerName, Sequence, TableName,
    TableNo, Timestamp,
};
use crate::lifetime::Lifetime;
use crate::link::{Account, Added, Balances, Book, LinkTerms, Move, Share};
use crate::meter_path::MeterPath;
use crate::money::Money;
use crate::paytable::GameRules;
use crate::seat::{Seat, SeatSet};

/// The state of one link.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LinkState {
    /// Terms that the link was opened with.
    pub terms: Arc<LinkTerms>,
    /// Amounts that each wager adds; derived from the terms.
    pub shares: Arc<[Share]>,
    /// Reason of the fault, if the rules failed: the link accepts nothing.
    pub fault: Option<Arc<str>>,
    /// Balances of every book: the levels in their order, then the fixed pays.
    pub balances: Vec<Balances>,
    /// Standing hits of every level that something still depends on, oldest first.
    pub standing: Vec<Arc<Vec<StandingHit>>>,
    /// Order of the newest hit; 0 before the first.
    pub last_order: HitOrder,
    /// Tables; number n is at index n - 1.
    pub tables: Vec<Arc<Table>>,
    /// Reason of the suspension, if the link is suspended: it takes no coin-in.
    pub suspended: Option<Note>,
    /// True while it takes no coin-in because two people have not acknowledged a return above the whole wager.
    pub unacknowledged: bool,
    /// True if a manager accepted the first values, or none has to; otherwise the link takes no coin-in.
    pub values_accepted: bool,
    /// Levels that are off, one bit a level.
    pub disabled: u8,
    /// Hits of closed rounds that can still be corrected or paid, oldest first: see [`CLOSED_HITS_KEPT`].
    pub closed: Arc<Vec<Arc<ClosedHit>>>,
    /// Newest hit of every book that is no longer kept: 0 before the first.
    pub forgotten: Vec<HitOrder>,
    /// Orders of the last standing resets of every level, oldest first: see [`RESETS_KEPT`].
    pub resets: Vec<Arc<Vec<HitOrder>>>,
    /// Proposals that wait for a second person, oldest first.
    pub proposals: Arc<Vec<Proposal>>,
    /// Tables of fixed wagers that two people adopted, in the order of their ids.
    pub adopted: Arc<Vec<AdoptedTable>>,
    /// Counts since the link opened.
    pub lifetime: Lifetime,
    /// Path of every level with a ceiling since its last hit; empty if no level has one.
    pub paths: Vec<Option<Arc<MeterPath>>>,
}

/// Paid hits of closed rounds that each book keeps for corrections, as many as a controller keeps (CONFORMANCE 62).
pub const CLOSED_HITS_KEPT: usize = 25;
/// Standing resets that are kept of each level, to decide if it was won since a round closed.
pub const RESETS_KEPT: usize = 64;
/// A minute, in microseconds.
pub(crate) const MINUTE: i64 = 60_000_000;
/// Proposals that may wait on one link.
pub const PROPOSALS_MAX: usize = 64;

/// A hit whose round is closed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClosedHit {
    /// Id of the hit.
    pub id: HitId,
    /// Coin-in of its round.
    pub round: Sequence,
    /// Hit with its payouts and status.
    pub hit: Hit,
}

/// A hit that took from a level and was not undone.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct StandingHit {
    /// Order among all hits.
    pub order: HitOrder,
    /// Id of the hit.
    pub hit: HitId,
    /// True if its reset took an amount out of the reserve.
    pub took_reserve: bool,
    /// True if its reset took an amount out of the overflow.
    pub took_overflow: bool,
}

/// A table of the link.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Table {
    /// Name, unique for life.
    pub name: TableName,
    /// Game played at the table.
    pub game: GameName,
    /// Seats on its layout.
    pub seats: u8,
    /// Rules by which its game forms hands and forfeits folded ones.
    pub rules: GameRules,
    /// True if its game takes wagers on the dealer's hand; `None` if it joined before the field existed.
    pub bet_on_dealer: Option<bool>,
    /// Last number used; 0 before the first.
    pub last_sequence: Sequence,
    /// Open round, if there is one.
    pub round: Option<Round>,
    /// Set while the table is lost.
    pub lost: Option<Lost>,
    /// Minute in which its newest round was locked.
    pub minute: Minute,
    /// Reason, if the table is disabled: it takes no coin-in.
    pub disabled: Option<Note>,
    /// True if it left the link: its number and its past stay.
    pub left: bool,
}

/// A table that was silent for too long.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Lost {
    /// Time of its last sign of life.
    pub heard_at: Timestamp,
    /// True if it has to resume before its next coin-in.
    pub must_resume: bool,
}

/// Rounds that a table locked in one minute; kept only if the link limits them.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Default)]
pub struct Minute {
    /// Time of the minute's first coin-in, in microseconds since 1970 UTC.
    pub since: i64,
    /// Number of rounds.
    pub rounds: u32,
}

/// An open round.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Round {
    /// Number of its coin-in.
    pub sequence: Sequence,
    /// Seats with a wager on their own hand.
    pub own: SeatSet,
    /// Seats with a wager on the dealer's hand.
    pub dealer: SeatSet,
    /// Seats that got cards.
    pub dealt: SeatSet,
    /// Players by seat, ascending, as far as the table named them.
    pub players: Vec<(Seat, PlayerName)>,
    /// Seats that folded.
    pub folded: SeatSet,
    /// Newest hit of the link when the bets were locked.
    pub order_at_coin_in: HitOrder,
    /// Amounts that the wagers added.
    pub added: Added,
    /// Part of these amounts that a ceiling moved to the overflow.
    pub over_ceiling: Vec<(Book, Money)>,
    /// Draws of the round.
    pub draws: Draws,
    /// Hits in the order they were keyed.
    pub hits: Vec<Arc<Hit>>,
}

/// A hit: of an open round, or within a [`ClosedHit`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hit {
    /// Command that keyed it; for a late hit its round's coin-in.
    pub sequence: Sequence,
    /// Number among the hits of a `settle`, from 1; 0 if the hit was keyed by itself. A late hit has the number of
    /// its seat, the dealer's hand the number after the last possible seat.
    pub number: u8,
    /// Order among all hits.
    pub order: HitOrder,
    /// Holder of the token that keyed it.
    pub keyed_by_actor: ActorId,
    /// Badge that keyed it.
    pub keyed_by: Option<Badge>,
    /// A line, envy alone, or a bonus of the draw.
    pub kind: HitKind,
    /// Holder of the hand.
    pub holder: Holder,
    /// Hand; a bonus of the draw has none.
    pub hand: Option<Hand>,
    /// Cards, if they were sent with it.
    pub cards: Option<Vec<Card>>,
    /// Amount that it took from a level.
    pub taken: Option<Taken>,
    /// Payouts, in the order of their numbers.
    pub payouts: Vec<PayoutState>,
    /// Present status.
    pub status: HitStatus,
    /// Entries of the hit.
    pub moves: Vec<Move>,
    /// Path of its level's meter to the hit, if there is a ceiling.
    pub path: Option<Arc<MeterPath>>,
}

/// The status of a hit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum HitStatus {
    /// Waits for a floorperson.
    Pending,
    /// Needs no person: validated by rule, the button may be pressed again until GAME OVER.
    ValidatedByRule,
    /// A person validated it.
    Validated {
        /// Holder of the token.
        actor: ActorId,
        /// Name of the person.
        by: Option<Badge>,
    },
    /// The table cancelled it: the button was pressed again.
    Cancelled,
    /// A supervisor rejected it.
    Rejected {
        /// Holder of the token.
        actor: ActorId,
    },
    /// Two people withdrew it.
    Withdrawn,
}

/// A payout and its payment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PayoutState {
    /// Payout to make.
    pub payout: Payout,
    /// Payment, once it was made.
    pub paid: Option<Payment>,
}

/// The payment of a payout.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Payment {
    /// Holder of the token that reported it.
    pub actor: ActorId,
    /// Document; `None` if GAME OVER paid it.
    pub document: Option<Document>,
}

impl LinkState {
    /// Returns the table with this number.
    pub fn table(&self, table: TableNo) -> Option<&Table> {
        self.tables.get(table_index(table)?).map(Arc::as_ref)
    }

    /// Returns the number of the table with this name.
    pub fn table_no(&self, name: &TableName) -> Option<TableNo> {
        let index = self.tables.iter().position(|table| table.name == *name)?;
        u32::try_from(index + 1).ok().map(TableNo)
    }

    /// Returns the hit, while its round is open or it is kept.
    pub fn hit(&self, hit: HitId) -> Option<&Hit> {
        self.open_hit(hit).or_else(|| {
            let found = self.closed.iter().find(|kept| kept.id == hit);
            found.map(|kept| &kept.hit)
        })
    }

    /// Returns the hit, while its round is open.
    pub fn open_hit(&self, hit: HitId) -> Option<&Hit> {
        let round = self.table(hit.table)?.round.as_ref()?;
        round.hit(hit.sequence, hit.number)
    }

    /// Checks if the link takes no coin-in and nothing of it is open: no round, and no hit that is not wholly paid.
    pub fn is_closed(&self) -> bool {
        self.suspended.is_some()
            && self.tables.iter().all(|table| table.round.is_none())
            && self.closed.iter().all(|kept| kept.hit.is_paid())
    }

    /// Checks if a level is off.
    pub fn is_disabled(&self, level: u8) -> bool {
        self.disabled.checked_shr(u32::from(level)).unwrap_or(0) & 1 == 1
    }

    /// Returns the exact balance of one account.
    pub fn balance(&self, book: Book, account: Account) -> Money {
        self.balances
            .get(book.index())
            .map_or(Money::ZERO, |balances| balances.of(account))
    }

    /// Returns the amounts on the signs for each level: its meter, truncated to the cent.
    pub fn displayed(&self) -> impl Iterator<Item = Money> {
        let levels = self.terms.content().levels.len();
        self.balances
            .iter()
            .take(levels)
            .map(|balances| balances.of(Account::Meter).displayed())
    }
}

/// Returns the index of a table in [`LinkState::tables`].
pub(crate) fn table_index(table: TableNo) -> Option<usize> {
    usize::try_from(table.0).ok()?.checked_sub(1)
}

impl Round {
    /// Returns one of its hits.
    pub fn hit(&self, sequence: Sequence, number: u8) -> Option<&Hit> {
        self.hits
            .iter()
            .map(Arc::as_ref)
            .find(|hit| hit.sequence == sequence && hit.number == number)
    }

    /// Returns its hits that were not undone.
    pub fn standing_hits(&self) -> impl DoubleEndedIterator<Item = &Hit> {
        self.hits.iter().map(Arc::as_ref).filter(|hit| hit.stands())
    }

    /// Returns the player on a seat, if the table named one.
    pub fn player(&self, seat: Seat) -> Option<&PlayerName> {
        self.players
            .iter()
            .find(|(named, _)| *named == seat)
            .map(|(_, player)| player)
    }

    /// Checks if two seats are one player's: the same seat, or the same name on both.
    pub fn same_player(&self, one: Seat, other: Seat) -> bool {
        one == other
            || self
                .player(one)
                .is_some_and(|player| self.player(other) == Some(player))
    }
}

impl Hit {
    /// Checks that it was not cancelled, rejected or withdrawn.
    pub const fn stands(&self) -> bool {
        match self.status {
            HitStatus::Pending | HitStatus::ValidatedByRule | HitStatus::Validated { .. } => true,
            HitStatus::Cancelled | HitStatus::Rejected { .. } | HitStatus::Withdrawn => false,
        }
    }

    /// Returns the book that it took from, or the book of the pays that touch no meter.
    pub fn book(&self, terms: &LinkTerms) -> Book {
        self.taken
            .map_or_else(|| terms.fixed_book(), |taken| Book(taken.level))
    }

    /// Returns its id at this table.
    pub const fn id(&self, table: TableNo) -> HitId {
        HitId {
            table,
            sequence: self.sequence,
            number: self.number,
        }
    }

    /// Checks if everything of it is paid.
    pub fn is_paid(&self) -> bool {
        !self.stands() || self.payouts.iter().all(|payout| payout.paid.is_some())
    }

    /// Checks if the dealer or one supervisor may still undo it: no person has validated it and nothing of it is
    /// paid.
    pub fn is_revocable(&self) -> bool {
        match self.status {
            HitStatus::Pending | HitStatus::ValidatedByRule => {
                self.payouts.iter().all(|payout| payout.paid.is_none())
            }
            HitStatus::Validated { .. }
            | HitStatus::Cancelled
            | HitStatus::Rejected { .. }
            | HitStatus::Withdrawn => false,
        }
    }
}
