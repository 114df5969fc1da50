//! What the demo plays unless told otherwise.

use meterhouse_domain::hand::{Hand, Ranking};

use crate::game::GamePlan;
use crate::plan::{LevelPlan, LinePlan, LinkPlan, PaysPlan, SettingsPlan, TablePlan};

/// Felts of Crazy 4 Poker of [`default_links`].
const CRAZY_4_FELTS: u32 = 6;
/// Of these, felts with the wager of the example.
const EXAMPLE_FELTS: u32 = 2;
/// Felts of Ultimate Texas Hold 'Em.
const ULTIMATE_FELTS: u32 = 2;
/// Seconds of silence after which the demo's tables are lost: shorter than the five of most houses, so that nobody
/// waits long for the one whose cable is cut.
const SILENCE_SECONDS_MAX: u32 = 2;
/// A Magic Card in one of so many rounds.
const MAGIC_CARD_ONE_IN: u32 = 200;
/// A lucky position in one of so many rounds.
const LUCKY_BONUS_ONE_IN: u32 = 50;

/// The demo's three links, all at $1: three games on five-card Paytable C, six felts of Crazy 4, two of Ultimate Texas
/// Hold 'Em and one of Mississippi Stud; and on the felts of the first two the Five Card Hand Bonus. Mississippi Stud has
/// no dealer's hand to wager on, so its Hand Bonus is another.
/// On the first two felts also an example of no jurisdiction, with three levels and a reserve each.
pub fn default_links() -> Vec<LinkPlan> {
    let main = main_link();
    let (hand_bonus, example) = (hand_bonus_beside(&main), example_beside(&main));
    vec![main, hand_bonus, example]
}

fn main_link() -> LinkPlan {
    LinkPlan {
        link: "main".to_owned(),
        paytable: "pa-657a-five-card-c".to_owned(),
        wager: "1.00".to_owned(),
        decks: 1,
        settings: SettingsPlan {
            silence_seconds_max: Some(SILENCE_SECONDS_MAX),
            ..SettingsPlan::default()
        },
        seats: 6,
        tables: of_three_games(),
        bet_on_dealer: false,
        ranking: Ranking::FiveCard,
        lines: three_levels(true),
        levels: vec![
            level("mega", 90_000),
            level("major", 70_000),
            level("minor", 30_000),
        ],
    }
}

fn hand_bonus_beside(main: &LinkPlan) -> LinkPlan {
    LinkPlan {
        link: "hand-bonus".to_owned(),
        paytable: "pa-657a-five-card-hand-bonus".to_owned(),
        settings: SettingsPlan {
            magic_card_one_in: Some(MAGIC_CARD_ONE_IN),
            lucky_bonus_one_in: Some(LUCKY_BONUS_ONE_IN),
            ..main.settings
        },
        tables: [
            tables("C4P", "-H", CRAZY_4_FELTS, GamePlan::CRAZY_4_HAND_BONUS),
            tables("UTH", "-H", ULTIMATE_FELTS, GamePlan::ULTIMATE_HAND_BONUS),
        ]
        .concat(),
        bet_on_dealer: true,
        lines: vec![
            percent(Hand::RoyalFlush, false),
            percent(Hand::StraightFlush, false),
            fixed(Hand::FourOfAKind),
            fixed(Hand::FullHouse),
            fixed(Hand::Flush),
        ],
        levels: vec![level("meter", 210_000)],
        ..main.clone()
    }
}

fn example_beside(main: &LinkPlan) -> LinkPlan {
    LinkPlan {
        link: "example".to_owned(),
        paytable: GamePlan::CRAZY_4_EXAMPLE.paytable.to_owned(),
        tables: tables("C4P", "-E", EXAMPLE_FELTS, GamePlan::CRAZY_4_EXAMPLE),
        lines: three_levels(false),
        levels: vec![
            level("mega", 110_000),
            level("major", 90_000),
            level("minor", 40_000),
        ],
        ..main.clone()
    }
}

/// Lines of which a royal, a straight flush and four of a kind win a level each.
fn three_levels(envy: bool) -> Vec<LinePlan> {
    vec![
        percent(Hand::RoyalFlush, envy),
        percent(Hand::StraightFlush, envy),
        percent(Hand::FourOfAKind, false),
        fixed(Hand::FullHouse),
        fixed(Hand::Flush),
        fixed(Hand::Straight),
        fixed(Hand::ThreeOfAKind),
    ]
}

const fn percent(hand: Hand, envy: bool) -> LinePlan {
    LinePlan {
        hand,
        pays: PaysPlan::Percent,
        envy,
    }
}

const fn fixed(hand: Hand) -> LinePlan {
    LinePlan {
        hand,
        pays: PaysPlan::Fixed,
        envy: false,
    }
}

fn level(name: &str, micros_per_wager: i64) -> LevelPlan {
    LevelPlan {
        name: name.to_owned(),
        micros_per_wager,
    }
}

/// The tables of the first link.
fn of_three_games() -> Vec<TablePlan> {
    [
        tables("C4P", "", CRAZY_4_FELTS, GamePlan::CRAZY_4),
        tables("UTH", "", ULTIMATE_FELTS, GamePlan::ULTIMATE),
        tables("MSS", "", 1, GamePlan::MISSISSIPPI),
    ]
    .concat()
}

/// So many tables of a game.
fn tables(felt: &str, wager: &str, count: u32, game: GamePlan) -> Vec<TablePlan> {
    let table = |number| TablePlan {
        table: format!("{felt}-{number:02}{wager}"),
        game,
    };
    (1..=count).map(table).collect()
}
