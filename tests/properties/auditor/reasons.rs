//! Every reason that the rules page gives to refuse a command, found without stopping at the first.
//!
//! The page does not say which of several reasons is answered, so the answer has to be one of them; where
//! there is none, the command has to be accepted.

use std::collections::BTreeSet;

use meterhouse_domain::card::Card;
use meterhouse_domain::command::{CoinIn, HitCommand, Holder, TableCommand, WageredHand};
use meterhouse_domain::hand::Hand;
use meterhouse_domain::refusal::RefusalCode as Code;
use meterhouse_domain::seat::Seat;

use super::round::{Felt, Hit, Round, Status, Who};
use super::sheet::KNOWN;
use super::{Auditor, Reasons, texts};
use crate::setup::SEATS;

impl Auditor {
    /// Why a table's command is refused under its next number.
    pub(super) fn reasons(&self, table: usize, number: u64, command: &TableCommand) -> Reasons {
        let felt = &self.felts[table];
        let Some(round) = &felt.round else {
            return match command {
                TableCommand::CoinIn(coin_in) => self.of_coin_in(coin_in),
                TableCommand::CancelHit { hit } => {
                    let mut reasons = vec![Code::NoRound];
                    if hit.0 >= number {
                        reasons.push(Code::UnknownHit);
                    }
                    reasons
                }
                _ => vec![Code::NoRound],
            };
        };
        match command {
            TableCommand::CoinIn(coin_in) => {
                let mut reasons = self.of_coin_in(coin_in);
                reasons.push(Code::RoundOpen);
                reasons
            }
            TableCommand::Count { .. } => {
                let early = round.folded.is_empty() && round.hits.is_empty();
                when(!early, Code::CountTooLate)
            }
            TableCommand::Fold { seats } => of_fold(round, seats),
            TableCommand::Hit(hit) => self.of_hit(round, hit),
            TableCommand::Envy { seat, hand, cards } => {
                self.of_envy(round, seat.0, *hand, cards.as_deref())
            }
            TableCommand::CancelHit { hit } => self.of_cancel(felt, round, table, number, hit.0),
            TableCommand::Close => {
                let unsettled = |hit: &Hit| {
                    let open =
                        |due: &super::Due| due.way == super::Way::Slip && due.document.is_none();
                    hit.status == Status::Pending || hit.due.iter().any(open)
                };
                when(round.standing().any(unsettled), Code::HitUnsettled)
            }
            TableCommand::Void { .. } => {
                let own: Vec<u64> = round.standing().map(|hit| hit.number).collect();
                let of_each = round.standing();
                of_each
                    .flat_map(|hit| self.why_it_stays(table, hit, &own))
                    .collect()
            }
        }
    }

    fn of_coin_in(&self, coin_in: &CoinIn) -> Reasons {
        let mut reasons = when(coin_in.wagers.is_empty(), Code::NoWagers);
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

    fn of_hit(&self, round: &Round, hit: &HitCommand) -> Reasons {
        let mut reasons = Vec::new();
        let who = match hit.holder {
            Holder::Seat(seat) => {
                reasons.extend(on_layout(seat.0));
                reasons.extend(when(!round.own.contains(&seat.0), Code::NoWager));
                let forfeited = !self.sheet.hand_bonus && round.folded.contains(&seat.0);
                reasons.extend(when(forfeited, Code::Folded));
                Who::Seat(seat.0)
            }
            Holder::Dealer => {
                reasons.extend(when(!self.sheet.hand_bonus, Code::HandNotOffered));
                reasons.extend(when(round.dealer.is_empty(), Code::NoWager));
                Who::Dealer
            }
        };
        reasons.extend(when(self.sheet.line(hit.hand).is_none(), Code::NotAWinner));
        reasons.extend(self.of_cards(Some(round), hit.hand, hit.cards.as_deref()));
        let again = round.standing().any(|it| it.who == who);
        reasons.extend(when(again, Code::AlreadyHit));
        let mut lines = round.standing().filter(|it| it.line);
        let late = lines.any(|it| round.turn(it.who) > round.turn(who));
        reasons.extend(when(late, Code::OutOfTurn));
        reasons
    }

    fn of_envy(&self, round: &Round, seat: u8, hand: Hand, cards: Option<&[Card]>) -> Reasons {
        let mut reasons: Reasons = on_layout(seat).into_iter().collect();
        let none = self.sheet.line(hand).is_none_or(|(_, _, envy)| *envy == 0);
        let again = round.standing().any(|it| it.who == Who::Seat(seat));
        reasons.extend(when(!round.dealt.contains(&seat), Code::SeatNotDealt));
        reasons.extend(when(round.own.contains(&seat), Code::HasWager));
        reasons.extend(when(round.folded.contains(&seat), Code::Folded));
        reasons.extend(when(none, Code::NotAWinner));
        reasons.extend(when(again, Code::AlreadyHit));
        reasons.extend(self.of_cards(Some(round), hand, cards));
        reasons
    }

    /// The cards against the button, and against the cards that stand in the round.
    pub(super) fn of_cards(
        &self,
        round: Option<&Round>,
        hand: Hand,
        cards: Option<&[Card]>,
    ) -> Reasons {
        let Some(cards) = cards.map(texts) else {
            return Vec::new();
        };
        if cards.len() != 5 {
            return vec![Code::ImpossibleCards];
        }
        let standing = round.into_iter().flat_map(Round::standing);
        let elsewhere = standing.flat_map(|hit| &hit.cards);
        let table: Vec<&String> = cards.iter().chain(elsewhere).collect();
        let too_many = |card: &String| {
            table.iter().filter(|it| **it == card).count() > usize::from(self.decks)
        };
        let mut reasons = when(cards.iter().any(too_many), Code::CardTwice);
        let known = KNOWN
            .iter()
            .find(|(text, _, _)| text.split(' ').eq(cards.iter().map(String::as_str)));
        if let Some((_, five, four)) = known {
            let found = if self.sheet.four_cards { *four } else { *five };
            let code = match self.sheet.line(found) {
                Some(_) => Code::WrongHand,
                None => Code::NotAWinner,
            };
            reasons.extend(when(found != hand, code));
        }
        reasons
    }

    fn of_cancel(
        &self,
        felt: &Felt,
        round: &Round,
        table: usize,
        number: u64,
        hit: u64,
    ) -> Reasons {
        if hit >= number {
            return vec![Code::UnknownHit];
        }
        if hit < round.number {
            let command = usize::try_from(hit)
                .ok()
                .and_then(|it| it.checked_sub(1))
                .and_then(|index| felt.said.get(index));
            let was_a_hit = matches!(
                command,
                Some((TableCommand::Hit(_) | TableCommand::Envy { .. }, true))
            );
            let mut reasons = vec![Code::RoundClosed];
            reasons.extend(when(!was_a_hit, Code::UnknownHit));
            return reasons;
        }
        match round.hits.iter().find(|it| it.number == hit) {
            Some(found) => self.why_it_stays(table, found, &[hit]),
            None => vec![Code::UnknownHit],
        }
    }

    /// Why one person can't undo a hit, by itself or with others of its round.
    pub(super) fn why_it_stays(&self, table: usize, hit: &Hit, own: &[u64]) -> Reasons {
        if hit.paid() {
            return vec![Code::HitPaid];
        }
        if !matches!(hit.status, Status::Pending | Status::ByRule) {
            return vec![Code::HitNotPending];
        }
        let Some((level, _)) = hit.took else {
            return Vec::new();
        };
        let later = self.takes.iter().any(|take| {
            take.stands
                && take.level == level
                && take.at > hit.at
                && !(take.table == table && own.contains(&take.number))
        });
        when(later, Code::LaterHits)
    }
}

fn of_fold(round: &Round, seats: &[Seat]) -> Reasons {
    let mut reasons = when(seats.is_empty(), Code::OutOfRange);
    let mut seen = BTreeSet::new();
    for seat in seats.iter().map(|seat| seat.0) {
        let keyed = round.standing().any(|hit| hit.who == Who::Seat(seat));
        reasons.extend(on_layout(seat));
        reasons.extend(when(!seen.insert(seat), Code::SeatTwice));
        reasons.extend(when(!round.dealt.contains(&seat), Code::SeatNotDealt));
        reasons.extend(when(round.folded.contains(&seat), Code::Folded));
        reasons.extend(when(keyed, Code::AlreadyHit));
    }
    reasons
}

fn on_layout(seat: u8) -> Option<Code> {
    (seat == 0 || seat > SEATS).then_some(Code::SeatNotOnLayout)
}

fn when(wrong: bool, code: Code) -> Reasons {
    if wrong { vec![code] } else { Vec::new() }
}
