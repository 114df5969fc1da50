//! A table of fixed wagers as a page of plain text, for `meterhouse paytable show`.
//!
//! # Shape
//! Facts, then lines, the second reading and gaps, each a block of aligned columns.

use meterhouse_domain::fixed::odds::{Basis, Pays};
use meterhouse_domain::fixed::seen::Look;
use meterhouse_domain::hand::Ranking;
use meterhouse_domain::ids::WagerName;

use crate::describe::{MISSING, columns, row};
use crate::fixed::sheet::FixedSheet;
use crate::gaps::{FixedPart, Gap};

/// Returns the page for people: pays, source, and gaps.
pub fn describe_fixed(sheet: &FixedSheet) -> String {
    let mut blocks = vec![format!("{}\n{}\n", sheet.title, sheet.id), facts(sheet)];
    let cell = |pays: Option<Pays>| pays_text(pays, sheet.basis);
    if !sheet.lines.is_empty() {
        let lines = sheet.lines.iter();
        let lines = lines.map(|line| row([&line.prints, &cell(line.pays)]));
        let head = row(["Line", "pays"]);
        blocks.push(columns(&[vec![head], lines.collect()].concat(), &[1]));
    }
    if let Some(reading) = &sheet.reading {
        let lines = reading.lines.iter();
        let lines = lines.map(|line| row([&line.prints, &cell(Some(line.pays))]));
        let head = row([&format!("Reading {}", reading.name), "pays"]);
        let lines = columns(&[vec![head], lines.collect()].concat(), &[1]);
        let holds = "The print holds, unless a letter of the regulator chooses the reading.";
        blocks.push(format!("{lines}{}. {holds}\n", reading.says));
    }
    if !sheet.gaps.is_empty() {
        let head = row(["Not in the source", "would stand in", ""]);
        let gaps = sheet.gaps.iter().map(gap);
        blocks.push(columns(&[vec![head], gaps.collect()].concat(), &[]));
    }
    blocks.join("\n")
}

/// Writes the pay of a line as it is printed, or that it is missing.
pub fn pays_text(pays: Option<Pays>, basis: Option<Basis>) -> String {
    let text = pays.zip(basis).map(|(pays, basis)| pays.text(basis));
    text.unwrap_or_else(|| MISSING.to_owned())
}

impl FixedSheet {
    /// Returns the name of the wagers in the title, such as `Queens Up Wager`.
    pub fn wager_title(&self) -> &str {
        self.parts_of_title().0
    }

    /// Returns the name of the table among those for the same wagers, such as `Paytable A` or `2 players`; `None` for the
    /// only one.
    pub fn table_title(&self) -> Option<&str> {
        self.parts_of_title().1
    }

    /// Returns the parts of a title such as `Crazy 4 Poker, Queens Up Wager, Paytable A` without the game.
    fn parts_of_title(&self) -> (&str, Option<&str>) {
        let title = self.title.split_once(", ");
        let title = title.map_or(self.title.as_str(), |(_, title)| title);
        let is_one_of_several = self.letter.is_some() || self.players.is_some();
        let parts = title.rsplit_once(", ").filter(|_| is_one_of_several);
        parts.map_or((title, None), |(wagers, table)| (wagers, Some(table)))
    }
}

fn facts(sheet: &FixedSheet) -> String {
    let source = format!("{} ({})", sheet.citation, sheet.jurisdiction);
    let wagers: Vec<&str> = sheet.wagers.iter().map(WagerName::as_str).collect();
    let winner = match sheet.basis {
        Some(Basis::ToOne) => "the wager goes back in addition to the pay",
        Some(Basis::ForOne) => "the wager does not go back",
        None => MISSING,
    };
    let mut facts = vec![
        row(["Source", &source]),
        row(["Effective", sheet.effective.as_deref().unwrap_or(MISSING)]),
        row(["Kind", "fixed wagers: printed odds, without a meter"]),
        row(["Game", sheet.game.as_str()]),
        row(["Wagers", &wagers.join(", ")]),
    ];
    if let Some(letter) = &sheet.letter {
        facts.push(row(["Paytable", letter]));
    }
    if let Some(players) = sheet.players {
        facts.push(row(["Players", &players.to_string()]));
    }
    facts.push(row(["Judged by", sheet.look.map_or(MISSING, judged_by)]));
    facts.push(row(["A winning wager", winner]));
    columns(&facts, &[])
}

/// Returns the way in which a wager is judged, in words.
const fn judged_by(look: Look) -> &'static str {
    match look {
        Look::Hand(Ranking::ThreeCard) => "three-card hands",
        Look::Hand(Ranking::FourCard) => "four-card hands",
        Look::Hand(Ranking::FiveCard) => "five-card hands",
        Look::SixCards => "the best five of six cards, and the six-card royal flush",
        Look::Pocket => "the player's own two cards",
        Look::Low => "the highest of five cards that form no hand",
        Look::Colours => "the cards of one colour among five",
        Look::Dice => "three dice",
        Look::Field => "the yard line of the football after the downs",
        Look::Comparison => "the player's hand against the dealer's",
    }
}

fn gap(gap: &Gap<FixedPart>) -> Vec<String> {
    let from = match (&gap.inferred_from, gap.what) {
        (Some(from), _) => format!("inferred from {from}: the operator confirms it"),
        (None, FixedPart::Effective) => "no pay depends on it".to_owned(),
        (None, _) => "missing: an operator's file with this id has to say it".to_owned(),
    };
    row([gap.what.name(), &gap.place, &from])
}
