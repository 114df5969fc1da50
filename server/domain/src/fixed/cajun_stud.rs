//! The value of Cajun Stud's Ante and Raise Wagers under best play, 58 Pa. Code §§ 683a.11(b) to (h) and 683a.12(a).
//!
//! # Shape
//! The player sees two cards, three and four, and each time folds or raises once to three times the Ante. All wagers are
//! paid at the odds of the same five cards. From the last decision back, each takes what returns most. A decision knows
//! a set of cards and the amount wagered, so sets are judged once, whichever cards came first. It takes about a second.
//!
//! # Best play
//! The value of a set of cards is the greatest of some straight lines over the amount wagered. A raise between the
//! smallest and the largest is thus never better than both.

use crate::card::Card;
use crate::fixed::chance::Chance;
use crate::fixed::frequencies::{choose, of_cards};
use crate::fixed::seen::{Look, Seen, see};
use crate::hand::Ranking;
use crate::returns::Fraction;

const FIVE: Look = Look::Hand(Ranking::FiveCard);
/// Raises of the best play, in Antes: § 683a.11(b).
const RAISES: [i128; 2] = [1, 3];
/// Number of sets of four cards.
const SETS_OF_FOUR: usize = 270_725;
/// Number of sets of three cards.
const SETS_OF_THREE: usize = 22_100;
/// Wagers before the first decision, in Antes.
const ANTE: i128 = 1;

/// The results of the deals that some cards can end in: sums over them.
#[derive(Copy, Clone, Default)]
struct Results {
    /// Deals, one after the other.
    deals: i128,
    /// Results, in Antes times the scale.
    sum: i128,
    /// Squares of the results.
    squares: i128,
    /// Deals that win.
    won: i128,
    /// Deals whose wagers are returned.
    returned: i128,
}

impl Results {
    /// Returns the results of one deal.
    fn of_deal(gain: i128) -> Self {
        Self {
            deals: 1,
            sum: gain,
            squares: gain * gain,
            won: (gain > 0).into(),
            returned: (gain == 0).into(),
        }
    }

    fn add(&mut self, other: Self) {
        self.deals += other.deals;
        self.sum += other.sum;
        self.squares += other.squares;
        self.won += other.won;
        self.returned += other.returned;
    }

    /// Returns these results per Ante for so many Antes.
    const fn times(self, antes: i128) -> Self {
        Self {
            sum: self.sum * antes,
            squares: self.squares * antes * antes,
            ..self
        }
    }

    /// Returns the results with a fold of so much instead, if it loses less.
    fn or_fold(self, lost: i128) -> Self {
        let fold = Self {
            deals: self.deals,
            sum: -lost * self.deals,
            squares: lost * lost * self.deals,
            won: 0,
            returned: 0,
        };
        if fold.sum > self.sum { fold } else { self }
    }
}

/// Returns the value of the wagers in parts of the Ante. `gain` returns the player's result of each unit wagered, by the
/// five-card hand: at most a billion. Returns `None` only if the look at five cards fails.
pub fn cajun_stud(gain: impl Fn(Seen) -> Fraction) -> Option<Chance> {
    let results = of_cards(FIVE, 5)?;
    // Twice the units for odds of 3 to 2, and so on: with it all results are whole.
    let scale = results.iter().fold(1, |scale, (seen, _)| {
        let reduced = Fraction::new(*gain(seen).denom(), scale);
        scale * reduced.numer()
    });
    let whole = |cards: &[Card; 5]| Some((gain(see(FIVE, cards)?) * scale).to_integer());
    let deck: Vec<Card> = Card::all().collect();
    let of_four = of_four(&deck, whole)?;
    let mut of_three = vec![[Results::default(); RAISES.len()]; SETS_OF_THREE];
    for_every_set(&deck, |cards: [Card; 3]| {
        for (value, first) in of_three[index(&cards)].iter_mut().zip(RAISES) {
            *value = best(ANTE + first, scale, |raise| {
                let wagered = ANTE + first + raise;
                let fourth = others(&deck, &cards);
                sum(fourth.map(|card| {
                    let of_unit = of_four[index(&with::<3, 4>(cards, card))];
                    best(wagered, scale, |last| of_unit.times(wagered + last))
                }))
            });
        }
    });
    let mut all = Results::default();
    for_every_set(&deck, |cards: [Card; 2]| {
        all.add(best(ANTE, scale, |raise| {
            let place = usize::from(raise != RAISES[0]);
            sum(others(&deck, &cards)
                .map(|card| of_three[index(&with::<2, 3>(cards, card))][place]))
        }));
    });
    let share = |deals: i128| Fraction::new(deals, all.deals);
    let mean = share(all.sum) / scale;
    Some(Chance {
        hold: -mean,
        hit: share(all.won),
        push: share(all.returned),
        variance: share(all.squares) / (scale * scale) - mean * mean,
    })
}

/// Returns the results of every set of four cards per unit wagered, by its index.
fn of_four(deck: &[Card], gain: impl Fn(&[Card; 5]) -> Option<i128>) -> Option<Vec<Results>> {
    let mut of_four = vec![Results::default(); SETS_OF_FOUR];
    let mut complete = true;
    for_every_set(deck, |cards: [Card; 5]| {
        let Some(gain) = gain(&cards) else {
            complete = false;
            return;
        };
        let [one, two, three, four, five] = cards;
        for set in [
            [one, two, three, four],
            [one, two, three, five],
            [one, two, four, five],
            [one, three, four, five],
            [two, three, four, five],
        ] {
            of_four[index(&set)].add(Results::of_deal(gain));
        }
    });
    complete.then_some(of_four)
}

/// Returns the results of the decision that returns most, with so many Antes wagered before it.
fn best(wagered: i128, scale: i128, raised: impl Fn(i128) -> Results) -> Results {
    let [small, large] = RAISES.map(raised);
    let higher = if large.sum > small.sum { large } else { small };
    higher.or_fold(wagered * scale)
}

fn sum(all: impl Iterator<Item = Results>) -> Results {
    all.fold(Results::default(), |mut sum, results| {
        sum.add(results);
        sum
    })
}

/// Returns the cards of the deck that are none of these.
fn others(deck: &[Card], cards: &[Card]) -> impl Iterator<Item = Card> {
    deck.iter().copied().filter(|card| !cards.contains(card))
}

/// Returns the cards with one more, in the order of their numbers.
fn with<const N: usize, const MORE: usize>(cards: [Card; N], card: Card) -> [Card; MORE] {
    let mut more = [card; MORE];
    for (place, card) in more.iter_mut().zip(cards) {
        *place = card;
    }
    more.sort_unstable();
    more
}

/// Returns the place of a set among all sets of its size. Its cards are in the order of their numbers.
fn index(cards: &[Card]) -> usize {
    let places = cards.iter().zip(1..);
    let place: u64 = places
        .map(|(card, size)| choose(card.index().into(), size))
        .sum();
    usize::try_from(place).unwrap_or_default()
}

/// Passes every set of so many cards once, in the order of their numbers.
fn for_every_set<const N: usize>(deck: &[Card], mut pass: impl FnMut([Card; N])) {
    let mut places: [usize; N] = std::array::from_fn(|place| place);
    loop {
        pass(places.map(|place| deck[place]));
        // The last place that can move up does, and the places after it follow closely.
        let Some(moves) = (0..N).rfind(|at| places[*at] + N - at < deck.len()) else {
            return;
        };
        let next = places[moves] + 1;
        for (place, card) in places[moves..].iter_mut().zip(next..) {
            *place = card;
        }
    }
}
