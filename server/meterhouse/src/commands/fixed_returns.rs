//! `meterhouse returns` for a table of fixed wagers.

use meterhouse_api::fixed::{FixedLineReturn, FixedReturns, FixedValue};
use meterhouse_catalogue::{Catalogue, Effort, FixedSheet};
use meterhouse_edge::fixed::{capitalised, fixed_returns};

use crate::cli::ReturnsArgs;
use crate::failure::Failure;
use crate::output::{self, out};

pub(super) fn run(
    args: &ReturnsArgs,
    catalogue: &Catalogue,
    sheet: &FixedSheet,
) -> Result<(), Failure> {
    let has_draws = args.magic_card_one_in.is_some() || args.lucky_bonus_one_in.is_some();
    if args.meter.is_some() || args.seats.is_some() || has_draws {
        return Err(Failure::Usage(format!(
            "{} is a table of fixed wagers: leave out --meter, --seats and draws",
            sheet.id
        )));
    }
    let returns = fixed_returns(catalogue, sheet, Effort::Whole);
    if args.json {
        return output::json(&returns);
    }
    out!("{}", page(&returns));
    Ok(())
}

fn page(returns: &FixedReturns) -> String {
    let mut text = format!(
        "{}\n{} ({}), fixed odds\n",
        returns.title, returns.citation, returns.table
    );
    let inferred = returns.not_in_source.iter();
    let inferred = inferred.filter_map(|gap| {
        let from = gap.inferred_from.as_ref()?;
        let what = &gap.what;
        Some(format!(
            "Not in the source, for the operator to confirm: {what} as in {from}."
        ))
    });
    let depends = returns.depends.iter();
    let depends = depends.map(|reason| format!("The wager alone has no value: {reason}."));
    let assumes = returns.assumes.iter();
    let assumes = assumes.map(|text| format!("{}.", capitalised(text)));
    let warning = returns.warning.iter();
    let warning = warning.map(|text| format!("Warning: {text}."));
    if let Some(table) = each_line(&returns.values) {
        text.extend(["\n", &table]);
    } else {
        let blocks = returns.values.iter().map(block);
        text.extend(blocks.map(|block| format!("\n{block}")));
    }
    let notes = depends.chain(assumes).chain(inferred).chain(warning);
    text.extend(notes.map(|note| format!("\n{note}\n")));
    text
}

/// Returns a table of wagers that have one line each, such as those on dice.
fn each_line(values: &[FixedValue]) -> Option<String> {
    let lines: Option<Vec<(&FixedValue, &FixedLineReturn)>> = values
        .iter()
        .map(|value| match value.lines.as_slice() {
            [line] if value.about.as_ref() == Some(&line.prints) => Some((value, line)),
            _ => None,
        })
        .collect();
    let lines = lines.filter(|lines| !lines.is_empty())?;
    let width = width(lines.iter().map(|(_, line)| *line));
    let of = lines.first().map_or(0, |(_, line)| line.of);
    let head = ["Wager", "pays", &format!("of {of}"), "holds", "deviation"];
    let row_of = |(value, line): (&FixedValue, &FixedLineReturn)| {
        let (pays, cases) = (&line.pays, line.cases.to_string());
        let cells = [
            &line.prints,
            pays,
            &cases,
            &value.hold.percent,
            &value.deviation,
        ];
        row(width, cells.map(String::as_str))
    };
    let rows = lines.into_iter().map(row_of);
    Some([row(width, head)].into_iter().chain(rows).collect())
}

fn block(value: &FixedValue) -> String {
    let about = value.about.iter().map(|about| format!("{about}\n"));
    let width = width(value.lines.iter());
    let line = |line: &FixedLineReturn| {
        let (cases, one_in) = (line.cases.to_string(), line.one_in.as_deref());
        let one_in = one_in.unwrap_or("never");
        let returned = &line.returned.percent;
        row(width, [&line.prints, &line.pays, &cases, one_in, returned])
    };
    let first = value.lines.first();
    let head = first.map(|line| {
        let of = format!("of {}", line.of);
        row(width, ["Line", "pays", &of, "one in", "returns"])
    });
    let sum =
        |what: &str, percent: &str, exact: &str| format!("{what:<24}{percent:>12}  {exact}\n");
    let sums = [
        sum("The house keeps", &value.hold.percent, &value.hold.exact),
        sum("Wins", &value.hit.percent, &value.hit.exact),
        sum("Goes back", &value.push.percent, &value.push.exact),
        sum("Standard deviation", &value.deviation, "wagers"),
    ];
    let lines = value.lines.iter().map(line);
    about.chain(head).chain(lines).chain(sums).collect()
}

/// Returns the width of the column with the words of the print.
fn width<'a>(lines: impl Iterator<Item = &'a FixedLineReturn>) -> usize {
    let widest = lines.map(|line| line.prints.chars().count());
    widest.max().unwrap_or_default().max("Wager".len())
}

fn row(width: usize, [first, others @ ..]: [&str; 5]) -> String {
    let cells = others.map(|cell| format!("{cell:>16}"));
    format!("{first:<width$}{}\n", cells.concat())
}
