//! The second reading of a doubtful print: lines instead of some printed ones.
//!
//! # Choice
//! The print holds. A person chooses a reading only with a regulator's letter, and the file doesn't choose.

use meterhouse_domain::fixed::seen::Look;
use meterhouse_domain::fixed::table::{FIXED_LINES_MAX, Line, Reading};

use crate::fixed::lines::{self, LineRead};
use crate::fixed::sheet::FixedLine;
use crate::reader::Value;

const EXAMPLE: &str = "a [reading] section with name, says and [[reading.line]] sections";

/// Reads the second reading of the printed lines.
pub(super) fn read<'a>(
    value: Value<'a>,
    look: Option<Look>,
    printed: &[LineRead<'a>],
) -> Option<Reading> {
    let section = value.section("[reading]", EXAMPLE)?;
    let name = section.required("name", "\"queens-or-better\"");
    let name = name.and_then(Value::name);
    let says = section.required("says", "the doubt, in a sentence");
    let says = says.and_then(Value::text);
    let lines = section.required_section("line", "at least one [[reading.line]] section");
    let replaced = lines.and_then(|value| replaced(value, look, printed));
    section.finish();
    let list = lines?;
    let lines = replaced?;
    lines::together(list, &lines, look);
    let whole = |line: LineRead<'_>| line.line.as_ref().and_then(FixedLine::line);
    let lines: Option<Vec<Line>> = lines.into_iter().map(whole).collect();
    Some(Reading {
        name: name?,
        says: says?.to_owned(),
        lines: lines?,
    })
}

/// Returns all lines of the reading: each of its own takes the position of a printed one.
fn replaced<'a>(
    value: Value<'a>,
    look: Option<Look>,
    printed: &[LineRead<'a>],
) -> Option<Vec<LineRead<'a>>> {
    let mut lines = printed.to_vec();
    let mut whole = true;
    for item in value.list(FIXED_LINES_MAX, "a [[reading.line]] section")? {
        let section = item.section("[[reading.line]]", "a [[reading.line]] section")?;
        let instead_of =
            section.required("instead_of", "\"Two pair\", the words of a printed line");
        let read = lines::line(&section, look, false);
        section.finish();
        let words = instead_of.and_then(Value::as_str);
        let position = |line: &LineRead<'_>| {
            line.prints_value.and_then(Value::as_str) == words && words.is_some()
        };
        if let Some(index) = lines.iter().position(position) {
            lines.splice(index..=index, [read]).for_each(drop);
        } else {
            let instead = "the words of a printed line, each line once";
            instead_of.and_then(|value| value.wrong::<()>(instead));
            whole = false;
        }
    }
    whole.then_some(lines)
}
