//! The page of conformance: each numbered behaviour has its row, and every test that a row names is there.
//!
//! # What a row is
//! `| number | behaviour | clause | proof |`. A proof names tests as `path/of/file.rs::function`, with the modules
//! between that stand in the file itself, or says whose the behaviour is: `**Later:**` or `**Operator:**`.

use crate::finding::{Finding, assert_none, brief};
use crate::functions::functions;
use crate::source::{Source, closing};
use crate::tree::{File, tree};

/// The page.
const PAGE: &str = "docs/CONFORMANCE.md";
/// The pages that name tests.
const PROVED: [&str; 2] = [PAGE, "docs/RULES.md"];
/// How many behaviours are numbered.
const NUMBERS: usize = 62;
/// Columns of a row.
const COLUMNS: usize = 4;
/// What a proof says that names no test.
const ELSEWHERE: [&str; 2] = ["**Later:** ", "**Operator:** "];

/// A row of the page.
struct Row<'a> {
    line: usize,
    number: usize,
    cells: Vec<&'a str>,
}

/// The rows whose first column is a number.
fn rows(page: &File) -> Vec<Row<'_>> {
    let rows = page.lines().filter_map(|(line, text)| {
        let inside = text.strip_prefix('|')?.trim_end().strip_suffix('|')?;
        let cells: Vec<&str> = inside.split('|').map(str::trim).collect();
        let number = cells.first()?.parse().ok()?;
        Some(Row {
            line,
            number,
            cells,
        })
    });
    rows.collect()
}

/// What a text names in inline code that lies in a Rust file.
fn named(text: &str) -> impl Iterator<Item = &str> {
    let code = text.split('`').skip(1).step_by(2);
    code.filter(|it| it.contains(".rs"))
}

/// Rows that are missing, twice, out of order or not whole.
fn misnumbered(page: &File) -> Vec<Finding> {
    let mut found = Vec::new();
    let mut finding = |line, what: String| found.push(Finding::new(&page.path, line, what));
    let rows = rows(page);
    for (expected, row) in (1..).zip(&rows) {
        if row.number != expected {
            finding(row.line, format!("{} where {expected} comes", row.number));
            break;
        }
    }
    for row in &rows {
        if row.cells.len() != COLUMNS || row.cells.contains(&"") {
            finding(
                row.line,
                format!("{} has not its {COLUMNS} columns", row.number),
            );
        }
        let proof = row.cells.last().copied().unwrap_or_default();
        if named(proof).next().is_none() && !ELSEWHERE.iter().any(|it| proof.contains(it)) {
            finding(row.line, format!("{} is nobody's", row.number));
        }
    }
    if rows.len() != NUMBERS {
        finding(1, format!("{} rows, not {NUMBERS}", rows.len()));
    }
    found
}

/// The modules around a place, from the outermost.
fn modules(source: &Source, at: usize) -> Vec<&str> {
    let opened = source.words().filter(|it| it.text == "mod");
    let around = opened.filter_map(|word| {
        let (name, _) = source.after(word).split_once('{')?;
        let name = name.trim_end();
        let is_name = name
            .bytes()
            .all(|it| it.is_ascii_alphanumeric() || it == b'_');
        let open = word.at + source.code[word.at..].find('{')?;
        let inside = open..closing(&source.code, open);
        (is_name && inside.contains(&at)).then_some(name)
    });
    around.collect()
}

/// Whether a function is run as a test: by an attribute whose last word is `test`, and none that ignores it.
fn is_test(source: &Source, from: usize) -> bool {
    let before = source.before(from);
    let attributes = before
        .rfind(['{', '}', ';'])
        .map_or(before, |it| &before[it + 1..]);
    let attributes: Vec<&str> = attributes.split("#[").skip(1).map(str::trim_end).collect();
    let is_named = |it: &&str, name: &str| {
        let end = it.find(['(', ']', ' ']).unwrap_or(it.len());
        it[..end].rsplit("::").next() == Some(name)
    };
    attributes.iter().any(|it| is_named(it, "test"))
        && !attributes.iter().any(|it| is_named(it, "ignore"))
}

/// Whether a test of this name is in the tree.
fn is_there(sources: &[Source], name: &str) -> bool {
    let Some((path, inside)) = name.split_once("::") else {
        return false;
    };
    let parts: Vec<&str> = inside.split("::").collect();
    let Some((function, around)) = parts.split_last() else {
        return false;
    };
    let source = sources.iter().find(|it| it.path == path);
    source.is_some_and(|source| {
        functions(source).iter().any(|it| {
            it.name == *function && is_test(source, it.from) && modules(source, it.from) == around
        })
    })
}

/// Tests that are named and are not there.
fn unproved(page: &File, sources: &[Source]) -> Vec<Finding> {
    let all = page
        .lines()
        .flat_map(|(line, text)| named(text).map(move |it| (line, it)));
    let gone = all.filter(|it| !is_there(sources, it.1));
    gone.map(|(line, name)| Finding::new(&page.path, line, format!("`{name}`")))
        .collect()
}

/// 1 to 62, each once, in order, each proved or said to be somebody's.
#[test]
fn every_number_has_its_row() {
    let found = tree()
        .file(PAGE)
        .map_or_else(|| vec![Finding::new(PAGE, 1, "is missing")], misnumbered);
    assert_none(
        &found,
        "A row a number, in order: `| number | behaviour | clause | proof |`, see the head of this rule's file.",
    );
}

/// A test that was renamed or removed proves nothing.
#[test]
fn every_named_test_is_there() {
    let pages = PROVED.iter().filter_map(|page| tree().file(page));
    let found: Vec<Finding> = pages
        .flat_map(|page| unproved(page, &tree().rust))
        .collect();
    assert_none(
        &found,
        "Name the test as it is called now: `path/of/file.rs::function`, with modules of the file between.",
    );
}

/// Missing, twice, too few or empty columns, nobody's; headings and other tables are no rows.
#[test]
fn wrong_rows_are_found() {
    let row = |number: usize| format!("| {number} | what | § 1 | `a.rs::b` |\n");
    let whole: String = (1..=NUMBERS).map(row).collect();
    let page = |text: &str| File::new(PAGE, &format!("# A\n| | |\n|---|---|\n{text}"));
    assert_eq!(misnumbered(&page(&whole)), []);
    let found = |from: &str, to: &str| {
        let found = misnumbered(&page(&whole.replace(from, to)));
        found
            .into_iter()
            .map(|it| (it.line, it.what))
            .collect::<Vec<_>>()
    };
    let finding = |line: usize, what: &str| (line, what.to_owned());
    let missing = [
        finding(12, "10 where 9 comes"),
        finding(1, "61 rows, not 62"),
    ];
    assert_eq!(found(&row(9), ""), missing);
    let twice = [
        finding(13, "9 where 10 comes"),
        finding(1, "63 rows, not 62"),
    ];
    assert_eq!(found(&row(9), &row(9).repeat(2)), twice);
    let columns = [finding(4, "1 has not its 4 columns")];
    assert_eq!(found("| 1 | what |", "| 1 |"), columns);
    assert_eq!(found("| 1 | what |", "| 1 | |"), columns);
    let nobody = [finding(5, "2 is nobody's")];
    assert_eq!(
        found("| 2 | what | § 1 | `a.rs::b` |", "| 2 | what | § 1 | `a` |"),
        nobody
    );
    for proof in ["**Later:** the floor.", "**Operator:** a key."] {
        let elsewhere = format!("| 2 | what | § 1 | {proof} |");
        assert_eq!(found("| 2 | what | § 1 | `a.rs::b` |", &elsewhere), []);
    }
}

/// By file, function, attribute and module; what only looks like a test is none.
#[test]
fn named_tests_are_looked_up() {
    let text = "/// `#[test]`\nfn helper() {}\n#[test]\nfn plain() {}\n#[tokio::test(flavor = \"multi_thread\")]\n\
                #[expect(clippy::panic, reason = \"#[ignore]\")]\nasync fn waits() {}\n#[test]\n#[ignore = \"slow\"]\n\
                fn idle() {}\nproptest! {\n  #![proptest_config(c())]\n  /// A law.\n  #[test]\n  fn law(x in 1..2) {}\n}\n\
                #[cfg(test)]\nmod checks {\n  mod inner {\n    #[test]\n    fn deep() {}\n  }\n  #[test]\n  fn shallow() {}\n}\n\
                #[cfg(test)]\nfn support() {}\n";
    let sources = [Source::new("a/b.rs", text)];
    let there = [
        "a/b.rs::plain",
        "a/b.rs::waits",
        "a/b.rs::law",
        "a/b.rs::checks::shallow",
        "a/b.rs::checks::inner::deep",
    ];
    for name in there {
        assert!(is_there(&sources, name), "{name}");
    }
    let gone = [
        "a/b.rs",
        "a/b.rs::",
        "a/b.rs::helper",
        "a/b.rs::support",
        "a/b.rs::idle",
        "a/b.rs::other",
        "a/b.rs::shallow",
        "a/b.rs::inner::deep",
        "a/b.rs::checks::plain",
        "a/c.rs::plain",
        "b.rs::plain",
    ];
    for name in gone {
        assert!(!is_there(&sources, name), "{name}");
    }
    let page = File::new(
        PAGE,
        "`a/b.rs::plain`\nno `code`, `a/b.rs::plain` and `a/b.rs::gone`\n",
    );
    assert_eq!(brief(&unproved(&page, &sources)), [(2, "`a/b.rs::gone`")]);
}
