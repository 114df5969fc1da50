//! The text form of worked rounds: a round with its tables, and what each wager must come to.
//!
//! A file holds rounds. `#` begins a comment. Lines of a seat are indented: its player, and its wagers in the order of
//! settlement, as `wager amount result | clause` or `wager amount win paid of payout | clause`. `totals` has the
//! amounts wagered, collected, returned and paid.

use meterhouse_domain::card::Card;
use meterhouse_domain::fixed::limit::LimitReading;
use meterhouse_domain::fixed::settle::{
    Irregularity, PlacedWager, PlayedRound, SeatEnd, SeatPlayed, TableTerms, WagerResult,
};
use meterhouse_domain::fixed::table::FixedTable;
use meterhouse_domain::fixed::wager::FixedWager;
use meterhouse_domain::money::Money;
use meterhouse_domain::seat::Seat;

use super::tables;

/// A worked round.
pub(crate) struct Story {
    pub(crate) name: String,
    pub(crate) round: PlayedRound,
    pub(crate) tables: Vec<FixedTable>,
    /// Expected wagers of each seat, in the order of the text.
    pub(crate) expected: Vec<(Seat, Vec<ExpectedWager>)>,
    /// Expected sums: wagered, collected, returned, paid.
    pub(crate) totals: [Money; 4],
}

/// The settlement of a wager that the text expects.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct ExpectedWager {
    pub(crate) wager: FixedWager,
    pub(crate) amount: Money,
    pub(crate) result: WagerResult,
    pub(crate) paid: Money,
    pub(crate) payout: Money,
    pub(crate) clause: String,
}

/// Returns every worked round.
pub(crate) fn all() -> Vec<Story> {
    let files = [
        include_str!("rounds/crazy-4-poker.txt"),
        include_str!("rounds/massachusetts.txt"),
        include_str!("rounds/cajun-stud.txt"),
        include_str!("rounds/four-card-frenzy.txt"),
        include_str!("rounds/partly-printed.txt"),
    ];
    files.into_iter().flat_map(read).collect()
}

/// Returns the worked round with this name.
pub(crate) fn named(name: &str) -> Story {
    let found = all().into_iter().find(|story| story.name == name);
    found.expect(name)
}

pub(crate) fn money(text: &str) -> Money {
    text.parse().expect(text)
}

pub(crate) fn cards(text: &str) -> Vec<Card> {
    let cards = text.split_whitespace();
    cards.map(|card| card.parse().expect(card)).collect()
}

fn read(file: &str) -> Vec<Story> {
    let mut stories: Vec<Story> = Vec::new();
    for line in file.lines().filter(|line| !line.starts_with('#')) {
        let (word, rest) = line.trim().split_once(' ').unwrap_or((line.trim(), ""));
        match (word, stories.last_mut()) {
            ("", _) => {}
            ("round", _) => stories.push(empty(rest)),
            (_, Some(story)) if line.starts_with(' ') => seat_line(story, word, rest),
            (_, Some(story)) => round_line(story, word, rest),
            (_, None) => panic!("{line}"),
        }
    }
    stories
}

fn empty(name: &str) -> Story {
    Story {
        name: name.to_owned(),
        round: PlayedRound {
            game: "none".parse().unwrap(),
            jurisdiction: String::new(),
            terms: TableTerms {
                minimum: money("5"),
                step: money("0.50"),
                limit: None,
                reading: None,
                most_at_minimum: None,
            },
            dealer: Vec::new(),
            community: Vec::new(),
            bonus: Vec::new(),
            seats: Vec::new(),
            void: None,
        },
        tables: Vec::new(),
        expected: Vec::new(),
        totals: [Money::ZERO; 4],
    }
}

fn round_line(story: &mut Story, word: &str, rest: &str) {
    let round = &mut story.round;
    match word {
        "game" => {
            let (game, jurisdiction) = rest.split_once(' ').expect(rest);
            round.game = game.parse().unwrap();
            round.jurisdiction.push_str(jurisdiction);
        }
        "tables" => story.tables = tables::tables(&rest.split(' ').collect::<Vec<_>>()),
        "limit" => {
            let (limit, reading) = rest.split_once(' ').unwrap_or((rest, ""));
            round.terms.limit = Some(money(limit));
            round.terms.reading = LimitReading::from_name(reading);
        }
        "most" => round.terms.most_at_minimum = Some(money(rest)),
        "void" => round.void = Some(Irregularity::from_name(rest).expect(rest)),
        "dealer" => round.dealer = cards(rest),
        "community" => round.community = cards(rest),
        "bonus" => round.bonus = cards(rest),
        "seat" => {
            let mut words = rest.splitn(3, ' ');
            let seat = Seat(words.next().unwrap().parse().expect(rest));
            let end = SeatEnd::from_name(words.next().expect(rest)).expect(rest);
            round.seats.push(SeatPlayed {
                seat,
                player: None,
                cards: cards(words.next().unwrap_or_default()),
                wagers: Vec::new(),
                end,
            });
            story.expected.push((seat, Vec::new()));
        }
        "totals" => {
            let sums: Vec<Money> = rest.split(' ').map(money).collect();
            story.totals = sums.try_into().expect("four sums");
        }
        _ => panic!("{word} {rest}"),
    }
}

fn seat_line(story: &mut Story, word: &str, rest: &str) {
    let seat = story.round.seats.last_mut().expect("a seat");
    if word == "player" {
        seat.player = Some(rest.parse().unwrap());
        return;
    }
    let wager = FixedWager::from_name(word).expect(word);
    let (settled, clause) = rest.split_once(" | ").expect(rest);
    let words: Vec<&str> = settled.split(' ').collect();
    let (amount, result, paid, payout) = match words.as_slice() {
        [amount, "win", paid] => (amount, "win", money(paid), money(paid)),
        [amount, "win", paid, "of", payout] => (amount, "win", money(paid), money(payout)),
        [amount, result] => (amount, *result, Money::ZERO, Money::ZERO),
        _ => panic!("{rest}"),
    };
    let amount = money(amount);
    seat.wagers.push(PlacedWager { wager, amount });
    let expected = &mut story.expected.last_mut().expect("a seat").1;
    expected.push(ExpectedWager {
        wager,
        amount,
        result: WagerResult::from_name(result).expect(result),
        paid,
        payout,
        clause: clause.to_owned(),
    });
}
