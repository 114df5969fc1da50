//! The default links of the demo.

use meterhouse_domain::hand::{Hand, Ranking};
use meterhouse_domain::money::Money;

use crate::game::GamePlan;
use crate::plan::{LevelPlan, LinePlan, LinkPlan, PaysPlan, SettingsPlan, TablePlan};

/// Number of physical tables of Crazy 4 Poker in [`default_links`].
const CRAZY_4_TABLES: u32 = 6;
/// Number of Crazy 4 Poker tables that have the example's wager as well.
const EXAMPLE_TABLES: u32 = 2;
/// Number of physical tables of Ultimate Texas Hold 'Em.
const ULTIMATE_TABLES: u32 = 2;
/// Seconds of silence after which a table of the demo is lost. The usual limit of five seconds would make the
/// incident of a network partition longer.
const SILENCE_SECONDS_MAX: u32 = 2;
/// A Magic Card is drawn in one of this many rounds.
const MAGIC_CARD_ONE_IN: u32 = 200;
/// A lucky position is drawn in one of this many rounds.
const LUCKY_BONUS_ONE_IN: u32 = 50;

/// Returns the demo's three links, all at $1.
///
/// The main link has three games on five-card Paytable C: six physical tables of Crazy 4 Poker, two of Ultimate Texas
/// Hold 'Em and one of Mississippi Stud. The Five Card Hand Bonus is on the tables of the first two games. Mississippi
/// Stud has no dealer's hand to wager on, so its Hand Bonus is different. The first two physical tables also have an
/// example of no jurisdiction, with three levels and a reserve each.
pub fn default_links() -> Vec<LinkPlan> {
    let main = main_link();
    let (hand_bonus, example) = (hand_bonus_link(&main), example_link(&main));
    vec![main, hand_bonus, example]
}

fn main_link() -> LinkPlan {
    LinkPlan {
        link: "main".to_owned(),
        paytable: "pa-657a-five-card-c".to_owned(),
        wager: Money::DOLLAR,
        decks: 1,
        settings: SettingsPlan {
            silence_seconds_max: Some(SILENCE_SECONDS_MAX),
            ..SettingsPlan::default()
        },
        seats: 6,
        tables: main_tables(),
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

fn hand_bonus_link(main: &LinkPlan) -> LinkPlan {
    LinkPlan {
        link: "hand-bonus".to_owned(),
        paytable: "pa-657a-five-card-hand-bonus".to_owned(),
        settings: SettingsPlan {
            magic_card_one_in: Some(MAGIC_CARD_ONE_IN),
            lucky_bonus_one_in: Some(LUCKY_BONUS_ONE_IN),
            ..main.settings
        },
        tables: [
            tables("C4P", "-H", CRAZY_4_TABLES, GamePlan::CRAZY_4_HAND_BONUS),
            tables("UTH", "-H", ULTIMATE_TABLES, GamePlan::ULTIMATE_HAND_BONUS),
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

fn example_link(main: &LinkPlan) -> LinkPlan {
    LinkPlan {
        link: "example".to_owned(),
        paytable: GamePlan::CRAZY_4_EXAMPLE.paytable.to_owned(),
        tables: tables("C4P", "-E", EXAMPLE_TABLES, GamePlan::CRAZY_4_EXAMPLE),
        lines: three_levels(false),
        levels: vec![
            level("mega", 110_000),
            level("major", 90_000),
            level("minor", 40_000),
        ],
        ..main.clone()
    }
}

/// Returns lines of which a royal flush, a straight flush and four of a kind win one level each.
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

/// Returns the tables of the main link.
fn main_tables() -> Vec<TablePlan> {
    [
        tables("C4P", "", CRAZY_4_TABLES, GamePlan::CRAZY_4),
        tables("UTH", "", ULTIMATE_TABLES, GamePlan::ULTIMATE),
        tables("MSS", "", 1, GamePlan::MISSISSIPPI),
    ]
    .concat()
}

/// Returns this many tables of a game, such as `C4P-01-H`.
fn tables(prefix: &str, suffix: &str, count: u32, game: GamePlan) -> Vec<TablePlan> {
    let table = |number| TablePlan {
        table: format!("{prefix}-{number:02}{suffix}"),
        game,
    };
    (1..=count).map(table).collect()
}
