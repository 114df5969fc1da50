//! The paytables of the tests as the rules want them, typed from § 657a.12; those with small seeds are for
//! reaching small meters often.

use meterhouse_domain::hand::{Hand, Ranking};
use meterhouse_domain::paytable::{
    Charge, ChargedTo, Content, FoldAward, FoldRule, Game as GameOf, GameRules, HandRule,
    HandedOver, Level, Line, Pays, Paytable, Settlement, Validation, WagerKind,
};
use meterhouse_domain::rate::Rate;

use crate::setup::{Game, Setup};

/// Name, seed, reseed, primary and reserve percent.
type LevelRow = (&'static str, u32, u32, u32, u32);

/// The paytable of this link.
pub(crate) fn paytable(setup: &Setup) -> Result<Paytable, String> {
    let bonus = setup.game == Game::HandBonus;
    let stud = setup.game == Game::Stud;
    let four = setup.game == Game::FourCardB;
    let charge = |charged_to, handed_over| Charge {
        charged_to,
        handed_over,
    };
    let fixed = if bonus {
        HandedOver::GameAccount
    } else {
        HandedOver::Rack
    };
    Ok(Paytable {
        id: name("under-test")?,
        title: "under test".to_owned(),
        jurisdiction: "PA".to_owned(),
        citation: "58 Pa. Code § 657a.12".to_owned(),
        effective: "2019-08-31".to_owned(),
        wager_kind: match setup.game {
            Game::FiveCardC | Game::Stud | Game::FourLevels => WagerKind::FiveCardProgressive,
            Game::HandBonus => WagerKind::FiveCardHandBonus,
            Game::FourCardB => WagerKind::FourCardProgressive,
        },
        games: vec![GameOf {
            name: name("crazy-4-poker")?,
            seats_max: 6,
        }],
        rules: GameRules {
            hand_rule: if four {
                HandRule::BestFourOfFive
            } else {
                HandRule::OwnFive
            },
            fold: FoldRule {
                award: if bonus {
                    FoldAward::Kept
                } else {
                    FoldAward::Forfeited
                },
                hand_gives_envy: stud,
            },
        },
        linkable: true,
        content: Content {
            ranking: if four {
                Ranking::FourCard
            } else {
                Ranking::FiveCard
            },
            bet_on_dealer: bonus,
            validation: match setup.game {
                Game::HandBonus => Validation::PercentAndForOneAtLeast(500),
                Game::Stud => Validation::PercentAndForOneAtLeast(100),
                Game::FiveCardC | Game::FourCardB | Game::FourLevels => Validation::EveryHit,
            },
            levels: levels(setup)?,
            lines: lines(setup.game),
            magic_card: bonus.then_some(20),
            lucky_bonus: bonus.then_some(5),
            settlement: Settlement {
                percent: charge(ChargedTo::Meter, HandedOver::Slip),
                for_one: charge(ChargedTo::House, fixed),
                envy: charge(ChargedTo::House, HandedOver::Rack),
            },
            envy_printed_for: if bonus { Vec::new() } else { vec![1, 5] },
        },
    })
}

fn levels(setup: &Setup) -> Result<Vec<Level>, String> {
    let rows: &[LevelRow] = match (setup.game, setup.small) {
        (Game::FiveCardC, false) => &[
            ("mega", 10_000, 10_000, 9, 0),
            ("major", 1_000, 1_000, 7, 0),
            ("minor", 250, 250, 3, 0),
        ],
        (Game::FiveCardC, true) => &[
            ("mega", 0, 0, 9, 0),
            ("major", 1, 0, 7, 0),
            ("minor", 0, 1, 3, 0),
        ],
        (Game::HandBonus, false) => &[("meter", 10_000, 0, 13, 8)],
        (Game::HandBonus, true) => &[("meter", 0, 0, 13, 8)],
        (Game::FourCardB, false) => &[("meter", 1_000, 1_000, 25, 5)],
        (Game::FourCardB, true) => &[("meter", 0, 1, 10, 40)],
        (Game::Stud, false) => &[
            ("meter", 10_000, 10_000, 65, 5),
            ("mystery", 100, 100, 5, 0),
        ],
        (Game::Stud, true) => &[("meter", 2, 1, 55, 15), ("mystery", 0, 1, 3, 2)],
        (Game::FourLevels, false) => &[
            ("grand", 10_000, 10_000, 9, 2),
            ("major", 1_000, 1_000, 7, 2),
            ("minor", 250, 250, 3, 1),
            ("mini", 25, 20, 2, 1),
        ],
        (Game::FourLevels, true) => &[
            ("grand", 0, 1, 9, 2),
            ("major", 1, 1, 7, 2),
            ("minor", 0, 1, 3, 1),
            ("mini", 2, 1, 2, 8),
        ],
    };
    let rate = |percent: u32| Rate::from_ppm(percent * 10_000).ok_or("more than the whole");
    rows.iter()
        .map(|(level, seed, reseed, primary, reserve)| {
            Ok(Level {
                name: name(level)?,
                seed: *seed,
                reseed: *reseed,
                primary: rate(*primary)?,
                reserve: rate(*reserve)?,
            })
        })
        .collect()
}

fn lines(game: Game) -> Vec<Line> {
    let all = |level| Pays::Percent {
        percent: 100,
        level,
    };
    let tenth = |level| Pays::Percent { percent: 10, level };
    let odds = Pays::ForOne;
    let metered = |odds| Pays::ForOneOf { odds, level: 0 };
    let rows: Vec<(Hand, Pays, Option<u32>)> = match game {
        Game::FiveCardC => vec![
            (Hand::RoyalFlush, all(0), Some(1_000)),
            (Hand::StraightFlush, all(1), Some(300)),
            (Hand::FourOfAKind, all(2), None),
            (Hand::FullHouse, odds(50), None),
            (Hand::Flush, odds(40), None),
            (Hand::Straight, odds(30), None),
            (Hand::ThreeOfAKind, odds(10), None),
        ],
        Game::HandBonus => vec![
            (Hand::RoyalFlush, all(0), None),
            (Hand::StraightFlush, tenth(0), None),
            (Hand::FourOfAKind, odds(500), None),
            (Hand::FullHouse, odds(100), None),
            (Hand::Flush, odds(50), None),
        ],
        Game::FourCardB => vec![
            (Hand::FourAces, all(0), Some(100)),
            (Hand::FourOfAKind, odds(300), Some(25)),
            (Hand::StraightFlush, odds(100), None),
            (Hand::ThreeOfAKind, odds(15), None),
        ],
        Game::Stud => vec![
            (Hand::RoyalFlush, all(0), Some(1_000)),
            (Hand::StraightFlush, tenth(0), Some(300)),
            (Hand::FourOfAKind, metered(500), None),
            (Hand::FullHouse, metered(100), None),
            (Hand::Flush, metered(5), None),
            (Hand::Straight, odds(4), None),
        ],
        Game::FourLevels => vec![
            (Hand::RoyalFlush, all(0), Some(1_000)),
            (Hand::StraightFlush, all(1), Some(300)),
            (Hand::FourOfAKind, all(2), None),
            (Hand::FullHouse, all(3), None),
            (Hand::Flush, tenth(3), None),
            (Hand::Straight, odds(30), None),
            (Hand::ThreeOfAKind, odds(10), None),
        ],
    };
    let lines = rows.into_iter();
    lines
        .map(|(hand, pays, envy)| Line { hand, pays, envy })
        .collect()
}

fn name<T: std::str::FromStr>(text: &str) -> Result<T, String> {
    text.parse().map_err(|_| format!("not a name: {text}"))
}
