//! The page of limits: each row has the value of its constant, and each constant that is a limit has a row.
//!
//! # What is a limit
//! A constant of the crates whose name ends like those of [`ENDINGS`], outside tests, and outside the crates that only
//! measure and simulate.

use std::collections::BTreeMap;

use crate::finding::{Finding, assert_none, brief};
use crate::source::Source;
use crate::tree::{File, Tree, tree};

const PAGE: &str = "docs/LIMITS.md";

/// Endings of the names of limits.
const ENDINGS: [&str; 11] = [
    "_MAX",
    "_LIMIT",
    "_LIMITS",
    "_TIMEOUT",
    "_BUDGET",
    "_INTERVAL",
    "_EVERY",
    "_WAIT",
    "WINDOW",
    "_LEAST",
    "_MOST",
];

/// Crates whose limits no operator and no client meets.
const OTHER_CRATES: [&str; 2] = ["server/load/", "server/simulator/"];

/// Constants that are more than a number: their rows are compared by people.
const UNREAD: [&str; 3] = ["ANONYMOUS_LIMITS", "INDEX_MAX", "SOCKET_PATH_BYTES_MAX"];

/// Microseconds of a dollar, by the name that amounts are multiplied with.
const MICROS_PER_DOLLAR: (&str, u128) = ("MICROS_PER_DOLLAR", 1_000_000);

/// Milliseconds of each unit, from the longest.
const UNITS: [(u128, &str); 4] = [
    (86_400_000, "days"),
    (3_600_000, "h"),
    (60_000, "min"),
    (1_000, "s"),
];

/// A constant.
struct Constant<'a> {
    path: &'a str,
    line: usize,
    expression: &'a str,
}

/// Constants by name.
type Constants<'a> = BTreeMap<&'a str, Vec<Constant<'a>>>;

/// The value of a constant.
#[derive(Clone, Copy)]
enum Value {
    Number(u128),
    Milliseconds(u128),
    Micros(u128),
}

fn constants(tree: &Tree) -> Constants<'_> {
    let mut found = Constants::new();
    for source in &tree.rust {
        let is_of_crates = source.path.starts_with("server/") && source.path.contains("/src/");
        let is_other = OTHER_CRATES.iter().any(|of| source.path.starts_with(of));
        let file = tree.file(&source.path);
        if let Some(file) = file.filter(|_| is_of_crates && !is_other) {
            add_constants(file, source, &mut found);
        }
    }
    found
}

fn add_constants<'a>(file: &'a File, source: &Source, found: &mut Constants<'a>) {
    let mut at = 0;
    for (line, text) in file.lines() {
        let declared = text
            .trim_start()
            .split_once("const ")
            .filter(|(before, _)| before.is_empty() || before.starts_with("pub"));
        if let Some((name, rest)) = declared.and_then(|(_, rest)| rest.split_once(':'))
            && let Some((_, expression)) = rest.split_once('=')
            && !source.is_test(at)
        {
            found.entry(name).or_default().push(Constant {
                path: &file.path,
                line,
                expression: expression.trim().trim_end_matches(';'),
            });
        }
        at += text.len() + 1;
    }
}

/// Returns the value of an expression in a file, or none if it is more than a product of numbers.
fn value(constants: &Constants<'_>, path: &str, expression: &str) -> Option<Value> {
    let inside = |before: &str| expression.strip_prefix(before)?.strip_suffix(')');
    for (unit, milliseconds) in [
        ("millis", 1),
        ("secs", 1_000),
        ("mins", 60_000),
        ("hours", 3_600_000),
    ] {
        if let Some(count) = inside(&format!("Duration::from_{unit}(")) {
            return number(constants, path, count)
                .map(|count| Value::Milliseconds(count * milliseconds));
        }
    }
    if let Some(micros) = inside("Money::from_micros(") {
        return number(constants, path, micros).map(Value::Micros);
    }
    if let Some(seconds) = expression
        .strip_prefix('"')
        .and_then(|text| text.strip_suffix("s\""))
    {
        return seconds
            .parse()
            .ok()
            .map(|seconds: u128| Value::Milliseconds(seconds * 1_000));
    }
    number(constants, path, expression).map(Value::Number)
}

/// Returns a number, a product or a shift of numbers, or the value of another constant.
fn number(constants: &Constants<'_>, path: &str, expression: &str) -> Option<u128> {
    let part = |text: &str| number(constants, path, text.trim());
    if let Some((left, right)) = expression.split_once("<<") {
        return Some(part(left)? << part(right)?);
    }
    if let Some((left, right)) = expression.split_once('*') {
        return Some(part(left)? * part(right)?);
    }
    if expression.starts_with(|letter: char| letter.is_ascii_digit()) {
        return expression.replace('_', "").parse().ok();
    }
    if expression == MICROS_PER_DOLLAR.0 {
        return Some(MICROS_PER_DOLLAR.1);
    }
    let named = constants.get(expression)?;
    let here = named.iter().find(|constant| constant.path == path);
    let constant = here.or(named.first())?;
    number(constants, constant.path, constant.expression)
}

/// Returns a number with commas.
fn grouped(number: u128) -> String {
    let digits = number.to_string();
    let from_end = digits.len();
    let letters = digits.chars().enumerate().flat_map(|(index, digit)| {
        let is_group = index > 0 && (from_end - index).is_multiple_of(3);
        is_group.then_some(',').into_iter().chain([digit])
    });
    letters.collect()
}

/// Returns a value as the page shows it.
fn shown(name: &str, value: Value) -> String {
    match value {
        Value::Milliseconds(time) => {
            let whole = UNITS
                .iter()
                .find(|(unit, _)| time >= *unit && time.is_multiple_of(*unit));
            whole.map_or_else(
                || format!("{} ms", grouped(time)),
                |(unit, word)| format!("{} {word}", grouped(time / unit)),
            )
        }
        Value::Micros(micros) => format!("${}", grouped(micros / MICROS_PER_DOLLAR.1)),
        Value::Number(bytes) if name.contains("_BYTES_") && bytes.is_multiple_of(1_024) => {
            let kibibytes = bytes / 1_024;
            if kibibytes.is_multiple_of(1_024) {
                format!("{} MiB", grouped(kibibytes / 1_024))
            } else {
                format!("{} KiB", grouped(kibibytes))
            }
        }
        Value::Number(number) => grouped(number),
    }
}

/// A row of the page that names a constant.
struct Row<'a> {
    line: usize,
    value: &'a str,
    path: &'a str,
    name: &'a str,
}

fn rows(page: &File) -> Vec<Row<'_>> {
    let mut column = None;
    let mut found = Vec::new();
    for (line, text) in page.lines() {
        let cells: Vec<&str> = text.trim_matches('|').split('|').map(str::trim).collect();
        if cells.last() == Some(&"constant") {
            column = cells.iter().position(|cell| *cell == "value");
        }
        let constant = cells
            .last()
            .and_then(|cell| cell.trim_matches('`').split_once("::"));
        if let Some((path, name)) = constant
            && text.starts_with('|')
            && let Some(value) = column.and_then(|column| cells.get(column))
        {
            found.push(Row {
                line,
                value,
                path,
                name,
            });
        }
    }
    found
}

/// Finds rows that differ from their constant, and constants without a row.
fn differences(tree: &Tree, page: &File) -> Vec<Finding> {
    let constants = constants(tree);
    let rows = rows(page);
    let mut found = Vec::new();
    for row in &rows {
        let here = constants.get(row.name).into_iter().flatten();
        let constant = here.into_iter().find(|constant| constant.path == row.path);
        let actual = constant.and_then(|constant| {
            let value = value(&constants, constant.path, constant.expression)?;
            Some(shown(row.name, value))
        });
        let what = match (constant, actual) {
            (None, _) => format!("`{}::{}` is gone", row.path, row.name),
            (Some(_), Some(actual)) if actual != row.value => format!("`{}` is {actual}", row.name),
            (Some(_), None) if !UNREAD.contains(&row.name) => {
                format!("`{}` can't be read", row.name)
            }
            _ => continue,
        };
        found.push(Finding::new(&page.path, row.line, what));
    }
    let limits = constants
        .iter()
        .filter(|(name, _)| ENDINGS.iter().any(|end| name.ends_with(end)));
    for (name, constant) in limits.flat_map(|(name, all)| all.iter().map(move |one| (name, one))) {
        let count = rows
            .iter()
            .filter(|row| row.path == constant.path && row.name == *name)
            .count();
        if count != 1 {
            let what = format!("{count} rows of {PAGE} for `{name}`");
            found.push(Finding::new(constant.path, constant.line, what));
        }
    }
    found
}

/// An operator who meets a limit finds it, with its value.
#[test]
fn the_page_of_limits_agrees_with_the_code() {
    let Some(page) = tree().file(PAGE) else {
        panic!("{PAGE} is gone: name the new file here")
    };
    assert_none(
        &differences(tree(), page),
        "Correct the row, or add one to the section that fits, or to \"Inside\".",
    );
}

/// Another value, a constant that is gone, one without a row, one with two.
#[test]
fn other_limits_are_found() {
    let code = "const A_MAX: usize = 4 * B_MAX;\npub const B_MAX: usize = 1_024;\nconst C_WAIT: Duration = Duration::from_mins(120);\n\
                const D_BYTES_MAX: u64 = 16 << 20;\nconst E_TIMEOUT: &str = \"30s\";\npub(crate) const F_MOST: Money = Money::from_micros(5 * MICROS_PER_DOLLAR);\n\
                const G_EVERY: Duration = Duration::from_millis(1_500);\nconst OTHER: usize = 1;\nconst H_MAX: u32 = of();\n";
    let row =
        |value: &str, name: &str| format!("| x | {value} | y | `server/a/src/a.rs::{name}` |\n");
    let right = [
        ("4,096", "A_MAX"),
        ("1,024", "B_MAX"),
        ("2 h", "C_WAIT"),
        ("16 MiB", "D_BYTES_MAX"),
        ("30 s", "E_TIMEOUT"),
        ("$5", "F_MOST"),
        ("1,500 ms", "G_EVERY"),
    ];
    let head = "| limit | value | what | constant |\n|---|---|---|---|\n";
    let page = right.iter().fold(head.to_owned(), |page, (value, name)| {
        page + &row(value, name)
    });
    let tree = |page: &str| Tree {
        files: vec![File::new(PAGE, page), File::new("server/a/src/a.rs", code)],
        rust: vec![Source::new("server/a/src/a.rs", code)],
    };
    let of = |page: &str| differences(&tree(page), &File::new(PAGE, page));
    assert_eq!(
        brief(&of(&page)),
        [(9, "0 rows of docs/LIMITS.md for `H_MAX`")]
    );
    let wrong = page.replace("1,024", "1,000")
        + &row("1", "H_MAX")
        + &row("4,096", "A_MAX")
        + &row("1", "GONE_MAX");
    let expected = [
        (4, "`B_MAX` is 1,024"),
        (10, "`H_MAX` can't be read"),
        (12, "`server/a/src/a.rs::GONE_MAX` is gone"),
        (1, "2 rows of docs/LIMITS.md for `A_MAX`"),
    ];
    assert_eq!(brief(&of(&wrong)), expected);
}
