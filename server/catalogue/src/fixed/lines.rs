//! The lines of a table: what they show, what they pay, and their order.

use meterhouse_domain::fixed::odds::{Basis, Odds, Pays};
use meterhouse_domain::fixed::seen::Look;
use meterhouse_domain::fixed::shows::{Shows, reached};
use meterhouse_domain::fixed::table::FIXED_LINES_MAX;

use crate::fixed::sheet::FixedLine;
use crate::fixed::shows;
use crate::reader::{Section, Value};

const PAYS_EXAMPLE: &str = "odds such as \"50 to 1\", \"3 to 2\" or \"50 for 1\", a thousand with its comma as in \"1,000 to 1\", or \"push\" or \"loses\"";

/// A line with its position in the file.
#[derive(Clone)]
pub(super) struct LineRead<'a> {
    /// Value at the key `prints`.
    pub(super) prints_value: Option<Value<'a>>,
    shows: Option<Shows>,
    shows_value: Option<Value<'a>>,
    pays: Option<(Value<'a>, Pays, Option<Basis>)>,
    /// The line, if it could be read.
    pub(super) line: Option<FixedLine>,
}

/// Reads the lines of the print; with `may_lack` a pay may be missing.
pub(super) fn read<'a>(
    value: Value<'a>,
    look: Option<Look>,
    may_lack: bool,
) -> Option<Vec<LineRead<'a>>> {
    let items = value.list(FIXED_LINES_MAX, "a [[line]] section")?;
    let line = |item: Value<'a>| {
        let section = item.section("[[line]]", "a [[line]] section")?;
        let read = line(&section, look, may_lack);
        section.finish();
        Some(read)
    };
    let lines: Vec<Option<LineRead<'_>>> = items.into_iter().map(line).collect();
    lines.into_iter().collect()
}

/// Reads one line; the caller finishes the section. Without a look its `shows` can't be read.
pub(super) fn line<'a>(section: &Section<'a>, look: Option<Look>, may_lack: bool) -> LineRead<'a> {
    let prints_value = section.required("prints", "\"Four-of-a-kind\", as printed");
    let prints = prints_value.and_then(Value::text);
    let shows_value = section.optional("shows");
    let shows = shows::read(section, look);
    let pays_value = if may_lack {
        section.optional("pays")
    } else {
        section.required("pays", "\"50 to 1\"")
    };
    let pays = pays_value.and_then(|value| pays(value).map(|(pays, basis)| (value, pays, basis)));
    let has_pay = pays.is_some() || pays_value.is_none();
    let build = || {
        Some(FixedLine {
            shows: shows?,
            prints: prints?.to_owned(),
            pays: pays.map(|(_, pays, _)| pays),
        })
    };
    LineRead {
        prints_value,
        shows,
        shows_value,
        pays,
        line: build().filter(|_| has_pay),
    }
}

fn pays(value: Value<'_>) -> Option<(Pays, Option<Basis>)> {
    match value.as_str().unwrap_or_default() {
        "push" => Some((Pays::Push, None)),
        "loses" => Some((Pays::Loses, None)),
        text => match Odds::read(text) {
            Some((odds, basis)) => Some((Pays::Odds(odds), Some(basis))),
            None => value.wrong(PAYS_EXAMPLE),
        },
    }
}

/// Checks the lines together: one basis, the highest pay first, and each line can be reached. Returns the basis.
pub(super) fn together(
    list: Value<'_>,
    lines: &[LineRead<'_>],
    look: Option<Look>,
) -> Option<Basis> {
    let basis = one_basis(lines);
    let all_are_read = lines.iter().all(|line| line.line.is_some());
    if basis.is_none() && all_are_read {
        let message = "no line has odds: write pays = \"50 to 1\" or other odds at one of them";
        list.report(message);
    }
    // Wagers on dice stand as they are printed: each is a wager of its own.
    let is_row = |line: &&LineRead<'_>| !matches!(line.shows, Some(Shows::Dice(_)));
    let mut above: Option<(Value<'_>, Pays)> = None;
    for (value, pays, _) in lines.iter().filter(is_row).filter_map(|line| line.pays) {
        if let Some((line, _)) = above.filter(|(_, higher)| pays.is_above(*higher)) {
            let line = line.line();
            value.wrong::<()>(format!("the highest pay first: line {line} pays less"));
        }
        above = Some((value, pays));
    }
    let shown: Option<Vec<Shows>> = lines.iter().map(|line| line.shows).collect();
    let reached = shown.zip(look).map(|(shown, look)| reached(look, &shown));
    for (line, is_reached) in lines.iter().zip(reached.into_iter().flatten()) {
        if let Some(value) = line.shows_value.filter(|_| !is_reached) {
            value.wrong::<()>(
                "another hand, or this line further up: the lines above pay all of it",
            );
        }
    }
    basis
}

fn one_basis(lines: &[LineRead<'_>]) -> Option<Basis> {
    let mut printed = lines.iter().filter_map(|line| {
        let (value, _, basis) = line.pays?;
        Some((value, basis?))
    });
    let (first, basis) = printed.next()?;
    for (value, other) in printed {
        if other != basis {
            let line = first.line();
            value.wrong::<()>(format!("odds \"{basis} 1\", as in line {line}"));
        }
    }
    Some(basis)
}
