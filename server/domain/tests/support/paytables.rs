//! The paytables of 58 Pa. Code § 657a.12(d), (e) and (f), typed from the regulation by hand.

#![expect(
    clippy::unwrap_used,
    reason = "a name or rate of these tests that is wrong fails them"
)]

use meterhouse_domain::hand::{Hand, Ranking};
use meterhouse_domain::paytable::{
    Charge, ChargedTo, Content, FoldAward, FoldRule, Game, GameRules, HandRule, HandedOver, Level,
    Line, Pays, Paytable, Settlement, Validation, WagerKind,
};
use meterhouse_domain::rate::{PPM_PER_PERCENT, Rate};

/// Name, seed, reseed, primary and reserve percent.
type LevelRow = (&'static str, u32, u32, u32, u32);
/// Hand, pay, envy for $1.
type LineRow = (Hand, Pays, Option<u32>);

/// 100% of the level with this index.
const fn all(level: usize) -> Pays {
    Pays::Percent {
        percent: 100,
        level,
    }
}

/// 10% of the only meter.
const TENTH: Pays = Pays::Percent {
    percent: 10,
    level: 0,
};

/// § 657a.12(d), Paytable A.
pub(crate) fn four_card_a() -> Paytable {
    let lines = [
        (Hand::FourAces, all(0), Some(100)),
        (Hand::FourOfAKind, Pays::ForOne(300), Some(10)),
        (Hand::StraightFlush, Pays::ForOne(100), Some(5)),
        (Hand::ThreeOfAKind, Pays::ForOne(9), None),
    ];
    four_card("four-card-a", ("meter", 5_000, 5_000, 29, 0), &lines)
}

/// § 657a.12(d), Paytable B.
pub(crate) fn four_card_b() -> Paytable {
    let lines = [
        (Hand::FourAces, all(0), Some(100)),
        (Hand::FourOfAKind, Pays::ForOne(300), Some(25)),
        (Hand::StraightFlush, Pays::ForOne(100), None),
        (Hand::ThreeOfAKind, Pays::ForOne(15), None),
    ];
    four_card("four-card-b", ("meter", 1_000, 1_000, 25, 5), &lines)
}

/// § 657a.12(e), Paytable A.
pub(crate) fn five_card_a() -> Paytable {
    five_card_a_seeded(10_000)
}

/// § 657a.12(e), Paytable A with another seed and reseed, for figures with a round amount.
pub(crate) fn five_card_a_seeded(seed: u32) -> Paytable {
    let pays = [all(0), TENTH, Pays::ForOne(300)];
    five_card("five-card-a", &[("meter", seed, seed, 21, 0)], pays, 9)
}

/// § 657a.12(e), Paytable B.
pub(crate) fn five_card_b() -> Paytable {
    let levels = [
        ("mega", 10_000, 10_000, 11, 0),
        ("major", 1_000, 1_000, 10, 0),
    ];
    five_card(
        "five-card-b",
        &levels,
        [all(0), all(1), Pays::ForOne(300)],
        9,
    )
}

/// § 657a.12(e), Paytable C.
pub(crate) fn five_card_c() -> Paytable {
    let levels = [
        ("mega", 10_000, 10_000, 9, 0),
        ("major", 1_000, 1_000, 7, 0),
        ("minor", 250, 250, 3, 0),
    ];
    five_card("five-card-c", &levels, [all(0), all(1), all(2)], 10)
}

/// § 657a.12(f), the Five Card Hand Bonus: no envy, and a fold forfeits nothing.
pub(crate) fn hand_bonus() -> Paytable {
    let lines = [
        (Hand::RoyalFlush, all(0), None),
        (Hand::StraightFlush, TENTH, None),
        (Hand::FourOfAKind, Pays::ForOne(500), None),
        (Hand::FullHouse, Pays::ForOne(100), None),
        (Hand::Flush, Pays::ForOne(50), None),
    ];
    let mut paytable = progressive(
        "five-card-hand-bonus",
        &[("meter", 10_000, 0, 13, 8)],
        &lines,
    );
    paytable.wager_kind = WagerKind::FiveCardHandBonus;
    paytable.rules.fold.award = FoldAward::Kept;
    paytable.content.bet_on_dealer = true;
    paytable.content.validation = Validation::PercentAndForOneAtLeast(500);
    paytable.content.settlement.for_one.handed_over = HandedOver::GameAccount;
    paytable.content.envy_printed_for = Vec::new();
    paytable.content.magic_card = Some(20);
    paytable.content.lucky_bonus = Some(5);
    paytable
}

fn four_card(id: &str, level: LevelRow, lines: &[LineRow]) -> Paytable {
    let mut paytable = progressive(id, &[level], lines);
    paytable.wager_kind = WagerKind::FourCardProgressive;
    paytable.rules.hand_rule = HandRule::BestFourOfFive;
    paytable.content.ranking = Ranking::FourCard;
    paytable
}

fn five_card(id: &str, levels: &[LevelRow], top: [Pays; 3], three_of_a_kind: u32) -> Paytable {
    let [royal, straight_flush, four] = top;
    let lines = [
        (Hand::RoyalFlush, royal, Some(1_000)),
        (Hand::StraightFlush, straight_flush, Some(300)),
        (Hand::FourOfAKind, four, None),
        (Hand::FullHouse, Pays::ForOne(50), None),
        (Hand::Flush, Pays::ForOne(40), None),
        (Hand::Straight, Pays::ForOne(30), None),
        (Hand::ThreeOfAKind, Pays::ForOne(three_of_a_kind), None),
    ];
    progressive(id, levels, &lines)
}

/// Returns the common part of the Four- and Five-Card Progressive.
fn progressive(id: &str, levels: &[LevelRow], lines: &[LineRow]) -> Paytable {
    let rate = |percent: u32| Rate::from_ppm(percent * PPM_PER_PERCENT).unwrap();
    let levels = levels
        .iter()
        .map(|(name, seed, reseed, primary, reserve)| Level {
            name: name.parse().unwrap(),
            seed: *seed,
            reseed: *reseed,
            primary: rate(*primary),
            reserve: rate(*reserve),
        });
    let lines = lines.iter().map(|(hand, pays, envy)| Line {
        hand: *hand,
        pays: *pays,
        envy: *envy,
    });
    let charge = |charged_to, handed_over| Charge {
        charged_to,
        handed_over,
    };
    Paytable {
        id: id.parse().unwrap(),
        title: id.to_owned(),
        jurisdiction: "PA".to_owned(),
        citation: "58 Pa. Code § 657a.12".to_owned(),
        effective: "2019-08-31".to_owned(),
        wager_kind: WagerKind::FiveCardProgressive,
        games: vec![Game {
            name: "crazy-4-poker".parse().unwrap(),
            seats_max: 6,
        }],
        rules: GameRules {
            hand_rule: HandRule::OwnFive,
            fold: FoldRule {
                award: FoldAward::Forfeited,
                hand_gives_envy: false,
            },
        },
        linkable: true,
        content: Content {
            ranking: Ranking::FiveCard,
            bet_on_dealer: false,
            validation: Validation::EveryHit,
            levels: levels.collect(),
            lines: lines.collect(),
            magic_card: None,
            lucky_bonus: None,
            settlement: Settlement {
                percent: charge(ChargedTo::Meter, HandedOver::Slip),
                for_one: charge(ChargedTo::House, HandedOver::Rack),
                envy: charge(ChargedTo::House, HandedOver::Rack),
            },
            envy_printed_for: vec![1, 5],
        },
    }
}
