//! A paytable as a page of plain text, for `meterhouse paytable show`.
//!
//! # Shape
//! Facts, then levels, lines, draws and settlement, each a block of aligned columns.

use meterhouse_domain::command::Bonus;
use meterhouse_domain::paytable::{
    Charge, Content, FoldAward, Game, HandRule, Level, Line, Pays, Paytable, Validation, WagerKind,
};

/// Spaces between two columns.
const GAP: &str = "  ";

/// The page for people: what it pays, from where, and who has to validate.
pub fn describe(paytable: &Paytable) -> String {
    let content = &paytable.content;
    let mut blocks = vec![
        format!("{}\n{}\n", paytable.title, paytable.id),
        facts(paytable),
        levels(&content.levels),
        lines(&content.lines, &content.levels),
    ];
    blocks.extend(draws(content));
    let gives_envy = !content.envy_printed_for.is_empty();
    if gives_envy {
        let wagers: Vec<String> = content
            .envy_printed_for
            .iter()
            .map(|it| format!("${it}.00"))
            .collect();
        blocks.push(format!(
            "The envy schedule is printed for {}.\n",
            wagers.join(" and ")
        ));
    }
    let settlement = content.settlement;
    let mut rows = vec![
        row(["Settlement", "charged to", "handed over"]),
        charge("percentage of a level", settlement.percent),
        charge("fixed odds", settlement.for_one),
    ];
    if gives_envy {
        rows.push(charge("envy", settlement.envy));
    }
    blocks.push(columns(&rows, &[]));
    blocks.join("\n")
}

fn facts(paytable: &Paytable) -> String {
    let content = &paytable.content;
    let source = format!("{} ({})", paytable.citation, paytable.jurisdiction);
    let games: Vec<String> = paytable.games.iter().map(game).collect();
    let wagered_on = if content.bet_on_dealer {
        "the own hand, the dealer's hand, or both; a percentage on the dealer's is split equally"
    } else {
        "the own hand"
    };
    let hand = match paytable.rules.hand_rule {
        HandRule::OwnFive => "the player's own five cards",
        HandRule::BestFourOfFive => "the best four of the player's five cards",
    };
    let award = match paytable.rules.fold.award {
        FoldAward::Forfeited => "forfeits the award",
        FoldAward::Kept => "keeps the award",
    };
    let envy = match (
        content.envy_printed_for.is_empty(),
        paytable.rules.fold.hand_gives_envy,
    ) {
        (true, _) => "",
        (false, true) => "; the folded hand gives envy",
        (false, false) => "; the folded hand gives no envy",
    };
    let validation = match content.validation {
        Validation::EveryHit => "every hit".to_owned(),
        Validation::PercentAndForOneAtLeast(least) => {
            format!(
                "percentages of a level, and fixed odds of {} for 1 and more",
                grouped(least)
            )
        }
    };
    let linkable = if paytable.linkable {
        "yes"
    } else {
        "no: one table alone"
    };
    let facts = [
        row(["Source", &source]),
        row(["Effective", &paytable.effective]),
        row(["Wager", wager(paytable.wager_kind)]),
        row(["Wagered on", wagered_on]),
        row(["Games", &games.join(", ")]),
        row([
            "Hand",
            &format!("{hand}, ranked as {} hands", content.ranking),
        ]),
        row(["A fold", &format!("{award}{envy}")]),
        row(["Floorperson validates", &validation]),
        row(["Linkable", linkable]),
    ];
    columns(&facts, &[])
}

const fn wager(kind: WagerKind) -> &'static str {
    match kind {
        WagerKind::FourCardProgressive => "Four-Card Progressive Payout Wager",
        WagerKind::FiveCardProgressive => "Five-Card Progressive Payout Wager",
        WagerKind::FiveCardHandBonus => "Five Card Hand Bonus Wager",
    }
}

fn game(game: &Game) -> String {
    format!("{} (at most {} seats)", game.name, game.seats_max)
}

fn levels(levels: &[Level]) -> String {
    let mut rows = vec![row(["Level", "seed", "reseed", "primary", "reserve"])];
    rows.extend(levels.iter().map(|it| {
        row([
            it.name.as_str(),
            &format!("{} for 1", grouped(it.seed)),
            &format!("{} for 1", grouped(it.reseed)),
            &it.primary.to_string(),
            &it.reserve.to_string(),
        ])
    }));
    columns(&rows, &[1, 2, 3, 4])
}

fn lines(lines: &[Line], levels: &[Level]) -> String {
    let gives_envy = lines.iter().any(|it| it.envy.is_some());
    let envy = |it: Option<u32>| {
        it.map(|it| format!("{} for 1", grouped(it)))
            .unwrap_or_default()
    };
    let name = |level: usize| levels.get(level).map_or("?", |it| it.name.as_str());
    let mut rows = vec![row(["Hand", "pays", if gives_envy { "envy" } else { "" }])];
    rows.extend(lines.iter().map(|it| {
        let pays = match it.pays {
            Pays::ForOne(odds) => format!("{} for 1", grouped(odds)),
            Pays::ForOneOf { odds, level } => {
                format!("{} for 1 off {}", grouped(odds), name(level))
            }
            Pays::Percent { percent, level } => format!("{percent}% of {}", name(level)),
        };
        row([it.hand.name(), &pays, &envy(it.envy)])
    }));
    columns(&rows, &[1, 2])
}

/// What the table game system draws, if anything.
fn draws(content: &Content) -> Option<String> {
    let offered = [
        (Bonus::MagicCard, content.magic_card),
        (Bonus::LuckyBonus, content.lucky_bonus),
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

fn row<const N: usize>(cells: [&str; N]) -> Vec<String> {
    cells.iter().map(|it| (*it).to_owned()).collect()
}

/// Aligned rows; the columns with these indexes are aligned to the right.
fn columns(rows: &[Vec<String>], right: &[usize]) -> String {
    let width = |column: usize| {
        let cells = rows.iter().filter_map(|row| row.get(column));
        cells.map(|it| it.chars().count()).max().unwrap_or_default()
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

/// A number with a comma behind every thousand.
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
