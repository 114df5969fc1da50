//! Whose hand is meant, which hand, and with which cards.

use meterhouse_domain::card::Card;
use meterhouse_domain::command::Holder;
use meterhouse_domain::hand::Hand;
use meterhouse_domain::seat::Seat;

use crate::auditor::known::{KNOWN, known};
use crate::auditor::round::Who;
use crate::commands::{Cards, Pick};
use crate::play::Game;

impl Game {
    /// One of the seats that were dealt in and made no wager, or, for 6 and more, that seat itself.
    pub(crate) fn seat_without_wager(&self, table: usize, nth: u8) -> u8 {
        let round = self.auditor.felts[table].round.as_ref();
        let sheet = &self.auditor.sheet;
        let idle = round.into_iter().flat_map(|it| {
            let seats = it.dealt.iter();
            seats.filter(|seat| !it.plays(sheet, **seat))
        });
        let idle: Vec<u8> = idle.copied().collect();
        let found = idle.get(usize::from(nth) % idle.len().max(1));
        found.copied().filter(|_| nth < 6).unwrap_or(nth)
    }

    /// A hand; those that pay most often, the ones that pay nothing seldom.
    pub(crate) fn hand(&self, index: u8) -> Hand {
        use Hand::{
            Flush, FourAces, FourOfAKind, FullHouse, HighCard, RoyalFlush, Straight, StraightFlush,
            ThreeOfAKind, TwoPair,
        };
        let sheet = &self.auditor.sheet;
        let often: &[(Hand, u8)] = if sheet.four_cards {
            &[
                (FourAces, 6),
                (FourOfAKind, 3),
                (StraightFlush, 2),
                (ThreeOfAKind, 2),
                (Flush, 1),
                (TwoPair, 1),
                (RoyalFlush, 1),
            ]
        } else if sheet.hand_bonus || sheet.folded_cards_stay {
            &[
                (RoyalFlush, 4),
                (StraightFlush, 5),
                (FourOfAKind, 2),
                (FullHouse, 1),
                (Flush, 2),
                (Straight, 1),
                (HighCard, 1),
            ]
        } else {
            &[
                (RoyalFlush, 3),
                (StraightFlush, 3),
                (FourOfAKind, 4),
                (FullHouse, 1),
                (Flush, 1),
                (Straight, 1),
                (ThreeOfAKind, 1),
                (TwoPair, 1),
                (FourAces, 1),
            ]
        };
        let mut passed = 0;
        let reached = |(_, times): &&(Hand, u8)| {
            passed += times;
            index % 16 < passed
        };
        let hand = often.iter().find(reached);
        hand.map_or(HighCard, |(hand, _)| *hand)
    }

    /// Whose hand is keyed.
    pub(crate) fn holder(&self, table: usize, pick: Pick) -> Holder {
        let round = self.auditor.felts[table].round.as_ref();
        let nth = match pick {
            Pick::Dealer => return Holder::Dealer,
            Pick::Seat(seat) => return Holder::Seat(Seat(seat)),
            Pick::Next(nth) => nth,
            Pick::Drawn => {
                if let Some(lucky) = round.and_then(|round| round.lucky) {
                    return holder_of(lucky);
                }
                0
            }
        };
        let Some(round) = round else {
            return Holder::Seat(Seat(1));
        };
        let mut turns = round.turns(&self.auditor.sheet);
        let lines = self.auditor.standing(table).filter(|hit| hit.by_rank());
        if let Some(last) = lines.map(|hit| round.turn(hit.who)).max() {
            turns.retain(|who| round.turn(*who) > last);
        }
        let found = turns.get(usize::from(nth) % turns.len().max(1));
        found.map_or(Holder::Seat(Seat(1)), |who| holder_of(*who))
    }

    /// Cards for a hand.
    pub(crate) fn cards(&self, hand: Hand, cards: Cards) -> Option<Vec<Card>> {
        let four_cards = self.auditor.sheet.four_cards;
        some_cards(cards, |_, five, four| {
            let made = if four_cards { four } else { five };
            made == hand
        })
    }

    /// Cards with the one that was drawn.
    pub(crate) fn cards_with_the_drawn(&self, table: usize, cards: Cards) -> Option<Vec<Card>> {
        let round = self.auditor.felts[table].round.as_ref();
        let drawn = round.and_then(|round| round.magic_card.as_ref());
        some_cards(cards, |text, _, _| {
            drawn.is_none_or(|card| text.contains(card.as_str()))
        })
    }

    /// Seven hands of known cards, in which no card is more often than decks are in play, as far as there are
    /// such hands.
    pub(crate) fn hands_without_repeats(&self, deal: [u8; 7]) -> Vec<Vec<Card>> {
        let decks = usize::from(self.world.state.terms.decks);
        let mut used: Vec<Card> = Vec::new();
        let mut hands = Vec::new();
        for start in deal {
            let candidates = (0..25).map(|step| known_cards(known((start % 25) + step)));
            let fits = |cards: &Vec<Card>| {
                let times = |card: &Card| used.iter().filter(|it| *it == card).count();
                cards.iter().all(|card| times(card) < decks)
            };
            let mut candidates: Vec<Vec<Card>> = candidates.collect();
            let fitting = candidates.iter().position(fits).unwrap_or(0);
            let cards = candidates.swap_remove(fitting);
            used.extend(&cards);
            hands.push(cards);
        }
        hands
    }
}

const fn holder_of(who: Who) -> Holder {
    match who {
        Who::Dealer => Holder::Dealer,
        Who::Seat(seat) => Holder::Seat(Seat(seat)),
    }
}

/// Cards, right ones being known ones that are as wanted.
fn some_cards(cards: Cards, wanted: impl Fn(&str, Hand, Hand) -> bool) -> Option<Vec<Card>> {
    match cards {
        Cards::None => None,
        Cards::Right(nth) => {
            let right = KNOWN.iter();
            let right = right.filter(|(text, five, four)| wanted(text, *five, *four));
            let right: Vec<&str> = right.map(|(text, _, _)| *text).collect();
            let text = right.get(usize::from(nth) % right.len().max(1))?;
            Some(known_cards(text))
        }
        Cards::Known(index) => Some(known_cards(known(index))),
        Cards::Four(index) => Some(known_cards(known(index)).into_iter().skip(1).collect()),
        Cards::Thrice(index) => {
            let mut cards = known_cards(known(index));
            let first = cards.first().copied();
            for (card, first) in cards.iter_mut().zip([first; 3].into_iter().flatten()) {
                *card = first;
            }
            Some(cards)
        }
    }
}

fn known_cards(text: &str) -> Vec<Card> {
    let cards = text.split(' ').map(str::parse);
    cards.filter_map(Result::ok).collect()
}
