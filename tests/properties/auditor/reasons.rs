//! Every reason that docs/RULES.md gives to refuse a table's command, found without stopping at the first.
//!
//! The page does not say which of several reasons is answered, so the answer has to be one of them; where
//! there is none, the command has to be accepted.

use std::collections::BTreeSet;

use meterhouse_domain::command::{CoinIn, TableCommand, WageredHand};
use meterhouse_domain::refusal::RefusalCode as Code;
use meterhouse_domain::seat::Seat;

use super::hit::{Due, Hit, Name, Status, Way};
use super::round::{Felt, Round, Who};
use super::{Auditor, Reasons};
use crate::setup::SEATS;

/// A minute in microseconds.
const MINUTE: i64 = 60_000_000;

impl Auditor {
    /// Why a table's command is refused under its next number.
    pub(super) fn reasons(&self, table: usize, number: u64, command: &TableCommand) -> Reasons {
        let felt = &self.felts[table];
        let Some(round) = &felt.round else {
            return match command {
                TableCommand::CoinIn(coin_in) => self.of_coin_in(table, coin_in),
                TableCommand::CancelHit { hit, .. } => {
                    let mut reasons = vec![Code::NoRound];
                    reasons.extend(when(hit.0 >= number, Code::NoSuchHit));
                    reasons
                }
                _ => vec![Code::NoRound],
            };
        };
        match command {
            TableCommand::CoinIn(coin_in) => {
                let mut reasons = self.of_coin_in(table, coin_in);
                reasons.push(Code::RoundOpen);
                reasons
            }
            TableCommand::Count { .. } => {
                let early = round.folded.is_empty() && !round.keyed;
                when(!early, Code::CountTooLate)
            }
            TableCommand::Fold { seats } => self.of_fold(table, round, seats),
            TableCommand::Hit(hit) => self.of_hit(table, round, hit),
            TableCommand::Envy { seat, hand, cards } => {
                self.of_envy(table, round, seat.0, *hand, cards.as_deref())
            }
            TableCommand::Bonus(bonus) => self.of_bonus(table, round, bonus),
            TableCommand::Settle(settle) => self.of_settle(table, round, settle),
            TableCommand::SettleWagers(settle) => self.of_settle_wagers(table, round, settle),
            TableCommand::CancelHit { hit, number: nth } => {
                let name = Name {
                    table,
                    number: hit.0,
                    nth: *nth,
                };
                self.of_cancel(felt, round, number, name)
            }
            TableCommand::Close => {
                let unsettled = |hit: &Hit| {
                    let open = |due: &Due| due.way == Way::Slip && due.paid.is_none();
                    hit.status == Status::Pending || hit.due.iter().any(open)
                };
                when(self.standing(table).any(unsettled), Code::HitUnsettled)
            }
            TableCommand::Void { .. } => {
                let own: Vec<Name> = self.standing(table).map(|hit| hit.name).collect();
                let of_each = self.standing(table);
                of_each
                    .flat_map(|hit| self.why_it_stays(hit, &own))
                    .collect()
            }
        }
    }

    fn of_coin_in(&self, table: usize, coin_in: &CoinIn) -> Reasons {
        let mut reasons = when(coin_in.wagers.is_empty(), Code::NoWagers);
        reasons.extend(self.why_it_rests(table));
        let mut dealt = BTreeSet::new();
        for seat in &coin_in.dealt {
            reasons.extend(on_layout(seat.0));
            reasons.extend(when(!dealt.insert(seat.0), Code::SeatTwice));
        }
        let mut seen = BTreeSet::new();
        for (index, wager) in coin_in.wagers.iter().enumerate() {
            let dealer = wager.on == WageredHand::Dealer;
            let other = coin_in.wagers[..index].iter().any(|it| {
                it.seat == wager.seat
                    && it.player.is_some()
                    && wager.player.is_some()
                    && it.player != wager.player
            });
            let wrong = i128::from(wager.amount.micros()) != self.wager;
            reasons.extend(on_layout(wager.seat.0));
            reasons.extend(when(wrong, Code::WrongAmount));
            reasons.extend(when(dealer && !self.sheet.hand_bonus, Code::HandNotOffered));
            reasons.extend(when(!seen.insert((wager.seat.0, dealer)), Code::SeatTwice));
            reasons.extend(when(!dealt.contains(&wager.seat.0), Code::SeatNotDealt));
            reasons.extend(when(other, Code::PlayerDiffers));
        }
        reasons
    }

    /// Why the link or this table takes no coin-in at all.
    pub(crate) fn why_it_rests(&self, table: usize) -> Reasons {
        let felt = &self.felts[table];
        let mut reasons = Vec::new();
        if self.suspended {
            let nothing_open = self.felts.iter().all(|felt| felt.round.is_none());
            let closed = nothing_open && self.hits.iter().all(Hit::wholly_paid);
            reasons.push(if closed {
                Code::LinkClosed
            } else {
                Code::LinkSuspended
            });
        }
        reasons.extend(when(self.unacknowledged, Code::ReturnsNotAcknowledged));
        reasons.extend(when(!self.values_accepted, Code::ValuesNotAccepted));
        let mut disabled = self.disabled.iter();
        let needed = disabled.any(|level| self.sheet.is_won_by_a_line(*level));
        reasons.extend(when(needed, Code::LevelDisabled));
        reasons.extend(when(felt.left, Code::TableLeft));
        reasons.extend(when(felt.disabled, Code::TableDisabled));
        reasons.extend(when(felt.lost == Some(true), Code::TableLost));
        let locked = felt.minute.filter(|(since, _)| self.now < since + MINUTE);
        let locked = locked.map_or(0, |(_, rounds)| rounds);
        let too_many = self
            .limits
            .rounds_a_minute
            .is_some_and(|most| locked >= most);
        reasons.extend(when(too_many, Code::UnreasonableRate));
        reasons
    }

    /// A round is locked now: it counts in the minute that runs, or begins one.
    pub(super) fn count_in_minute(&mut self, table: usize) {
        let now = self.now;
        let minute = &mut self.felts[table].minute;
        *minute = match *minute {
            Some((since, rounds)) if now < since + MINUTE => Some((since, rounds + 1)),
            Some(_) | None => Some((now, 1)),
        };
    }

    fn of_fold(&self, table: usize, round: &Round, seats: &[Seat]) -> Reasons {
        let mut reasons = when(seats.is_empty(), Code::OutOfRange);
        let mut seen = BTreeSet::new();
        for seat in seats.iter().map(|seat| seat.0) {
            // What the draw gave is not lost with the hand where a fold forfeits nothing.
            let keyed = self
                .standing(table)
                .any(|hit| hit.who == Who::Seat(seat) && (hit.by_rank() || !self.sheet.hand_bonus));
            reasons.extend(on_layout(seat));
            reasons.extend(when(!seen.insert(seat), Code::SeatTwice));
            reasons.extend(when(!round.dealt.contains(&seat), Code::SeatNotDealt));
            reasons.extend(when(round.folded.contains(&seat), Code::Folded));
            reasons.extend(when(keyed, Code::AlreadyHit));
        }
        reasons
    }

    fn of_cancel(&self, felt: &Felt, round: &Round, number: u64, name: Name) -> Reasons {
        if name.number >= number {
            return vec![Code::NoSuchHit];
        }
        if name.number < round.number {
            let command = usize::try_from(name.number)
                .ok()
                .and_then(|it| it.checked_sub(1))
                .and_then(|index| felt.said.get(index));
            let was_a_hit = matches!(
                command,
                Some((
                    TableCommand::Hit(_)
                        | TableCommand::Envy { .. }
                        | TableCommand::Bonus(_)
                        | TableCommand::Settle(_)
                        | TableCommand::SettleWagers(_),
                    true
                ))
            );
            let mut reasons = vec![Code::RoundClosed];
            reasons.extend(when(!was_a_hit, Code::NoSuchHit));
            return reasons;
        }
        match self.open_hit(name) {
            Some(found) => self.why_it_stays(found, &[name]),
            None => vec![Code::NoSuchHit],
        }
    }

    /// Why one person can't undo a hit, by itself or with others of its round.
    pub(super) fn why_it_stays(&self, hit: &Hit, own: &[Name]) -> Reasons {
        if hit.paid() {
            return vec![Code::HitPaid];
        }
        if !matches!(hit.status, Status::Pending | Status::ByRule) {
            return vec![Code::HitNotPending];
        }
        let mut later = self.later(hit);
        when(later.any(|it| !own.contains(&it.name)), Code::LaterHits)
    }

    /// The hits that stand and took from the same level since.
    pub(super) fn later<'a>(&'a self, hit: &'a Hit) -> impl Iterator<Item = &'a Hit> {
        let level = hit.level();
        let took = self
            .hits
            .iter()
            .filter(move |it| level.is_some() && it.level() == level);
        took.filter(|it| it.stands() && it.at > hit.at)
    }
}

pub(super) fn on_layout(seat: u8) -> Option<Code> {
    (seat == 0 || seat > SEATS).then_some(Code::SeatNotOnLayout)
}

pub(super) fn when(wrong: bool, code: Code) -> Reasons {
    if wrong { vec![code] } else { Vec::new() }
}
