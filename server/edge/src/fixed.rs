//! Tables of fixed wagers, and the worth of their wagers, for the command line and the manual.

use std::collections::BTreeMap;

use meterhouse_api::fixed::{
    FixedLine, FixedLineReturn, FixedReading, FixedReturns, FixedTable, FixedValue,
};
use meterhouse_api::paytable::NotInSource;
use meterhouse_api::text::Text;
use meterhouse_catalogue::{
    Catalogue, Effort, FixedPart, FixedSheet, FixedValue as Valued, Folded, Gap,
};
use meterhouse_domain::fixed::cover_all::is_rounded;
use meterhouse_domain::fixed::odds::{Basis, Pays};
use meterhouse_domain::fixed::returns::{LineReturns, deviation};
use meterhouse_domain::fixed::seen::Look;
use meterhouse_domain::fixed::worth::is_paid_on_all_raises;
use meterhouse_domain::returns::{Fraction, hundredths, percent};

use crate::link_returns::share;

/// Returns a table as its file has it.
pub fn fixed_table(sheet: &FixedSheet) -> FixedTable {
    let line = |prints: &String, pays: Option<Pays>| FixedLine {
        prints: prints.clone(),
        pays: pays.zip(sheet.basis).map(|(pays, basis)| pays.text(basis)),
    };
    let lines = sheet.lines.iter();
    let reading = sheet.reading.as_ref().map(|reading| FixedReading {
        name: reading.name.to_string(),
        says: reading.says.clone(),
        lines: reading
            .lines
            .iter()
            .map(|read| line(&read.prints, Some(read.pays)))
            .collect(),
    });
    FixedTable {
        table: Text(sheet.id.clone()),
        title: sheet.title.clone(),
        jurisdiction: sheet.jurisdiction.clone(),
        citation: sheet.citation.clone(),
        effective: sheet.effective.clone(),
        game: Text(sheet.game.clone()),
        wagers: sheet.wagers.iter().map(ToString::to_string).collect(),
        letter: sheet.letter.clone(),
        players: sheet.players,
        look: sheet.look.map(|look| Look::name(look).to_owned()),
        lines: lines
            .map(|printed| line(&printed.prints, printed.pays))
            .collect(),
        reading,
        complete: sheet.missing().next().is_none(),
        not_in_source: not_in_source(sheet),
    }
}

/// Returns a text with a capital letter first.
pub fn capitalised(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().map(|letter| letter.to_ascii_uppercase());
    first.into_iter().chain(letters).collect()
}

/// Returns the worth of the wagers of a table.
pub fn fixed_returns(catalogue: &Catalogue, sheet: &FixedSheet, effort: Effort) -> FixedReturns {
    let found = catalogue.fixed(&sheet.id);
    let found = found.map(|table| (catalogue.fixed_returns(table, effort), table.basis));
    let depends = match &found {
        Some((found, _)) => {
            let table = catalogue.fixed(&sheet.id);
            let is_left_out = effort == Effort::Quick && table.is_some_and(is_paid_on_all_raises);
            let counts = if is_left_out {
                "; meterhouse returns counts best play"
            } else {
                ""
            };
            found.depends.map(|depends| format!("{depends}{counts}"))
        }
        None => Some(missing(sheet)),
    };
    let values: Vec<(&Valued, Basis)> = found
        .iter()
        .flat_map(|(found, basis)| found.values.iter().map(|value| (value, *basis)))
        .collect();
    FixedReturns {
        table: Text(sheet.id.clone()),
        title: sheet.title.clone(),
        citation: sheet.citation.clone(),
        not_in_source: not_in_source(sheet),
        assumes: assumption(catalogue, sheet, &values),
        depends,
        warning: warning(&values),
        values: values
            .into_iter()
            .map(|(value, basis)| fixed_value(value, basis, sheet.players.is_some()))
            .collect(),
    }
}

/// Returns a sentence on the values that are missing in a table.
fn missing(sheet: &FixedSheet) -> String {
    let mut places: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for gap in sheet.missing() {
        let parts = places.entry(&gap.place).or_default();
        parts.push(gap.what.name());
    }
    let places = places.into_iter();
    let places = places.map(|(place, parts)| format!("{} not in {place}", parts.join(", ")));
    let places: Vec<String> = places.collect();
    format!("missing: {}", places.join("; "))
}

/// Returns the values that a table's source omits.
fn not_in_source(sheet: &FixedSheet) -> Vec<NotInSource> {
    let omitted = |gap: &Gap<FixedPart>| NotInSource {
        what: gap.what.name().to_owned(),
        place: gap.place.clone(),
        inferred_from: gap.inferred_from.clone(),
    };
    sheet.gaps.iter().map(omitted).collect()
}

/// Returns the conditions under which the wagers of a table have their values, as a sentence without its capital.
fn assumption(
    catalogue: &Catalogue,
    sheet: &FixedSheet,
    values: &[(&Valued, Basis)],
) -> Option<String> {
    let table = catalogue.fixed(&sheet.id)?;
    let mut wagers = catalogue
        .game(&sheet.game)
        .into_iter()
        .flat_map(|game| &game.wagers);
    let wager = wagers.find(|wager| wager.name == sheet.wager_title());
    let is_forfeited = wager.is_some_and(|wager| wager.folded == Some(Folded::Forfeited));
    let is_alone = !values.iter().any(|(value, _)| value.lines.lines.is_empty());
    let says = [
        (is_forfeited && is_alone)
            .then_some("assumes that no winning hand is folded, since a fold loses the wager"),
        (sheet.look == Some(Look::Field))
            .then_some("assumes that 0 and 00 among the four downs leave the football where it is: no source says it"),
        is_rounded(table).then_some("counts of a billion deals are rounded, and all else is computed from them: no number here is exact"),
    ];
    let says: Vec<&str> = says
        .into_iter()
        .flatten()
        .chain(of_required(values))
        .collect();
    (!says.is_empty()).then(|| says.join("; "))
}

/// Returns what the shares of values under best play are parts of.
fn of_required(values: &[(&Valued, Basis)]) -> Option<&'static str> {
    let mut abouts = values
        .iter()
        .filter_map(|(value, _)| value.about.as_deref());
    abouts
        .any(|about| about.starts_with("required wagers"))
        .then_some(
            "shares are parts of the two equal wagers before the deal, without the wager after it",
        )
}

/// Returns the warning for an operator, if a wager returns more than itself.
fn warning(values: &[(&Valued, Basis)]) -> Option<String> {
    let one = Fraction::from_integer(1);
    let above: Vec<(&str, Fraction)> = values
        .iter()
        .map(|(value, _)| {
            let about = value.about.as_deref().unwrap_or("this table");
            (about, one - value.chance.hold)
        })
        .filter(|(_, returned)| *returned > one)
        .collect();
    let says = match above.as_slice() {
        [] => return None,
        [(about, returned)] => format!("{about} returns {} of every wager", percent(*returned)),
        several => {
            let most = several.iter().map(|(_, returned)| *returned).max();
            let most = percent(most.unwrap_or(one));
            format!(
                "{} of its values return more than the wager, up to {most}",
                several.len()
            )
        }
    };
    Some(format!("{says}: the house loses"))
}

/// Renders a value. A frequency of rounded counts has no decimals where these would be wrong.
fn fixed_value(value: &Valued, basis: Basis, is_rounded: bool) -> FixedValue {
    let line = |line: &LineReturns| {
        let all = Fraction::from_integer(value.lines.cases.into());
        let cases = i128::from(line.cases);
        let one_in = (cases > 0).then(|| all / cases);
        let one_in = one_in.map(|one_in| {
            // Half a case more or less would change the hundredths.
            let is_rough = is_rounded && one_in * 100 > Fraction::from_integer(cases);
            if is_rough {
                one_in.round().to_string()
            } else {
                hundredths(one_in)
            }
        });
        FixedLineReturn {
            prints: line.prints.clone(),
            pays: line.pays.text(basis),
            cases: line.cases,
            of: value.lines.cases,
            one_in,
            returned: share(line.returned),
        }
    };
    let chance = &value.chance;
    FixedValue {
        about: value.about.clone(),
        lines: value.lines.lines.iter().map(line).collect(),
        hold: share(chance.hold),
        hit: share(chance.hit),
        push: share(chance.push),
        variance: chance.variance.to_string(),
        deviation: deviation(chance.variance),
    }
}
