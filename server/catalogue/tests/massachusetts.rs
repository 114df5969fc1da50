//! The ten files of Massachusetts agree with the Massachusetts Gaming Commission's Rules of Crazy 4 Poker.
//!
//! # Shape
//! The tables of Sections 11 and 13 follow, typed from that text cell by cell: hand, pays, and the Envy Bonus of each
//! printed wager. Below them are the draws and the amounts of the meters. Each file is rendered in these words.

use std::collections::BTreeSet;
use std::error::Error;

use meterhouse_catalogue::{Catalogue, LevelOutline, LineOutline, Sheet};
use meterhouse_domain::hand::Ranking;
use meterhouse_domain::paytable::{Pays, WagerKind};

type Outcome = Result<(), Box<dyn Error>>;

/// A paytable as printed.
struct Printed {
    id: &'static str,
    /// Section that prints the table.
    section: &'static str,
    wager_kind: WagerKind,
    /// Wagers, in dollars, whose Envy Bonuses are the columns behind the pays.
    envy_of: &'static [u32],
    table: &'static str,
}

/// Section 11(d)(1), (3), (5)(i): hand, Paytable A, envy at $1, envy at $5.
const FOUR_CARD_A: Printed = Printed {
    id: "ma-four-card-a",
    section: "Section 11(d)",
    wager_kind: WagerKind::FourCardProgressive,
    envy_of: &[1, 5],
    table: "
Four aces       | 100% of meter | $100 | $500
Four-of-a-kind  | 300 for 1     | $10  | $50
Straight flush  | 100 for 1     | $5   | $25
Three-of-a-kind | 9 for 1       |      |
Initial and reset amount | at least $5,000
",
};

/// Section 11(d)(1), (3), (5)(ii): hand, Paytable B, envy at $1, envy at $5.
const FOUR_CARD_B: Printed = Printed {
    id: "ma-four-card-b",
    section: "Section 11(d)",
    wager_kind: WagerKind::FourCardProgressive,
    envy_of: &[1, 5],
    table: "
Four aces       | 100% of meter | $100 | $500
Four-of-a-kind  | 300 for 1     | $25  | $125
Straight flush  | 100 for 1     |      |
Three-of-a-kind | 15 for 1      |      |
Initial and reset amount | at least $1,000
",
};

/// Section 11(e)(1), (3), (5): hand, pays, envy at $1, envy at $5.
const FIVE_CARD: Printed = Printed {
    id: "ma-five-card",
    section: "Section 11(e)",
    wager_kind: WagerKind::FiveCardProgressive,
    envy_of: &[1, 5],
    table: "
Royal flush     | 100% of meter | $1,000 | $5,000
Straight flush  | 10% of meter  | $300   | $1,500
Four-of-a-kind  | 300 for 1     |        |
Full house      | 50 for 1      |        |
Flush           | 40 for 1      |        |
Straight        | 30 for 1      |        |
Three-of-a-kind | 9 for 1       |        |
Initial and reset amount | at least $10,000
",
};

/// Section 11(f)(1), (3), (4).
const FIVE_CARD_HAND_BONUS: Printed = Printed {
    id: "ma-five-card-hand-bonus",
    section: "Section 11(f)",
    wager_kind: WagerKind::FiveCardHandBonus,
    envy_of: &[],
    table: "
Royal flush    | 100% of meter
Straight flush | 10% of meter
Four-of-a-kind | 500 for 1
Full house     | 100 for 1
Flush          | 50 for 1
Magic Card     | 20 for 1
Lucky Bonus    | 5 for 1
Initial and reset amount | at least $10,000
",
};

/// Section 13(f), PTMGL01. The wager of the envy column is not printed: the amounts are Section 11(e)(5)'s at $1.
const PTMGL01: Printed = Printed {
    id: "ma-ptmgl01",
    section: "Section 13(f)",
    wager_kind: WagerKind::FiveCardProgressive,
    envy_of: &[1],
    table: "
Royal Flush    | 100%      | $1,000
Straight Flush | 10%       | $300
4 of a Kind    | 300 for 1 |
Full House     | 50 for 1  |
Flush          | 40 for 1  |
Straight       | 30 for 1  |
3 of a Kind    | 9 for 1   |
Meter Seed     | $10,000
",
};

/// Section 13(f), PTMGL02. The wager of the envy column is not printed: the amounts are Section 11(e)(5)'s at $5.
const PTMGL02: Printed = Printed {
    id: "ma-ptmgl02",
    section: "Section 13(f)",
    wager_kind: WagerKind::FiveCardProgressive,
    envy_of: &[5],
    table: "
Royal Flush    | 100%      | $5,000
Straight Flush | 10%       | $1,500
4 of a Kind    | 300 for 1 |
Full House     | 50 for 1  |
Flush          | 40 for 1  |
Straight       | 30 for 1  |
3 of a Kind    | 9 for 1   |
Meter Seed     | $10,000
",
};

/// Section 13(f), PTMGL04. The wager of the envy column is not printed.
const PTMGL04: Printed = Printed {
    id: "ma-ptmgl04",
    section: "Section 13(f)",
    wager_kind: WagerKind::FiveCardProgressive,
    envy_of: &[1],
    table: "
Straight Flush | 100%      | $250
4 of a Kind    | 300 for 1 |
Full House     | 50 for 1  |
Flush          | 40 for 1  |
Straight       | 30 for 1  |
3 of a Kind    | 9 for 1   |
Meter Seed     | $1,000
",
};

/// Section 13(f), PTMGLML01. The wager of the envy column is not printed: the amounts are Section 11(e)(5)'s at $1.
const PTMGLML01: Printed = Printed {
    id: "ma-ptmglml01",
    section: "Section 13(f)",
    wager_kind: WagerKind::FiveCardProgressive,
    envy_of: &[1],
    table: "
Royal Flush    | 100% Major | $1,000
Straight Flush | 100% Minor | $300
4 of a Kind    | 300 For 1  |
Full House     | 50 For 1   |
Flush          | 40 For 1   |
Straight       | 30 For 1   |
3 of a Kind    | 9 For 1    |
Meter Seed - Major | $10,000
Meter Seed - Minor | $1,000
",
};

/// Section 13(f), PTMGLML02. The wager of the envy column is not printed: the amounts are Section 11(e)(5)'s at $1.
const PTMGLML02: Printed = Printed {
    id: "ma-ptmglml02",
    section: "Section 13(f)",
    wager_kind: WagerKind::FiveCardProgressive,
    envy_of: &[1],
    table: "
Royal Flush    | 100% Mega  | $1,000
Straight Flush | 100% Major | $300
4 of a Kind    | 100% Minor |
Full House     | 50 For 1   |
Flush          | 40 For 1   |
Straight       | 30 For 1   |
3 of a Kind    | 10 For 1   |
Meter Seed - Mega  | $10,000
Meter Seed - Major | $1,000
Meter Seed - Minor | $250
",
};

/// Section 13(f), PTMGLML03. The wager of the envy column is not printed: the amounts are Section 11(e)(5)'s at $1.
const PTMGLML03: Printed = Printed {
    id: "ma-ptmglml03",
    section: "Section 13(f)",
    wager_kind: WagerKind::FiveCardProgressive,
    envy_of: &[1],
    table: "
Royal Flush    | 100% Mega  | $1,000
Straight Flush | 100% Major | $300
4 of a Kind    | 100% Minor |
Full House     | 50 For 1   |
Flush          | 40 For 1   |
Straight       | 30 For 1   |
3 of a Kind    | 9 For 1    |
Meter Seed - Mega  | $10,000
Meter Seed - Major | $1,000
Meter Seed - Minor | $250
",
};

const ALL: [Printed; 10] = [
    FOUR_CARD_A,
    FOUR_CARD_B,
    FIVE_CARD,
    FIVE_CARD_HAND_BONUS,
    PTMGL01,
    PTMGL02,
    PTMGL04,
    PTMGLML01,
    PTMGLML02,
    PTMGLML03,
];

/// Returns the table's cells in one spelling: Section 13 writes numbers of cards as digits and pays with capitals.
fn cells(table: &str) -> Vec<Vec<String>> {
    let cell = |text: &str| {
        let text = text.trim().to_lowercase();
        let text = text.replace("4 of a kind", "four-of-a-kind");
        let text = text.replace("3 of a kind", "three-of-a-kind");
        text.replace("% of meter", "%")
    };
    let rows = table.lines().filter(|row| !row.is_empty());
    rows.map(|row| row.split('|').map(cell).collect()).collect()
}

fn dollars(amount: u32) -> String {
    if amount < 1_000 {
        return format!("${amount}");
    }
    format!("${},{:03}", amount / 1_000, amount % 1_000)
}

/// Returns a line in the words of the tables: hand, pays, and the envy of each of these wagers.
fn line(line: &LineOutline, levels: &[LevelOutline], envy_of: &[u32]) -> Vec<String> {
    let name = |level: usize| levels.get(level).map_or("?", |level| level.name.as_str());
    let pays = match line.pays {
        Some(Pays::ForOne(odds)) => format!("{odds} for 1"),
        Some(Pays::Percent { percent, level }) => match name(level) {
            "meter" => format!("{percent}%"),
            name => format!("{percent}% {name}"),
        },
        other => format!("{other:?}"),
    };
    let hand = match line.hand.to_string().as_str() {
        kind @ ("four-of-a-kind" | "three-of-a-kind") => kind.to_owned(),
        words => words.replace('-', " "),
    };
    let envy = envy_of.iter().map(|wager| {
        line.envy
            .map_or(String::new(), |envy| dollars(envy * wager))
    });
    [hand, pays].into_iter().chain(envy).collect()
}

/// Returns a level in the words of the tables: one amount, for opening and restarting.
fn level(level: &LevelOutline) -> Vec<String> {
    let seed = match level.name.as_str() {
        "meter" => "meter seed".to_owned(),
        name => format!("meter seed - {name}"),
    };
    match (level.seeds, level.seed_least) {
        (Some((opens, restarts)), None) if opens == restarts => vec![seed, dollars(opens)],
        (None, Some(least)) => {
            let amount = "initial and reset amount".to_owned();
            vec![amount, format!("at least {}", dollars(least))]
        }
        other => vec![seed, format!("{other:?}")],
    }
}

fn rendered(sheet: &Sheet, envy_of: &[u32]) -> Vec<Vec<String>> {
    let outline = &sheet.outline;
    let (magic_card, lucky_bonus) = outline.bonuses();
    let draws = [("magic card", magic_card), ("lucky bonus", lucky_bonus)];
    let draws = draws
        .into_iter()
        .filter_map(|(name, odds)| Some(vec![name.to_owned(), format!("{} for 1", odds?)]));
    let lines = outline
        .lines
        .iter()
        .map(|printed| line(printed, &outline.levels, envy_of));
    let levels = outline.levels.iter().map(level);
    lines.chain(draws).chain(levels).collect()
}

#[test]
fn every_cell_matches_the_printed_table() -> Outcome {
    let catalogue = Catalogue::compiled_in()?;
    for printed in ALL {
        let id = printed.id;
        let sheet = catalogue.sheet(&id.parse()?).ok_or(id)?;
        assert_eq!(
            rendered(sheet, printed.envy_of),
            cells(printed.table),
            "{id}"
        );
        assert_eq!(sheet.outline.envy_printed_for, printed.envy_of, "{id}");
        let citation = format!(
            "Massachusetts Gaming Commission, Rules of Crazy 4 Poker, {}",
            printed.section
        );
        assert_eq!(sheet.citation, citation, "{id}");
        assert_eq!(sheet.wager_kind, printed.wager_kind, "{id}");
    }
    Ok(())
}

/// Values outside the tables: the files take them from the text, and omit those that the text omits.
#[test]
fn values_outside_the_tables_match_the_text() -> Outcome {
    let catalogue = Catalogue::compiled_in()?;
    for printed in ALL {
        let id = printed.id;
        let sheet = catalogue.sheet(&id.parse()?).ok_or(id)?;
        let outline = &sheet.outline;
        assert_eq!(sheet.effective, None, "{id}");
        // Section 11(d)(3), (e)(3), (f)(4): in the licensee's Rules Submission. Section 13 has none.
        assert!(
            outline.levels.iter().all(|level| level.rates.is_none()),
            "{id}"
        );
        // Section 13(f), (h).
        assert_eq!(sheet.linkable, printed.section == "Section 13(f)", "{id}");
        // Section 6(d)(3) to (5).
        let is_bonus = printed.wager_kind == WagerKind::FiveCardHandBonus;
        assert_eq!(outline.bet_on_dealer, is_bonus, "{id}");
        // Section 5(b), (d).
        let ranking = match printed.wager_kind {
            WagerKind::FourCardProgressive => Ranking::FourCard,
            _ => Ranking::FiveCard,
        };
        assert_eq!(outline.ranking, ranking, "{id}");
    }
    Ok(())
}

#[test]
fn each_file_has_its_table() -> Outcome {
    let catalogue = Catalogue::compiled_in()?;
    let files = catalogue
        .sheets()
        .filter(|sheet| sheet.jurisdiction == "MA");
    let files: BTreeSet<&str> = files.map(|sheet| sheet.id.as_str()).collect();
    assert_eq!(files, ALL.iter().map(|printed| printed.id).collect());
    Ok(())
}
