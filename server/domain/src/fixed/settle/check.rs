//! The mistakes that can be found in a round before it is settled.

use std::collections::BTreeMap;

use crate::card::{Card, repeated};
use crate::fixed::settle::cite::Citation;
use crate::fixed::settle::finding::{Finding, Mistake};
use crate::fixed::settle::round::{PlacedWager, PlayedRound, SeatEnd, SeatPlayed, TableTerms};
use crate::fixed::settle::rules::{Amount, GameRules, Place, WagerRule};
use crate::fixed::wager::RoundWager;
use crate::money::Money;
use crate::seat::Seat;

/// Returns all mistakes in the terms, the seats, the cards and the wagers of a round.
pub(super) fn check(rules: &GameRules, round: &PlayedRound) -> Vec<Finding> {
    let mut check = Check {
        rules,
        round,
        findings: Vec::new(),
    };
    check.terms();
    check.seats();
    check.cards();
    for (index, seat) in round.seats.iter().enumerate() {
        check.wagers(index, seat);
        check.decisions(index, seat);
    }
    check.findings
}

struct Check<'a> {
    rules: &'a GameRules,
    round: &'a PlayedRound,
    findings: Vec<Finding>,
}

impl Check<'_> {
    fn find(&mut self, path: impl Into<String>, mistake: Mistake) {
        self.findings.push(Finding::new(path, mistake));
    }

    fn terms(&mut self) {
        self.findings.extend(terms_wrong(&self.round.terms));
        let irregularity = self.round.void;
        let known = |irregularity| {
            let mut voids = self.rules.voids.iter();
            voids.any(|void| void.irregularity == irregularity)
        };
        if irregularity.is_some_and(|irregularity| !known(irregularity)) {
            self.find("void", Mistake::VoidElided);
        }
    }

    fn seats(&mut self) {
        let seats = &self.round.seats;
        if seats.is_empty() {
            self.find("seats", Mistake::NoSeats);
        }
        for (index, played) in seats.iter().enumerate() {
            let seat = played.seat;
            let earlier = || seats.iter().take(index);
            let most = self.rules.seats_max;
            for mistake in seat_wrong(seat, most, earlier().map(|other| other.seat)) {
                self.find(format!("seats[{index}].seat"), mistake);
            }
            let is_same = |other: &SeatPlayed| other.player == played.player;
            if let Some(clause) = self.rules.one_position
                && played.player.is_some()
                && earlier().any(is_same)
            {
                let clause = clause.of(self.rules.jurisdiction);
                self.find(
                    format!("seats[{index}].player"),
                    Mistake::PositionTwice { clause },
                );
            }
        }
    }

    /// Checks the number of cards of each hand, and that no card is there twice. Cards may be left out if no player
    /// stayed. In a void round they may be left out, too few or too many: what was dealt is as it was dealt.
    fn cards(&mut self) {
        let round = self.round;
        let dealt = &self.rules.dealt;
        let is_shown = |seat: &SeatPlayed| seat.end == SeatEnd::Stayed && round.void.is_none();
        let any_shown = round.seats.iter().any(is_shown);
        self.count("dealer", &round.dealer, dealt.dealer, any_shown);
        self.count("community", &round.community, dealt.community, any_shown);
        let (bonus, wager) = dealt.bonus.unzip();
        let is_placed = |placed: &PlacedWager| Some(placed.wager) == wager;
        let any_placed = round
            .seats
            .iter()
            .flat_map(|seat| &seat.wagers)
            .any(is_placed);
        let is_needed = any_placed && round.void.is_none();
        self.count("bonus", &round.bonus, bonus.unwrap_or(0), is_needed);
        for (index, seat) in round.seats.iter().enumerate() {
            let path = format!("seats[{index}].cards");
            self.count(&path, &seat.cards, dealt.own, is_shown(seat));
        }
        let hands = round.seats.iter().map(|seat| &seat.cards);
        let all = [&round.dealer, &round.community, &round.bonus]
            .into_iter()
            .chain(hands);
        // Two decks that alternate count as one (§ 657a.3).
        if repeated(all.flatten().copied(), 1).is_some() {
            self.twice();
        }
    }

    fn count(&mut self, path: &str, cards: &[Card], dealt: usize, is_needed: bool) {
        let found = cards.len();
        let is_left_out = found == 0 && !is_needed;
        if found != dealt && !is_left_out && self.round.void.is_none() {
            self.find(path, Mistake::CardsCount { dealt, found });
        }
    }

    /// Finds every place of a card that has several: which of them is wrong can't be known.
    fn twice(&mut self) {
        let round = self.round;
        let common = [
            ("dealer".to_owned(), &round.dealer),
            ("community".to_owned(), &round.community),
            ("bonus".to_owned(), &round.bonus),
        ];
        let seats = round.seats.iter().enumerate();
        let seats = seats.map(|(index, seat)| (format!("seats[{index}].cards"), &seat.cards));
        let places: Vec<(String, Card)> = common
            .into_iter()
            .chain(seats)
            .flat_map(|(path, cards)| {
                let cards = cards.iter().enumerate();
                cards.map(move |(index, card)| (format!("{path}[{index}]"), *card))
            })
            .collect();
        let mut counts: BTreeMap<Card, usize> = BTreeMap::new();
        for (_, card) in &places {
            *counts.entry(*card).or_default() += 1;
        }
        for (path, card) in places {
            if counts.get(&card) > Some(&1) {
                self.find(path, Mistake::CardTwice { card });
            }
        }
    }

    /// Checks that the game has each wager once, and its amount.
    fn wagers(&mut self, index: usize, seat: &SeatPlayed) {
        for (place, placed) in seat.wagers.iter().enumerate() {
            let path = format!("seats[{index}].wagers[{place}]");
            let wager = placed.wager;
            let rule = self.rules.wagers.iter().find(|rule| rule.wager == wager);
            let Some(rule) = rule else {
                let known: Vec<&str> = self
                    .rules
                    .wagers
                    .iter()
                    .map(|rule| rule.wager.name())
                    .collect();
                let (wager, known) = (RoundWager::Fixed(wager), known.join(", "));
                self.find(path, Mistake::WagerUnknown { wager, known });
                continue;
            };
            if seat
                .wagers
                .iter()
                .take(place)
                .any(|other| other.wager == wager)
            {
                let wager = RoundWager::Fixed(wager);
                self.find(path, Mistake::WagerTwice { wager });
                continue;
            }
            if let Some(mistake) = self.amount(rule, seat, placed.amount) {
                self.find(format!("{path}.amount"), mistake);
            }
        }
    }

    fn amount(&self, rule: &WagerRule, seat: &SeatPlayed, amount: Money) -> Option<Mistake> {
        if let Some(mistake) = off_step(amount, self.round.terms.step) {
            return Some(mistake);
        }
        let minimum = self.round.terms.minimum;
        if rule.place == Place::Required && amount < minimum {
            return Some(Mistake::BelowMinimum { amount, minimum });
        }
        let Amount::Times {
            of,
            least,
            most,
            whole,
        } = rule.amount
        else {
            return None;
        };
        let other = seat.wagers.iter().find(|placed| placed.wager == of)?.amount;
        if off_step(other, self.round.terms.step).is_some() {
            return None;
        }
        let most = most(&seat.cards);
        let (Ok(lowest), Ok(highest)) = (other.times(least), other.times(most)) else {
            return Some(Mistake::Unpayable);
        };
        let is_whole = other.micros() != 0 && amount.micros() % other.micros() == 0;
        if (lowest..=highest).contains(&amount) && (is_whole || !whole) {
            return None;
        }
        let permitted = match (least, most) {
            (1, 1) => format!("{lowest}, the amount of {of}"),
            (least, most) if least == most => format!("{lowest}, {least} times {of}"),
            (least, most) if whole => format!("{least} to {most} times {of}, {other}"),
            (_, most) => format!("{lowest} to {highest}, up to {most} times {of}"),
        };
        let clause = self.cite(rule);
        let wager = rule.wager;
        Some(Mistake::NotTimes {
            wager,
            amount,
            permitted,
            clause,
        })
    }

    /// Checks that the required wagers are there, and those of the decisions that the player took.
    fn decisions(&mut self, index: usize, seat: &SeatPlayed) {
        let path = format!("seats[{index}].wagers");
        let placed = |rule: &&WagerRule| {
            let mut wagers = seat.wagers.iter();
            wagers.any(|placed| placed.wager == rule.wager)
        };
        let of = |place| {
            self.rules
                .wagers
                .iter()
                .filter(move |rule| rule.place == place)
        };
        let missing: Vec<Mistake> = of(Place::Required)
            .filter(|rule| !placed(rule))
            .map(|rule| Mistake::WagerMissing {
                wager: rule.wager,
                clause: self.cite(rule),
            })
            .collect();
        for mistake in missing {
            self.find(path.clone(), mistake);
        }
        let raises: Vec<&WagerRule> = of(Place::Raise).collect();
        if seat.end == SeatEnd::Folded && raises.is_empty() {
            self.find(format!("seats[{index}].end"), Mistake::NoFold);
        }
        let made = raises.iter().rposition(placed).map_or(0, |last| last + 1);
        // A player who folded placed all wagers before the fold, and not the last one. A void may interrupt the
        // decisions.
        let needed = match (seat.end, self.round.void) {
            (SeatEnd::Stayed, None) => raises.len(),
            _ => made,
        };
        for rule in raises.iter().take(needed).filter(|rule| !placed(rule)) {
            let clause = self.cite(rule);
            let wager = rule.wager;
            self.find(path.clone(), Mistake::RaiseMissing { wager, clause });
        }
        if let (SeatEnd::Folded, Some(last)) = (seat.end, raises.last())
            && placed(last)
        {
            let wager = last.wager;
            self.find(path, Mistake::FoldedWithRaise { wager });
        }
    }

    fn cite(&self, rule: &WagerRule) -> Citation {
        rule.clause.of(self.rules.jurisdiction)
    }
}

/// Returns the mistakes in the minimum and the step of a table.
pub(super) fn terms_wrong(terms: &TableTerms) -> impl Iterator<Item = Finding> {
    let amounts = [("terms.minimum", terms.minimum), ("terms.step", terms.step)];
    let wrong = |(_, amount): &(&str, Money)| *amount <= Money::ZERO || !amount.is_whole_cents();
    let wrong = amounts.into_iter().filter(wrong);
    wrong.map(|(path, _)| Finding::new(path, Mistake::NoAmount))
}

/// Returns the mistakes in the number of a seat, of which a layout has those from 1 to `most`.
pub(super) fn seat_wrong(
    seat: Seat,
    most: u8,
    mut earlier: impl Iterator<Item = Seat>,
) -> impl Iterator<Item = Mistake> {
    let is_known = (1..=most).contains(&seat.0);
    let unknown = (!is_known).then_some(Mistake::SeatUnknown { seat, most });
    let is_twice = earlier.any(|other| other == seat);
    let twice = is_twice.then_some(Mistake::SeatTwice { seat });
    unknown.into_iter().chain(twice)
}

/// Returns the mistake in an amount that is not above zero, in whole cents and a multiple of the smallest chip. Without a
/// chip, which is a mistake of its own, only the cents count.
pub(super) fn off_step(amount: Money, step: Money) -> Option<Mistake> {
    let is_on_step = step <= Money::ZERO || amount.micros() % step.micros() == 0;
    let is_amount = amount > Money::ZERO && amount.is_whole_cents() && is_on_step;
    (!is_amount).then_some(Mistake::OffStep { amount, step })
}
