//! The closing of a day: its report, and the signature under it.

use std::fmt;

use meterhouse_domain::hit_name::HitName;
use meterhouse_domain::ids::{Document, LevelName, LinkName, Timestamp};
use meterhouse_domain::money::Money;
use meterhouse_journal::batch::ChainHash;
use meterhouse_journal::position::Position;
use meterhouse_store::{ClosingRow, CoveringHead};
use time::OffsetDateTime;

use super::balances::BookBalances;
use super::displayed::Decrease;
use super::exception::ExceptionView;
use super::reconciliation::ReconciliationLine;

/// Microseconds of a day.
const DAY: i64 = 86_400_000_000;

/// Seconds of a day.
const DAY_SECONDS: i64 = 86_400;

/// A day in UTC, by the days since 1970-01-01.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Day(pub i32);

impl Day {
    /// Returns the day of a moment. A moment beyond all days is in the last one.
    pub fn of(at: Timestamp) -> Self {
        let days = at.0.div_euclid(DAY);
        Self(i32::try_from(days).unwrap_or(i32::MAX))
    }

    /// Returns the first moment of the day.
    pub fn begin(self) -> Timestamp {
        Timestamp(i64::from(self.0) * DAY)
    }

    /// Returns the first moment after the day.
    pub fn end(self) -> Timestamp {
        Timestamp((i64::from(self.0) + 1) * DAY)
    }

    /// Returns the first day that begins at a moment or later.
    pub fn from(at: Timestamp) -> Self {
        let day = Self::of(at);
        if day.begin() < at {
            Self(day.0.saturating_add(1))
        } else {
            day
        }
    }
}

impl fmt::Display for Day {
    /// Writes the date: YYYY-MM-DD.
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let midnight = OffsetDateTime::from_unix_timestamp(i64::from(self.0) * DAY_SECONDS);
        match midnight {
            Ok(midnight) => fmt::Display::fmt(&midnight.date(), out),
            Err(_) => write!(out, "{} days after 1970-01-01", self.0),
        }
    }
}

/// A function that writes a report as the bytes that are signed.
pub type WriteClosing = fn(&ClosingView) -> Vec<u8>;

/// The report of a day of a link. It has nothing that may differ later: states of hits are left out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClosingView {
    /// The link.
    pub link: LinkName,
    /// The day.
    pub day: Day,
    /// Set if the day is over: no batch is added to it any more.
    pub complete: bool,
    /// The last batch before the day; 0 if the link was not open yet.
    pub from_batch: u64,
    /// The last batch of the day.
    pub to_batch: u64,
    /// The chain hash of the last batch.
    pub chain_hash: ChainHash,
    /// One entry a level, then the pays that touch no meter.
    pub levels: Vec<ClosingLevel>,
    /// Every decrease of a meter, in the journal's order.
    pub decreases: Vec<Decrease>,
    /// The sum of the decreases without a cause: has to be zero.
    pub unmatched: Money,
    /// The hits that were recorded, in the journal's order.
    pub hits: Vec<ClosingHit>,
    /// The payments, in the journal's order.
    pub payments: Vec<ClosingPayment>,
    /// The exceptions, in the journal's order.
    pub exceptions: Vec<ExceptionView>,
}

impl ClosingView {
    /// Returns the report of a day that is over by another clock than this machine's.
    #[must_use]
    pub fn completed(self) -> Self {
        Self {
            complete: true,
            ..self
        }
    }

    /// Returns the number of exceptions that nobody cleared.
    pub fn open_exceptions(&self) -> usize {
        let mut open = 0;
        for exception in &self.exceptions {
            open += usize::from(exception.clearance.is_none());
        }
        open
    }

    /// Returns `true` if every difference is zero, and each decrease has its cause.
    pub fn is_balanced(&self) -> bool {
        let mut lines = self.levels.iter().map(|level| level.flows.difference);
        self.unmatched == Money::ZERO && lines.all(|difference| difference == Money::ZERO)
    }
}

/// One level of a day.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClosingLevel {
    /// The balances before the day.
    pub opening: BookBalances,
    /// The balances at its end.
    pub closing: BookBalances,
    /// The money between the two.
    pub flows: ReconciliationLine,
}

/// A hit as it was recorded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClosingHit {
    /// The hit.
    pub hit: HitName,
    /// The position of its event.
    pub position: Position,
    /// The time of its event.
    pub at: Timestamp,
    /// The order among all hits of the link.
    pub order: u64,
    /// The level that it took from, if it took from one.
    pub level: Option<LevelName>,
    /// The meter before.
    pub before: Option<Money>,
    /// The meter after.
    pub after: Option<Money>,
    /// The sum of its payouts.
    pub due: Money,
}

/// Money that was paid to players, or taken back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClosingPayment {
    /// The position of the event.
    pub position: Position,
    /// The time of the event.
    pub at: Timestamp,
    /// The hits that were paid.
    pub hits: Vec<HitName>,
    /// The number of the payout, if one was documented.
    pub payout: Option<u32>,
    /// The document, if one was recorded.
    pub document: Option<Document>,
    /// The sum.
    pub amount: Money,
}

/// A day of a link, signed or not.
#[derive(Clone, Debug)]
pub struct DayClosing {
    /// The report as it is now. Empty if events of the day are archived.
    pub report: Option<ClosingView>,
    /// The first signed head that covers the end of the day.
    pub covered_by: Option<CoveringHead>,
    /// The signature, if a person signed.
    pub signed: Option<ClosingRow>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_day_is_written_as_its_date() {
        assert_eq!(Day(0).to_string(), "1970-01-01");
        assert_eq!(Day(20_783).to_string(), "2026-11-26");
        assert_eq!(Day(-1).to_string(), "1969-12-31");
        let beyond = Day(i32::MAX).to_string();
        assert_eq!(beyond, "2147483647 days after 1970-01-01");
    }

    #[test]
    fn a_day_has_its_beginning_and_not_its_end() {
        let day = Day(20_000);
        assert_eq!(Day::of(day.begin()), day);
        assert_eq!(Day::of(Timestamp(day.end().0 - 1)), day);
        assert_eq!(Day::of(day.end()), Day(20_001));
        assert_eq!(Day::of(Timestamp(-1)), Day(-1));
    }

    #[test]
    fn the_first_day_from_a_moment_on_begins_not_before_it() {
        let day = Day(20_000);
        assert_eq!(Day::from(day.begin()), day);
        assert_eq!(Day::from(Timestamp(day.begin().0 + 1)), Day(20_001));
        assert_eq!(Day::from(Timestamp(day.begin().0 - 1)), day);
    }
}
