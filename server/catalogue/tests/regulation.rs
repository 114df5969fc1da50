//! The seven Crazy 4 Poker files agree with 58 Pa. Code § 657a.12.
//!
//! Its tables as amended August 30, 2019 (49 Pa.B. 4956), cell by cell; each file is rendered in its words and compared.

use meterhouse_catalogue::{Catalogue, CatalogueErrors};
use meterhouse_domain::hand::Ranking;
use meterhouse_domain::paytable::{
    Charge, ChargedTo, Content, FoldAward, FoldRule, HandRule, HandedOver, Line, Pays, Paytable,
    Validation, WagerKind,
};

/// § 657a.12(d)(1): hand, Paytable A, Paytable B.
const FOUR_CARD: &str = "
Four aces       | 100% of meter | 100% of meter
Four-of-a-kind  | 300 for 1     | 300 for 1
Straight flush  | 100 for 1     | 100 for 1
Three-of-a-kind | 9 for 1       | 15 for 1
";

/// § 657a.12(d)(3): Paytable A, Paytable B.
const FOUR_CARD_METERS: &str = "
Seed/reseed | $5,000 for 1 | $1,000 for 1
Primary     | 29%          | 25%
Reserve     | N/A          | 5%
";

/// § 657a.12(d)(5)(i): hand, $1 wager, $5 wager.
const FOUR_CARD_A_ENVY: &str = "
Four aces      | $100 | $500
Four-of-a-kind | $10  | $50
Straight flush | $5   | $25
";

/// § 657a.12(d)(5)(ii): hand, $1 wager, $5 wager.
const FOUR_CARD_B_ENVY: &str = "
Four aces      | $100 | $500
Four-of-a-kind | $25  | $125
";

/// § 657a.12(e)(1): hand, Paytables A to D.
const FIVE_CARD: &str = "
Royal flush     | 100% of meter | 100% mega jackpot  | 100% mega jackpot  | 100% mega jackpot
Straight flush  | 10% of meter  | 100% major jackpot | 100% major jackpot | 100% major jackpot
Four-of-a-kind  | 300 for 1     | 300 for 1          | 100% minor jackpot | 100% minor jackpot
Full house      | 50 for 1      | 50 for 1           | 50 for 1           | 50 for 1
Flush           | 40 for 1      | 40 for 1           | 40 for 1           | 40 for 1
Straight        | 30 for 1      | 30 for 1           | 30 for 1           | 30 for 1
Three-of-a-kind | 9 for 1       | 9 for 1            | 10 for 1           | 9 for 1
";

/// § 657a.12(e)(3): Paytable A.
const FIVE_CARD_A_METERS: &str = "
Seed/reseed | $10,000 for 1
Primary     | 21%
Reserve     | N/A
";

/// § 657a.12(e)(3): seeds and reseeds of Paytables B to D.
const FIVE_CARD_SEEDS: &str = "
Mega  | $10,000 for 1 | $10,000 for 1 | $10,000 for 1
Major | $1,000 for 1  | $1,000 for 1  | $1,000 for 1
Minor | N/A           | $250 for 1    | $250 for 1
";

/// § 657a.12(e)(3): incrementation rates of Paytables B to D.
const FIVE_CARD_RATES: &str = "
Mega  | 11% | 9% | 10%
Major | 10% | 7% | 8%
Minor | N/A | 3% | 3%
";

/// § 657a.12(e)(5): hand, $1 wager, $5 wager.
const FIVE_CARD_ENVY: &str = "
Royal flush    | $1,000 | $5,000
Straight flush | $300   | $1,500
";

/// § 657a.12(f)(1).
const HAND_BONUS: &str = "
Royal flush    | 100% of meter
Straight flush | 10% of meter
Four-of-a-kind | 500 for 1
Full house     | 100 for 1
Flush          | 50 for 1
";

/// § 657a.12(f)(3).
const HAND_BONUS_DRAWS: &str = "
Magic Card  | 20 for 1
Lucky Bonus | 5 for 1
";

/// § 657a.12(f)(4).
const HAND_BONUS_METER: &str = "
Seed    | $10,000 for 1
Reseed  | $0
Primary | 13%
Reserve | 8%
";

/// Returns the first cell and cell `column` of every row in which the column applies.
fn column(table: &str, column: usize) -> Vec<(String, String)> {
    let rows = table
        .lines()
        .map(|row| row.split('|').map(str::trim).collect::<Vec<_>>());
    rows.filter_map(|cells| {
        let cell = cells.get(column).filter(|cell| **cell != "N/A")?;
        Some((
            cells.first()?.to_lowercase().replace(' ', "-"),
            (*cell).to_owned(),
        ))
    })
    .collect()
}

fn grouped(number: u32) -> String {
    if number < 1_000 {
        return number.to_string();
    }
    format!("{},{:03}", number / 1_000, number % 1_000)
}

fn pays(line: &Line, content: &Content) -> String {
    match line.pays {
        Pays::ForOne(odds) => format!("{odds} for 1"),
        Pays::ForOneOf { .. } => {
            unreachable!("the regulation charges fixed pays to nobody's meter")
        }
        Pays::Percent { percent, level } => match content.levels[level].name.as_str() {
            "meter" => format!("{percent}% of meter"),
            name => format!("{percent}% {name} jackpot"),
        },
    }
}

fn lines(content: &Content) -> Vec<(String, String)> {
    content
        .lines
        .iter()
        .map(|line| (line.hand.to_string(), pays(line, content)))
        .collect()
}

/// Returns the draws in the words of the regulation.
fn draws(content: &Content) -> Vec<(String, String)> {
    let draws = [
        ("magic-card", content.magic_card),
        ("lucky-bonus", content.lucky_bonus),
    ];
    draws
        .iter()
        .filter_map(|(name, odds)| Some(((*name).to_owned(), format!("{} for 1", (*odds)?))))
        .collect()
}

/// Returns hand and envy of every line that gives envy, at a wager of so many dollars.
fn envy(content: &Content, dollars: u32) -> Vec<(String, String)> {
    let lines = content.lines.iter();
    lines
        .filter_map(|line| {
            Some((
                line.hand.to_string(),
                format!("${}", grouped(line.envy? * dollars)),
            ))
        })
        .collect()
}

/// Returns the single level in the words of the regulation: seed, reseed, primary and reserve rate.
fn single(content: &Content) -> [String; 4] {
    assert_eq!(content.levels.len(), 1);
    let level = &content.levels[0];
    assert_eq!(level.name.as_str(), "meter");
    [
        format!("${} for 1", grouped(level.seed)),
        format!("${} for 1", grouped(level.reseed)),
        level.primary.to_string(),
        if level.reserve.is_zero() {
            "N/A".to_owned()
        } else {
            level.reserve.to_string()
        },
    ]
}

fn with(id: &str, see: fn(&Paytable)) -> Result<(), CatalogueErrors> {
    let catalogue = Catalogue::compiled_in()?;
    let found = catalogue.iter().find(|paytable| paytable.id.as_str() == id);
    assert!(found.is_some(), "{id} is not compiled in");
    found.into_iter().for_each(see);
    Ok(())
}

/// Checks the common part of both progressive payout wagers.
fn progressive(paytable: &Paytable) {
    everywhere(paytable);
    let content = &paytable.content;
    assert!(!content.bet_on_dealer);
    assert_eq!(draws(content), []);
    // § 657a.11(b)(2) and (c), (e)(3), (e)(4).
    let fold = FoldRule {
        award: FoldAward::Forfeited,
        hand_gives_envy: false,
    };
    assert_eq!(paytable.rules.fold, fold);
    assert_eq!(content.validation, Validation::EveryHit);
    let rack = Charge {
        charged_to: ChargedTo::House,
        handed_over: HandedOver::Rack,
    };
    assert_eq!(content.settlement.for_one, rack);
    assert_eq!(content.settlement.envy, rack);
    assert_eq!(content.envy_printed_for, [1, 5]);
}

fn everywhere(paytable: &Paytable) {
    assert_eq!(paytable.jurisdiction, "PA");
    assert_eq!(paytable.effective, "2019-08-31");
    assert!(paytable.linkable);
    let games: Vec<_> = paytable
        .games
        .iter()
        .map(|game| (game.name.as_str(), game.seats_max))
        .collect();
    assert_eq!(games, [("crazy-4-poker", 6)], "§ 657a.2(a)");
    let slip = Charge {
        charged_to: ChargedTo::Meter,
        handed_over: HandedOver::Slip,
    };
    assert_eq!(
        paytable.content.settlement.percent, slip,
        "§ 657a.11(e)(4), (f)(3)"
    );
}

fn four_card(paytable: &Paytable, letter: usize, envies: &str) {
    progressive(paytable);
    let content = &paytable.content;
    assert_eq!(paytable.citation, "58 Pa. Code § 657a.12(d)");
    assert_eq!(paytable.wager_kind, WagerKind::FourCardProgressive);
    assert_eq!(paytable.rules.hand_rule, HandRule::BestFourOfFive);
    assert_eq!(content.ranking, Ranking::FourCard);
    assert_eq!(lines(content), column(FOUR_CARD, letter));
    meter(content, FOUR_CARD_METERS, letter);
    assert_eq!(envy(content, 1), column(envies, 1));
    assert_eq!(envy(content, 5), column(envies, 2));
}

/// Checks a single level whose seed and reseed are printed in one row.
fn meter(content: &Content, table: &str, letter: usize) {
    let [seed, reseed, primary, reserve] = single(content);
    assert_eq!(seed, reseed);
    let rows = [
        ("seed/reseed", seed),
        ("primary", primary),
        ("reserve", reserve),
    ];
    let rows: Vec<_> = rows
        .into_iter()
        .map(|(row, cell)| (row.to_owned(), cell))
        .collect();
    let rows: Vec<_> = rows.into_iter().filter(|(_, cell)| cell != "N/A").collect();
    assert_eq!(rows, column(table, letter));
}

fn five_card(paytable: &Paytable, letter: usize) {
    progressive(paytable);
    let content = &paytable.content;
    assert_eq!(paytable.citation, "58 Pa. Code § 657a.12(e)");
    assert_eq!(paytable.wager_kind, WagerKind::FiveCardProgressive);
    assert_eq!(paytable.rules.hand_rule, HandRule::OwnFive);
    assert_eq!(content.ranking, Ranking::FiveCard);
    assert_eq!(lines(content), column(FIVE_CARD, letter));
    assert_eq!(envy(content, 1), column(FIVE_CARD_ENVY, 1));
    assert_eq!(envy(content, 5), column(FIVE_CARD_ENVY, 2));
}

/// Checks several levels: `letter` counts from Paytable B.
fn meters(paytable: &Paytable, letter: usize) {
    let levels = &paytable.content.levels;
    let money = |amount| format!("${} for 1", grouped(amount));
    let name = |level: &meterhouse_domain::paytable::Level| level.name.to_string();
    let seeds: Vec<_> = levels
        .iter()
        .map(|level| (name(level), money(level.seed)))
        .collect();
    let reseeds: Vec<_> = levels
        .iter()
        .map(|level| (name(level), money(level.reseed)))
        .collect();
    let rates: Vec<_> = levels
        .iter()
        .map(|level| (name(level), level.primary.to_string()))
        .collect();
    assert_eq!(seeds, column(FIVE_CARD_SEEDS, letter));
    assert_eq!(reseeds, column(FIVE_CARD_SEEDS, letter));
    assert_eq!(rates, column(FIVE_CARD_RATES, letter));
    assert!(
        levels.iter().all(|level| level.reserve.is_zero()),
        "no reserve is listed"
    );
}

#[test]
fn four_card_a() -> Result<(), CatalogueErrors> {
    with("pa-657a-four-card-a", |paytable| {
        four_card(paytable, 1, FOUR_CARD_A_ENVY);
    })
}

#[test]
fn four_card_b() -> Result<(), CatalogueErrors> {
    with("pa-657a-four-card-b", |paytable| {
        four_card(paytable, 2, FOUR_CARD_B_ENVY);
    })
}

#[test]
fn five_card_a() -> Result<(), CatalogueErrors> {
    with("pa-657a-five-card-a", |paytable| {
        five_card(paytable, 1);
        meter(&paytable.content, FIVE_CARD_A_METERS, 1);
    })
}

#[test]
fn five_card_b() -> Result<(), CatalogueErrors> {
    with("pa-657a-five-card-b", |paytable| {
        five_card(paytable, 2);
        meters(paytable, 1);
    })
}

#[test]
fn five_card_c() -> Result<(), CatalogueErrors> {
    with("pa-657a-five-card-c", |paytable| {
        five_card(paytable, 3);
        meters(paytable, 2);
    })
}

#[test]
fn five_card_d() -> Result<(), CatalogueErrors> {
    with("pa-657a-five-card-d", |paytable| {
        five_card(paytable, 4);
        meters(paytable, 3);
    })
}

#[test]
fn five_card_hand_bonus() -> Result<(), CatalogueErrors> {
    with("pa-657a-five-card-hand-bonus", |paytable| {
        everywhere(paytable);
        let content = &paytable.content;
        assert_eq!(paytable.citation, "58 Pa. Code § 657a.12(f)");
        assert_eq!(paytable.wager_kind, WagerKind::FiveCardHandBonus);
        assert_eq!(paytable.rules.hand_rule, HandRule::OwnFive);
        assert_eq!(paytable.rules.fold.award, FoldAward::Kept);
        assert_eq!(content.ranking, Ranking::FiveCard);
        assert!(content.bet_on_dealer, "§ 657a.7(d)(5)");
        assert_eq!(
            content.validation,
            Validation::PercentAndForOneAtLeast(500),
            "§ 657a.11(f)(2)"
        );
        let account = Charge {
            charged_to: ChargedTo::House,
            handed_over: HandedOver::GameAccount,
        };
        assert_eq!(content.settlement.for_one, account, "§ 657a.11(f)(3)");
        assert_eq!(lines(content), column(HAND_BONUS, 1));
        assert_eq!(draws(content), column(HAND_BONUS_DRAWS, 1));
        let [seed, reseed, primary, reserve] = single(content);
        let figures: Vec<_> = column(HAND_BONUS_METER, 1)
            .into_iter()
            .map(|(_, paytable)| paytable)
            .collect();
        assert_eq!(reseed, "$0 for 1");
        assert_eq!([seed, "$0".to_owned(), primary, reserve], *figures);
        assert!(content.envy_printed_for.is_empty());
        assert_eq!(envy(content, 1), []);
    })
}

/// Tables with equal content may share meters, so the content of the seven must differ.
#[test]
fn no_two_paytables_have_equal_content() -> Result<(), CatalogueErrors> {
    let catalogue = Catalogue::compiled_in()?;
    let of_chapter = catalogue
        .iter()
        .filter(|paytable| paytable.id.as_str().starts_with("pa-657a-"));
    let all: Vec<&Paytable> = of_chapter.collect();
    assert_eq!(all.len(), 7);
    for (index, one) in all.iter().enumerate() {
        for other in &all[index + 1..] {
            assert_ne!(one.content, other.content, "{} and {}", one.id, other.id);
        }
    }
    Ok(())
}
