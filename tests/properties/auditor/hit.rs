//! What the auditor keeps of a hit: for ever, whatever becomes of its round.

use meterhouse_domain::event::HitKind;
use meterhouse_domain::hand::Hand;
use meterhouse_domain::ids::HitId;

use super::books::Entry;
use super::round::{Person, Who};
use super::sheet::Prize;

/// A hit's name: the table as an index, the number of the command, and of the hit in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Name {
    /// The table.
    pub(crate) table: usize,
    /// The command's number.
    pub(crate) number: u64,
    /// The hit's; 0 where the command keyed one.
    pub(crate) nth: u8,
}

impl Name {
    /// The name that a command or event says.
    pub(crate) fn of(hit: HitId) -> Self {
        let table = usize::try_from(hit.table.0).unwrap_or(0);
        Self {
            table: table.wrapping_sub(1),
            number: hit.sequence.0,
            nth: hit.number,
        }
    }
}

/// A hit.
#[derive(Clone, Debug)]
pub(crate) struct Hit {
    /// Its name.
    pub(crate) name: Name,
    /// Its round's coin-in.
    pub(crate) round: u64,
    /// When, by the auditor's own clock.
    pub(crate) at: u64,
    /// Its place among all hits.
    pub(crate) order: u64,
    /// Whose token and badge keyed it.
    pub(crate) keyed_by: Person,
    /// Whose hand.
    pub(crate) who: Who,
    /// What it is for.
    pub(crate) kind: HitKind,
    /// The hand; a bonus of the draw has none.
    pub(crate) hand: Option<Hand>,
    /// The cards as text.
    pub(crate) cards: Vec<String>,
    /// What it won off a level.
    pub(crate) took: Option<Took>,
    /// What is due, numbered from 1 in this order.
    pub(crate) due: Vec<Due>,
    /// Where it stands.
    pub(crate) status: Status,
    /// The entries of the pays that touch no level.
    pub(crate) beside: Vec<Entry>,
    /// Whether its round is closed.
    pub(crate) closed: bool,
}

/// How a hit takes from a level, so that it can be worked out once more, and what it took.
#[derive(Clone, Debug)]
pub(crate) struct Took {
    /// The prize.
    pub(crate) prize: Prize,
    /// Found after GAME OVER: what each is due, whatever the level displays by now.
    pub(crate) late: Option<i128>,
    /// Among how many it is divided; of a fixed pay, how many wagers there are.
    pub(crate) shares: i128,
    /// What that came to.
    pub(crate) taken: Taken,
    /// What the house pays of it.
    pub(crate) from_house: i128,
    /// Its entries in the level's book.
    pub(crate) entries: Vec<Entry>,
}

/// What a hit took from a level.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Taken {
    /// The level.
    pub(crate) level: usize,
    /// How much of it; a fixed pay has none.
    pub(crate) percent: Option<i128>,
    /// The meter before.
    pub(crate) before: i128,
    /// The meter after, a ceiling included.
    pub(crate) after: i128,
    /// Reserve and overflow before.
    pub(crate) behind: (i128, i128),
    /// At 100%, what came from house, reserve and overflow.
    pub(crate) reset: Option<(i128, i128, i128)>,
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
    /// Two people withdrew it.
    Withdrawn,
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

/// What a payout is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum For {
    /// The line.
    Line,
    /// Another player's hand.
    Envy,
    /// The draw.
    Bonus,
    /// What was missing.
    Supplement,
}

/// A payout.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Due {
    /// The seat.
    pub(crate) seat: u8,
    /// Who sits there.
    pub(crate) player: Option<String>,
    /// What it is for.
    pub(crate) what: For,
    /// How much.
    pub(crate) micros: i128,
    /// How.
    pub(crate) way: Way,
    /// Whether it is charged to the level of its hit.
    pub(crate) metered: bool,
    /// Once it is paid: how.
    pub(crate) paid: Option<Paid>,
}

/// How a payout was paid.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Paid {
    /// With this document.
    Document(String),
    /// By GAME OVER.
    GameOver,
}

impl Hit {
    /// Neither cancelled nor rejected nor withdrawn.
    pub(crate) const fn stands(&self) -> bool {
        matches!(
            self.status,
            Status::Pending | Status::ByRule | Status::Validated(_)
        )
    }

    /// Whether it is worth what its hand is: a line or envy alone, and not a bonus of the draw.
    pub(crate) const fn by_rank(&self) -> bool {
        matches!(self.kind, HitKind::Line | HitKind::Envy)
    }

    /// Whether something of it is paid.
    pub(crate) fn paid(&self) -> bool {
        self.due.iter().any(|due| due.paid.is_some())
    }

    /// Whether nothing of it is left to pay.
    pub(crate) fn wholly_paid(&self) -> bool {
        !self.stands() || self.due.iter().all(|due| due.paid.is_some())
    }

    /// The level it took from.
    pub(crate) fn level(&self) -> Option<usize> {
        self.took.as_ref().map(|took| took.taken.level)
    }

    /// Whether its reset took from the reserve.
    pub(crate) fn emptied_reserve(&self) -> bool {
        let reset = self.took.as_ref().and_then(|took| took.taken.reset);
        reset.is_some_and(|(_, reserve, _)| reserve > 0)
    }

    /// Whether its reset took from the overflow.
    pub(crate) fn emptied_overflow(&self) -> bool {
        let reset = self.took.as_ref().and_then(|took| took.taken.reset);
        reset.is_some_and(|(_, _, overflow)| overflow > 0)
    }
}
