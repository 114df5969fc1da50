//! The state of one link: what [`crate::decide`] reads and [`crate::apply`] changes.
//!
//! # Shape
//! Balances of every book, tables with their open rounds, hits inside their rounds, hits of closed rounds, proposals.
//! Tables, hits and lists of them stand behind `Arc`, so that a clone is a draft: cheap to make, changed where touched,
//! dropped on any failure, and what readers hold never moves under them.
//!
//! # What bounds it
//! One open round a table; a hit stays in its round until that is closed or void. Of closed rounds of each book the
//! last [`CLOSED_HITS_KEPT`] paid hits are kept, and all that are not wholly paid. Of each level the standing hits since
//! the oldest open round was locked, and the last [`RESETS_KEPT`] resets. [`PROPOSALS_MAX`] proposals.

use std::sync::Arc;

use crate::card::Card;
use crate::change::Propose;
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
    /// Why it takes no coin-in, if it is suspended.
    pub suspended: Option<Note>,
    /// Whether it takes no coin-in because it returns more than the whole wager, and two people have not acknowledged it.
    pub unacknowledged: bool,
    /// Whether a manager accepted its first values, or nobody has to: without, it takes no coin-in.
    pub values_accepted: bool,
    /// The levels that are off, one bit a level.
    pub disabled: u8,
    /// Hits of closed rounds that can still be corrected or paid, oldest first: see [`CLOSED_HITS_KEPT`].
    pub closed: Arc<Vec<Arc<ClosedHit>>>,
    /// Of every book, the newest hit that is kept no longer: 0 before the first.
    pub forgotten: Vec<HitOrder>,
    /// Of every level, the places of its last standing resets, oldest first: see [`RESETS_KEPT`].
    pub resets: Vec<Arc<Vec<HitOrder>>>,
    /// What waits for a second person, oldest first.
    pub proposals: Arc<Vec<Proposal>>,
    /// What was counted since the link opened.
    pub lifetime: Lifetime,
    /// Of every level with a ceiling, how its meter came here since its last hit; empty where no level has one.
    pub paths: Vec<Option<Arc<MeterPath>>>,
}

/// Hits of closed rounds that are kept for corrections, of each book: the number of the last hits that a
/// controller has at hand (CONFORMANCE 62). Hits that are not wholly paid are kept beside them.
pub const CLOSED_HITS_KEPT: usize = 25;
/// Standing resets that are kept of each level, to tell whether it was won since a round closed.
pub const RESETS_KEPT: usize = 64;
/// A minute, in microseconds.
pub(crate) const MINUTE: i64 = 60_000_000;
/// Proposals that may wait on one link.
pub const PROPOSALS_MAX: usize = 64;

/// A hit whose round is closed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClosedHit {
    /// Its name.
    pub id: HitId,
    /// Its round's coin-in.
    pub round: Sequence,
    /// The hit.
    pub hit: Hit,
}

/// A change that waits for a second person.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proposal {
    /// What the first person proposed.
    pub propose: Propose,
    /// Whose token.
    pub actor: ActorId,
    /// The person's name.
    pub by: Option<Badge>,
    /// Since when.
    pub proposed_at: Timestamp,
    /// Until when it can be approved.
    pub expires_at: Timestamp,
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
    /// Whether its reset took something out of the overflow.
    pub took_overflow: bool,
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
    /// True if its game takes wagers on the dealer's hand; nothing where it joined before that was kept.
    pub bet_on_dealer: Option<bool>,
    /// The last number used up; 0 before the first.
    pub last_sequence: Sequence,
    /// The open round.
    pub round: Option<Round>,
    /// Since when it is lost, if it is.
    pub lost: Option<Lost>,
    /// The minute in which its newest round was locked.
    pub minute: Minute,
    /// Why it takes no coin-in, if it is disabled.
    pub disabled: Option<Note>,
    /// Whether it left the link: its number and its past stay.
    pub left: bool,
}

/// A table that was silent for too long.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Lost {
    /// When it was last heard.
    pub heard_at: Timestamp,
    /// Whether it has to resume before its next coin-in.
    pub must_resume: bool,
}

/// Rounds that a table locked in one minute; kept only where the link limits them.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Default)]
pub struct Minute {
    /// When its first round was locked, in microseconds since 1970 UTC.
    pub since: i64,
    /// How many.
    pub rounds: u32,
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
    /// What of it a ceiling moved to the overflow.
    pub over_ceiling: Vec<(Book, Money)>,
    /// What was drawn.
    pub draws: Draws,
    /// Its hits in the order they were keyed.
    pub hits: Vec<Arc<Hit>>,
}

/// A hit: of an open round, or within a [`ClosedHit`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hit {
    /// The command that keyed it; of a late hit its round's coin-in.
    pub sequence: Sequence,
    /// Its number among the hits of a `settle`, from 1; 0 where it was keyed by itself. A late hit has that of its seat,
    /// and the dealer's the one after the last possible seat.
    pub number: u8,
    /// Its place among all hits.
    pub order: HitOrder,
    /// Whose token keyed it.
    pub keyed_by_actor: ActorId,
    /// The badge that keyed it.
    pub keyed_by: Option<Badge>,
    /// A line, envy alone, or a bonus of the draw.
    pub kind: HitKind,
    /// Whose hand.
    pub holder: Holder,
    /// The hand; a bonus of the draw has none.
    pub hand: Option<Hand>,
    /// The cards, where they were sent with it.
    pub cards: Option<Vec<Card>>,
    /// What it took from a level.
    pub taken: Option<Taken>,
    /// What has to be paid.
    pub payouts: Vec<PayoutState>,
    /// Where it stands.
    pub status: HitStatus,
    /// Its entries.
    pub moves: Vec<Move>,
    /// How its level's meter came to it, where there is a ceiling.
    pub path: Option<Arc<MeterPath>>,
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
    /// Two people withdrew it.
    Withdrawn,
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
    /// The document; none where GAME OVER paid it.
    pub document: Option<Document>,
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

    /// The hit, while its round is open or it is kept.
    pub fn hit(&self, hit: HitId) -> Option<&Hit> {
        self.open_hit(hit).or_else(|| {
            let found = self.closed.iter().find(|it| it.id == hit);
            found.map(|it| &it.hit)
        })
    }

    /// The hit, while its round is open.
    pub fn open_hit(&self, hit: HitId) -> Option<&Hit> {
        let round = self.table(hit.table)?.round.as_ref()?;
        round.hit(hit.sequence, hit.number)
    }

    /// Whether the link takes no coin-in and nothing of it is open: no round, and no hit that is not wholly paid.
    pub fn is_closed(&self) -> bool {
        self.suspended.is_some()
            && self.tables.iter().all(|table| table.round.is_none())
            && self.closed.iter().all(|it| it.hit.is_paid())
    }

    /// Whether a level is off.
    pub fn is_disabled(&self, level: u8) -> bool {
        self.disabled.checked_shr(u32::from(level)).unwrap_or(0) & 1 == 1
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
    pub fn hit(&self, sequence: Sequence, number: u8) -> Option<&Hit> {
        self.hits
            .iter()
            .map(Arc::as_ref)
            .find(|hit| hit.sequence == sequence && hit.number == number)
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
    /// Whether it was neither cancelled nor rejected nor withdrawn.
    pub const fn stands(&self) -> bool {
        match self.status {
            HitStatus::Pending | HitStatus::ValidatedByRule | HitStatus::Validated { .. } => true,
            HitStatus::Cancelled | HitStatus::Rejected { .. } | HitStatus::Withdrawn => false,
        }
    }

    /// The book that it took from, or that of the pays that touch no meter.
    pub fn book(&self, terms: &LinkTerms) -> Book {
        self.taken
            .map_or_else(|| terms.fixed_book(), |taken| Book(taken.level))
    }

    /// Its name, at this table.
    pub const fn id(&self, table: TableNo) -> HitId {
        HitId {
            table,
            sequence: self.sequence,
            number: self.number,
        }
    }

    /// Whether nothing of it is left to be paid.
    pub fn is_paid(&self) -> bool {
        !self.stands() || self.payouts.iter().all(|payout| payout.paid.is_some())
    }

    /// Whether the dealer or one supervisor may still undo it: no person has validated it and nothing of it is paid.
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
