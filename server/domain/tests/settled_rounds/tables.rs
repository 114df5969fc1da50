//! The tables of the worked rounds, read from `tables.txt`.

use meterhouse_domain::fixed::odds::{Basis, Odds, Pays};
use meterhouse_domain::fixed::ranks::Ranks;
use meterhouse_domain::fixed::shows::{HandShown, Shows};
use meterhouse_domain::fixed::table::{FixedTable, Line};

const TEXT: &str = include_str!("tables.txt");

/// Returns the tables with these ids.
pub(crate) fn tables(ids: &[&str]) -> Vec<FixedTable> {
    let all = all();
    let table = |id: &&str| all.iter().find(|table| table.id.as_str() == *id);
    ids.iter().map(|id| table(id).expect(id).clone()).collect()
}

/// Returns all tables.
pub(crate) fn all() -> Vec<FixedTable> {
    let mut tables: Vec<FixedTable> = Vec::new();
    for text in TEXT.lines() {
        let (text, is_line) = (text.trim(), text.starts_with(' '));
        if text.is_empty() || text.starts_with('#') {
            continue;
        }
        if is_line {
            let (shows, pays) = text.split_once(" | ").expect(text);
            tables.last_mut().expect("a table").lines.push(Line {
                shows: shown(shows),
                prints: shows.to_owned(),
                pays: paid(pays),
            });
        } else {
            tables.push(table(text));
        }
    }
    tables
}

fn table(text: &str) -> FixedTable {
    let words: Vec<&str> = text.split(' ').collect();
    let [_, id, game, jurisdiction, players, look, wagers @ ..] = words.as_slice() else {
        panic!("{text}");
    };
    FixedTable {
        id: id.parse().unwrap(),
        title: String::new(),
        jurisdiction: (*jurisdiction).to_owned(),
        citation: format!("clause of {id}"),
        effective: None,
        game: game.parse().unwrap(),
        wagers: wagers.iter().map(|wager| wager.parse().unwrap()).collect(),
        letter: letter_of(id),
        players: players.parse().ok(),
        look: look.parse().unwrap(),
        basis: Basis::ToOne,
        lines: Vec::new(),
        reading: None,
    }
}

fn paid(text: &str) -> Pays {
    match text {
        "push" => Pays::Push,
        "loses" => Pays::Loses,
        odds => Pays::Odds(Odds::read(odds).expect(odds).0),
    }
}

fn shown(text: &str) -> Shows {
    let words: Vec<&str> = text.split(' ').collect();
    let ranks = |text: &str| -> Ranks { text.parse().expect(text) };
    match words.as_slice() {
        ["win"] => Shows::Win,
        ["six-card-royal", suits] => Shows::SixCardRoyal(suits.parse().unwrap()),
        ["pocket-pair", of] => Shows::PocketPair(ranks(of)),
        ["pocket", high, low, suited] => Shows::Pocket {
            high: ranks(high),
            low: ranks(low),
            suited: *suited == "suited",
        },
        ["high", of] => Shows::High(ranks(of)),
        ["dice", wager] => Shows::Dice(wager.parse().expect(text)),
        ["showing", dice] => Shows::Showing(dice.parse().unwrap()),
        ["touchdown"] => Shows::Touchdown,
        ["losing-team"] => Shows::LosingTeam,
        ["yards", from, to] => Shows::Yards(from.parse().unwrap(), to.parse().unwrap()),
        ["colour", cards] => Shows::Colour(cards.parse().unwrap()),
        [hand] => Shows::Hand(HandShown::any(hand.parse().expect(text))),
        [hand, first] => Shows::Hand(HandShown {
            first: ranks(first),
            ..HandShown::any(hand.parse().expect(text))
        }),
        _ => panic!("{text}"),
    }
}

/// Returns the letter at the end of an id, if it has one.
fn letter_of(id: &str) -> Option<String> {
    let (_, last) = id.rsplit_once('-')?;
    (last.len() == 1).then(|| last.to_owned())
}
