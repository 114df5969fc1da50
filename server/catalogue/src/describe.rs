//! A paytable as a page of plain text, for `meterhouse paytable show`.
//!
//! # Shape
//! Facts, then levels, lines, draws and settlement, each a block of aligned columns.

use meterhouse_domain::command::Bonus;
use meterhouse_domain::paytable::{Charge, FoldAward, Game, HandRule, Pays, Validation, WagerKind};

use crate::gaps::{Gap, Part};
use crate::sheet::{LevelOutline, LineOutline, Outline, Sheet};

/// Spaces between two columns.
const GAP: &str = "  ";

/// Text for a value that the source omits and that is not inferred.
pub(crate) const MISSING: &str = "not in the source";

/// Returns the page for people: pays, source, and validation.
pub fn describe(sheet: &Sheet) -> String {
    let outline = &sheet.outline;
    let mut blocks = vec![
        format!("{}\n{}\n", sheet.title, sheet.id),
        facts(sheet),
        levels(&outline.levels),
        lines(&outline.lines, &outline.levels),
    ];
    blocks.extend(draws(outline));
    let gives_envy = !outline.envy_printed_for.is_empty();
    if gives_envy {
        let wagers: Vec<String> = outline
            .envy_printed_for
            .iter()
            .map(|dollars| format!("${dollars}.00"))
            .collect();
        blocks.push(format!(
            "The envy schedule is printed for {}.\n",
            wagers.join(" and ")
        ));
    }
    let settlement = outline.settlement;
    let mut rows = vec![
        row(["Settlement", "charged to", "handed over"]),
        charge("percentage of a level", settlement.percent),
        charge("fixed odds", settlement.for_one),
    ];
    if gives_envy {
        rows.push(charge("envy", settlement.envy));
    }
    blocks.push(columns(&rows, &[]));
    blocks.extend(gaps(&sheet.gaps));
    blocks.join("\n")
}

/// Describes the gaps in the source and their consequences.
fn gaps(gaps: &[Gap]) -> Option<String> {
    if gaps.is_empty() {
        return None;
    }
    let mut rows = vec![row(["Not in the source", "would stand in", ""])];
    rows.extend(gaps.iter().map(|gap| {
        let from = match (&gap.inferred_from, gap.what) {
            (Some(from), _) => format!("inferred from {from}: the operator confirms it"),
            (None, Part::RoyalFlush) => {
                "to be decided when a link opens: it pays nothing, or a file has a line for it"
                    .to_owned()
            }
            (None, _) => "lacking: an operator's file with this id has to say it".to_owned(),
        };
        row([gap.what.name(), &gap.place, &from])
    }));
    Some(columns(&rows, &[]))
}

fn facts(sheet: &Sheet) -> String {
    let outline = &sheet.outline;
    let source = format!("{} ({})", sheet.citation, sheet.jurisdiction);
    let games: Vec<String> = sheet.games.iter().map(game).collect();
    let wagered_on = if outline.bet_on_dealer {
        "the own hand, the dealer's hand, or both; a percentage on the dealer's is split equally"
    } else {
        "the own hand"
    };
    let linkable = if sheet.linkable {
        "yes"
    } else {
        "tables of one game only"
    };
    let facts = [
        row(["Source", &source]),
        row(["Effective", sheet.effective.as_deref().unwrap_or(MISSING)]),
        row(["Wager", wager(sheet.wager_kind)]),
        row(["Wagered on", wagered_on]),
        row(["Games", &games.join(", ")]),
        row([
            "Hand",
            &format!(
                "{}, ranked as {} hands",
                formed_of(sheet.rules.hand_rule),
                outline.ranking
            ),
        ]),
        row(["A fold", &fold(sheet)]),
        row(["Floorperson validates", &validated(outline.validation)]),
        row(["Linkable", linkable]),
        row(["Decks", &most(sheet.limits.decks_max, "not limited")]),
        row([
            "Adjacent boxes",
            &most(sheet.limits.boxes_max, "as filed, said when a link opens"),
        ]),
    ];
    columns(&facts, &[])
}

/// Writes the largest number, or the text for none.
fn most(number: Option<u8>, none: &str) -> String {
    number.map_or_else(|| none.to_owned(), |number| format!("at most {number}"))
}

fn fold(sheet: &Sheet) -> String {
    let award = match sheet.rules.fold.award {
        FoldAward::Forfeited => "forfeits the award",
        FoldAward::Kept => "keeps the award",
    };
    let envy = match (
        sheet.outline.envy_printed_for.is_empty(),
        sheet.rules.fold.hand_gives_envy,
    ) {
        (true, _) => "",
        (false, true) => "; the folded hand gives envy",
        (false, false) => "; the folded hand gives no envy",
    };
    format!("{award}{envy}")
}

fn validated(validation: Validation) -> String {
    match validation {
        Validation::EveryHit => "every hit".to_owned(),
        Validation::PercentAndForOneAtLeast(least) => {
            format!(
                "percentages of a level, and fixed odds of {} for 1 and more",
                grouped(least)
            )
        }
    }
}

/// Returns the cards that a hand is formed of, in words.
pub(crate) const fn formed_of(rule: HandRule) -> &'static str {
    match rule {
        HandRule::OwnFive => "the player's own five cards",
        HandRule::BestFourOfFive => "the best four of the player's five cards",
        HandRule::OwnThree => "the player's own three cards",
        HandRule::TwoAndFlop => "two own cards and the three of the Flop",
        HandRule::TwoAndCommunity => "two own cards and the three community cards",
        HandRule::ThreeAndCommunity => "three own cards and the two community cards",
        HandRule::OwnFiveDealerFirstFive => {
            "the player's own five cards; the dealer's first five of six"
        }
    }
}

/// Returns the chapters' name for a wager of this kind.
pub const fn wager(kind: WagerKind) -> &'static str {
    match kind {
        WagerKind::ThreeCardProgressive => "Three-Card Progressive Payout Wager",
        WagerKind::FourCardProgressive => "Four-Card Progressive Payout Wager",
        WagerKind::FiveCardProgressive => "Five-Card Progressive Payout Wager",
        WagerKind::FiveCardHandBonus => "Five Card Hand Bonus Wager",
    }
}

fn game(game: &Game) -> String {
    format!("{} (at most {} seats)", game.name, game.seats_max)
}

fn levels(levels: &[LevelOutline]) -> String {
    let mut rows = vec![row(["Level", "seed", "reseed", "primary", "reserve"])];
    let lacking = || (MISSING.to_owned(), MISSING.to_owned());
    rows.extend(levels.iter().map(|level| {
        let for_one = |odds: u32| format!("{} for 1", grouped(odds));
        let (seed, reseed) = match (level.seeds, level.seed_least) {
            (Some((seed, reseed)), _) => (for_one(seed), for_one(reseed)),
            (None, Some(least)) => {
                let least = format!("filed, at least ${}", grouped(least));
                (least.clone(), least)
            }
            (None, None) => lacking(),
        };
        let rates = level
            .rates
            .map(|(one, other)| (one.to_string(), other.to_string()));
        let (primary, reserve) = rates.unwrap_or_else(lacking);
        row([level.name.as_str(), &seed, &reseed, &primary, &reserve])
    }));
    columns(&rows, &[1, 2, 3, 4])
}

fn lines(lines: &[LineOutline], levels: &[LevelOutline]) -> String {
    let gives_envy = lines.iter().any(|line| line.envy.is_some());
    let envy = |odds: Option<u32>| {
        odds.map(|odds| format!("{} for 1", grouped(odds)))
            .unwrap_or_default()
    };
    let name = |level: usize| levels.get(level).map_or("?", |level| level.name.as_str());
    let mut rows = vec![row(["Hand", "pays", if gives_envy { "envy" } else { "" }])];
    rows.extend(lines.iter().map(|line| {
        let pays = match line.pays {
            None => MISSING.to_owned(),
            Some(Pays::ForOne(odds)) => format!("{} for 1", grouped(odds)),
            Some(Pays::ForOneOf { odds, level }) => {
                format!("{} for 1 off {}", grouped(odds), name(level))
            }
            Some(Pays::Percent { percent, level }) => format!("{percent}% of {}", name(level)),
        };
        row([line.hand.name(), &pays, &envy(line.envy)])
    }));
    columns(&rows, &[1, 2])
}

/// Describes the bonuses that the table game system draws, if any.
fn draws(outline: &Outline) -> Option<String> {
    let (magic_card, lucky_bonus) = outline.bonuses();
    let offered = [
        (Bonus::MagicCard, magic_card),
        (Bonus::LuckyBonus, lucky_bonus),
    ];
    let offered = offered
        .iter()
        .filter_map(|(bonus, odds)| Some((bonus, (*odds)?)));
    let mut rows = vec![row(["Draw", "pays"])];
    rows.extend(
        offered.map(|(bonus, odds)| row([bonus.name(), &format!("{} for 1", grouped(odds))])),
    );
    (rows.len() > 1).then(|| columns(&rows, &[1]))
}

fn charge(what: &str, charge: Charge) -> Vec<String> {
    row([what, charge.charged_to.name(), charge.handed_over.name()])
}

pub(crate) fn row<const N: usize>(cells: [&str; N]) -> Vec<String> {
    cells.iter().map(|cell| (*cell).to_owned()).collect()
}

/// Aligns rows; the columns with these indexes are aligned to the right.
pub(crate) fn columns(rows: &[Vec<String>], right: &[usize]) -> String {
    let width = |column: usize| {
        let cells = rows.iter().filter_map(|row| row.get(column));
        cells
            .map(|cell| cell.chars().count())
            .max()
            .unwrap_or_default()
    };
    let mut text = String::new();
    for row in rows {
        let cells: Vec<String> = row
            .iter()
            .enumerate()
            .map(|(column, cell)| {
                let width = width(column);
                if right.contains(&column) {
                    format!("{cell:>width$}")
                } else {
                    format!("{cell:<width$}")
                }
            })
            .collect();
        text.push_str(cells.join(GAP).trim_end());
        text.push('\n');
    }
    text
}

/// Writes a number with a comma behind every thousand.
fn grouped(number: u32) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}
