//! Every reason to refuse a hand that is keyed: a hit, envy alone, a bonus of the draw, all cards at once.

use std::collections::{BTreeMap, BTreeSet};

use meterhouse_domain::card::Card;
use meterhouse_domain::command::{Bonus, BonusCommand, HitCommand, Holder, Settle};
use meterhouse_domain::event::HitKind;
use meterhouse_domain::hand::Hand;
use meterhouse_domain::refusal::RefusalCode as Code;

use super::known::named_by_a_person;
use super::reasons::{on_layout, when};
use super::round::{Round, Who};
use super::{Auditor, Reasons, texts};

impl Auditor {
    pub(super) fn of_hit(&self, table: usize, round: &Round, hit: &HitCommand) -> Reasons {
        let who = Who::of(hit.holder);
        let mut reasons = self.of_wager(round, hit.holder);
        reasons.extend(when(self.sheet.line(hit.hand).is_none(), Code::NotAWinner));
        reasons.extend(self.of_keyed_cards(table, who, hit.hand, hit.cards.as_deref()));
        let again = self.standing(table).any(|it| it.who == who && it.by_rank());
        reasons.extend(when(again, Code::AlreadyHit));
        let mut lines = self.standing(table).filter(|it| it.kind == HitKind::Line);
        let late = lines.any(|it| round.turn(it.who) > round.turn(who));
        reasons.extend(when(late, Code::OutOfTurn));
        reasons
    }

    /// Why a hand has no wager that counts.
    pub(super) fn of_wager(&self, round: &Round, holder: Holder) -> Reasons {
        match holder {
            Holder::Seat(seat) => {
                let mut reasons: Reasons = on_layout(seat.0).into_iter().collect();
                reasons.extend(when(!round.own.contains(&seat.0), Code::NoWager));
                let forfeited = round.forfeited(&self.sheet, seat.0);
                reasons.extend(when(forfeited, Code::Folded));
                reasons
            }
            Holder::Dealer => {
                let mut reasons = when(!self.sheet.hand_bonus, Code::HandNotOffered);
                reasons.extend(when(round.dealer.is_empty(), Code::NoWager));
                reasons
            }
        }
    }

    pub(super) fn of_envy(
        &self,
        table: usize,
        round: &Round,
        seat: u8,
        hand: Hand,
        cards: Option<&[Card]>,
    ) -> Reasons {
        let mut reasons: Reasons = on_layout(seat).into_iter().collect();
        let again = self
            .standing(table)
            .any(|it| it.who == Who::Seat(seat) && it.by_rank());
        reasons.extend(when(!round.dealt.contains(&seat), Code::SeatNotDealt));
        reasons.extend(when(round.plays(&self.sheet, seat), Code::HasWager));
        reasons.extend(when(!round.lies_there(&self.sheet, seat), Code::Folded));
        reasons.extend(when(self.sheet.envy(hand) == 0, Code::NotAWinner));
        reasons.extend(when(again, Code::AlreadyHit));
        reasons.extend(self.of_keyed_cards(table, Who::Seat(seat), hand, cards));
        reasons
    }

    pub(super) fn of_bonus(&self, table: usize, round: &Round, bonus: &BonusCommand) -> Reasons {
        let who = Who::of(bonus.holder);
        let cards = bonus.cards.as_deref().map(texts);
        let mut reasons = self.of_wager(round, bonus.holder);
        let (kind, offered, drawn) = match bonus.kind {
            Bonus::MagicCard => {
                let before = self.shown(table).remove(&who);
                let known = cards.as_deref().map(tally).or(before);
                // Who sent all cards at once and has a winner has said who has it.
                let all_sent = self.standing(table).any(|hit| hit.name.nth > 0);
                let has_it = |card: &String| {
                    let in_it = known.as_ref().map(|it| it.contains_key(card));
                    in_it.unwrap_or(!all_sent)
                };
                let drawn = round.magic_card.as_ref().is_some_and(has_it);
                reasons.extend(when(self.is_gone(table, round, who), Code::CardTwice));
                (HitKind::MagicCard, self.sheet.magic_card, drawn)
            }
            Bonus::LuckyBonus => {
                let drawn = round.lucky == Some(who);
                (HitKind::LuckyBonus, self.sheet.lucky_bonus, drawn)
            }
        };
        reasons.extend(when(offered.is_none(), Code::BonusNotOffered));
        reasons.extend(when(!drawn, Code::NotDrawn));
        let again = self
            .standing(table)
            .any(|it| it.who == who && it.kind == kind);
        reasons.extend(when(again, Code::AlreadyHit));
        reasons.extend(
            cards
                .iter()
                .flat_map(|cards| self.of_dealt(table, who, cards)),
        );
        reasons
    }

    pub(super) fn of_settle(&self, table: usize, round: &Round, settle: &Settle) -> Reasons {
        let stands = self.standing(table).next().is_some();
        let mut reasons = when(stands, Code::AlreadyHit);
        reasons.extend(when(!settle.community.is_empty(), Code::ImpossibleCards));
        let mut sent = BTreeSet::new();
        for (seat, cards) in &settle.seats {
            reasons.extend(on_layout(seat.0));
            reasons.extend(when(!sent.insert(seat.0), Code::SeatTwice));
            reasons.extend(when(!round.dealt.contains(&seat.0), Code::SeatNotDealt));
            reasons.extend(when(cards.len() != 5, Code::ImpossibleCards));
        }
        let dealers = settle.dealer.len();
        reasons.extend(when(![0, 5].contains(&dealers), Code::ImpossibleCards));
        let hands = settle.seats.iter().map(|(_, cards)| cards);
        let all = hands
            .chain([&settle.dealer])
            .flatten()
            .map(ToString::to_string);
        reasons.extend(when(
            self.too_many(&all.collect::<Vec<_>>()),
            Code::CardTwice,
        ));
        let envy = self.sheet.lines.iter().any(|(_, _, envy)| *envy > 0);
        let missing = round
            .dealt
            .iter()
            .filter(|seat| !sent.contains(*seat))
            .any(|seat| {
                let alone = envy && round.gives_envy_alone(&self.sheet, *seat);
                round.plays(&self.sheet, *seat) || (alone && !envious(round, *seat).is_empty())
            });
        let no_dealer = dealers == 0 && !round.dealer.is_empty();
        reasons.extend(when(missing || no_dealer, Code::CardsMissing));
        reasons
    }

    /// Cards that are keyed with a hand: against the button, and against the round's other cards.
    fn of_keyed_cards(
        &self,
        table: usize,
        who: Who,
        hand: Hand,
        cards: Option<&[Card]>,
    ) -> Reasons {
        let mut reasons = self.of_cards(hand, cards);
        let cards = cards.map(texts);
        reasons.extend(
            cards
                .iter()
                .flat_map(|cards| self.of_dealt(table, who, cards)),
        );
        reasons
    }

    /// The cards against the button.
    pub(super) fn of_cards(&self, hand: Hand, cards: Option<&[Card]>) -> Reasons {
        let Some(cards) = cards.map(texts) else {
            return Vec::new();
        };
        if cards.len() != 5 {
            return vec![Code::ImpossibleCards];
        }
        let mut reasons = when(self.too_many(&cards), Code::CardTwice);
        if let Some(found) = named_by_a_person(&cards, self.sheet.four_cards) {
            let code = match self.sheet.line(found) {
                Some(_) => Code::WrongHand,
                None => Code::NotAWinner,
            };
            reasons.extend(when(found != hand, code));
        }
        reasons
    }

    /// The cards against those that stand in the round: one hand has one set of cards, the Magic Card among them if
    /// it was paid for it, and no other hand has any of them.
    fn of_dealt(&self, table: usize, who: Who, cards: &[String]) -> Reasons {
        let mut hands = self.shown(table);
        let mut reasons = when(cards.len() != 5, Code::ImpossibleCards);
        let before = hands.remove(&who);
        let other = before.is_some_and(|before| before != tally(cards));
        reasons.extend(when(other, Code::ImpossibleCards));
        let mut all = cards.to_vec();
        for (card, times) in hands.values().flatten() {
            all.extend(std::iter::repeat_n(card.clone(), *times));
        }
        for (hand, card) in self.given_the_card(table) {
            if hand == who {
                reasons.extend(when(!cards.contains(card), Code::ImpossibleCards));
            } else if !hands.contains_key(&hand) {
                all.push(card.clone());
            }
        }
        reasons.extend(when(self.too_many(&all), Code::CardTwice));
        reasons
    }

    /// The cards of the round's hands, of those that showed them.
    fn shown(&self, table: usize) -> BTreeMap<Who, Tally> {
        let showed = self.standing(table).filter(|hit| !hit.cards.is_empty());
        showed.map(|hit| (hit.who, tally(&hit.cards))).collect()
    }

    /// The hands that the Magic Card was paid for, and the card.
    fn given_the_card(&self, table: usize) -> impl Iterator<Item = (Who, &String)> {
        let round = self.felts[table].round.as_ref();
        let card = round.and_then(|round| round.magic_card.as_ref());
        let given = self
            .standing(table)
            .filter(|hit| hit.kind == HitKind::MagicCard);
        given.filter_map(move |hit| Some((hit.who, card?)))
    }

    /// Whether the other hands have the drawn card as often as decks are in play, shown or paid for unseen.
    fn is_gone(&self, table: usize, round: &Round, who: Who) -> bool {
        let Some(drawn) = &round.magic_card else {
            return false;
        };
        let hands = self.shown(table);
        let unseen = self
            .given_the_card(table)
            .filter(|(hand, _)| !hands.contains_key(hand) && *hand != who);
        let others = hands.iter().filter(|(hand, _)| **hand != who);
        let seen = others.filter_map(|(_, cards)| cards.get(drawn));
        seen.sum::<usize>() + unseen.count() >= usize::from(self.decks)
    }

    /// Whether a card is there more often than decks are in play.
    fn too_many(&self, cards: &[String]) -> bool {
        let decks = usize::from(self.decks);
        tally(cards).values().any(|times| *times > decks)
    }
}

/// Cards, and how often each is there.
type Tally = BTreeMap<String, usize>;

/// Each card and how often it is there.
fn tally(cards: &[String]) -> Tally {
    let mut tally = Tally::new();
    for card in cards {
        *tally.entry(card.clone()).or_default() += 1;
    }
    tally
}

/// The seats that get envy for this seat's hand, in turn order: wagers of other players, folded or not.
pub(super) fn envious(round: &Round, holder: u8) -> Vec<u8> {
    let others = round.own.iter().rev().copied();
    others.filter(|it| !round.one_player(*it, holder)).collect()
}
