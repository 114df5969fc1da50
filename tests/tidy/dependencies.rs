//! Which crate may depend on what: the table in `docs/ARCHITECTURE.md` is the rule, and the manifests keep it.
//!
//! # Why a table
//! Cargo refuses cycles, not shortcuts. A shortcut (SQL in a handler, a clock in the rules) begins with one line in
//! a manifest, so that line needs a second one, in a document that people read.

use std::collections::BTreeSet;

use crate::finding::{Finding, assert_none, brief};
use crate::manifest::{Manifest, is_ours, manifests, short};
use crate::tree::{File, tree};

const DOCUMENT: &str = "docs/ARCHITECTURE.md";
const HEADING: &str = "## Crates and what they may depend on";

/// Crates that are nothing but rules, and what they never see whatever the table says: runtimes, databases,
/// serialization, logs, clocks and random numbers.
const PURE: [&str; 2] = ["domain", "journal"];
const IMPURE: [&str; 14] = [
    "axum",
    "chrono",
    "futures-util",
    "getrandom",
    "rand",
    "reqwest",
    "serde",
    "serde_json",
    "sqlx",
    "time",
    "tokio",
    "tokio-util",
    "tracing",
    "uuid",
];

/// A line of the table.
struct Row {
    line: usize,
    name: String,
    may: BTreeSet<String>,
    never: BTreeSet<String>,
}

/// What stands in backticks.
fn names(cell: &str) -> impl Iterator<Item = &str> {
    cell.split('`').skip(1).step_by(2)
}

/// The table: crate, what it is, ours, theirs, never.
fn table(file: &File) -> Vec<Row> {
    let section = file.lines().skip_while(|it| it.1 != HEADING).skip(1);
    let section = section.take_while(|it| !it.1.starts_with("## "));
    let rows = section.filter_map(|(line, text)| {
        let cells: Vec<&str> = text
            .strip_prefix('|')?
            .strip_suffix('|')?
            .split('|')
            .collect();
        let [name, _, ours, theirs, never] = cells[..] else {
            return None;
        };
        let package = |it: &str| {
            if it == "meterhouse" {
                it.to_owned()
            } else {
                format!("meterhouse-{it}")
            }
        };
        let may = names(ours)
            .map(package)
            .chain(names(theirs).map(str::to_owned))
            .collect();
        let never = names(never).map(str::to_owned).collect();
        Some(Row {
            line,
            name: names(name).next()?.to_owned(),
            may,
            never,
        })
    });
    rows.collect()
}

/// What a crate depends on beyond what its row lets it.
fn beyond(rows: &[Row], manifest: &Manifest<'_>) -> Vec<Finding> {
    let path = &manifest.file.path;
    let Some(row) = rows.iter().find(|it| it.name == manifest.name) else {
        return vec![Finding::new(
            path,
            1,
            format!("`{}` has no row", manifest.name),
        )];
    };
    let normal = manifest
        .dependencies()
        .into_iter()
        .filter(|it| !it.is_for_tests);
    let found = normal.filter_map(|it| {
        let what = |why: &str| {
            format!(
                "`{}` may not depend on `{}`: {why}",
                manifest.name, it.package
            )
        };
        let is_pure = PURE.contains(&manifest.name.as_str());
        if is_pure && IMPURE.contains(&it.package.as_str()) {
            return Some(Finding::new(path, it.line, what("it is nothing but rules")));
        }
        if row.never.contains(short(&it.package)) {
            return Some(Finding::new(path, it.line, what("it must never see it")));
        }
        (!row.may.contains(&it.package))
            .then(|| Finding::new(path, it.line, what("not in its row")))
    });
    found.collect()
}

/// What rows let crates depend on though none does.
fn idle(path: &str, rows: &[Row], manifests: &[Manifest<'_>]) -> Vec<Finding> {
    let mut found = Vec::new();
    for row in rows {
        let Some(manifest) = manifests.iter().find(|it| it.name == row.name) else {
            found.push(Finding::new(
                path,
                row.line,
                format!("there is no crate `{}`", row.name),
            ));
            continue;
        };
        let normal = manifest
            .dependencies()
            .into_iter()
            .filter(|it| !it.is_for_tests);
        let has: BTreeSet<String> = normal.map(|it| it.package).collect();
        for package in row.may.difference(&has) {
            let kind = if is_ours(package) { "ours" } else { "theirs" };
            let what = format!(
                "`{}` does not depend on `{}` ({kind})",
                row.name,
                short(package)
            );
            found.push(Finding::new(path, row.line, what));
        }
    }
    found
}

/// Every crate keeps within its row.
#[test]
fn every_crate_keeps_to_its_row() {
    let rows = tree().file(DOCUMENT).map(table).unwrap_or_default();
    assert!(
        !rows.is_empty(),
        "{DOCUMENT} has no table under `{HEADING}`"
    );
    let found: Vec<Finding> = manifests(tree())
        .iter()
        .flat_map(|it| beyond(&rows, it))
        .collect();
    assert_none(
        &found,
        "Do without it, or say in docs/ARCHITECTURE.md that the crate may: it is the wall that the table describes.",
    );
}

/// The table says what is, so that a reader can trust it.
#[test]
fn every_row_is_used() {
    let rows = tree().file(DOCUMENT).map(table).unwrap_or_default();
    assert_none(
        &idle(DOCUMENT, &rows, &manifests(tree())),
        "Take the name out of the row.",
    );
}

const DOCUMENT_OF_TEST: &str = "# A\n\n## Crates and what they may depend on\n\n| crate | what | ours | theirs | never |\n\
    |---|---|---|---|---|\n| `domain` | rules | — | `thiserror`, `tokio` | clocks |\n\
    | `store` | SQL | `domain` | `sqlx`, `axum` | `axum` |\n| `gone` | no | — | — | — |\n\n## Next\n\n| `x` | a | — | — | — |\n";

fn manifest_of_test(name: &str, dependencies: &[&str]) -> File {
    let lines: Vec<String> = dependencies
        .iter()
        .map(|it| format!("{it}.workspace = true\n"))
        .collect();
    let text = format!(
        "[package]\nname = \"meterhouse-{name}\"\n[dependencies]\n{}",
        lines.concat()
    );
    File::new(&format!("server/{name}/Cargo.toml"), &text)
}

/// A row too few, a name too many, what is never seen, what the rules never see.
#[test]
fn shortcuts_are_found() {
    let rows = table(&File::new(DOCUMENT, DOCUMENT_OF_TEST));
    assert_eq!(
        rows.iter().map(|it| it.name.as_str()).collect::<Vec<_>>(),
        ["domain", "store", "gone"]
    );
    let in_crate = |name, dependencies: &[&str]| {
        let file = manifest_of_test(name, dependencies);
        let found = beyond(&rows, &Manifest::new(&file));
        found
            .iter()
            .map(|it| (it.line, it.what.rsplit(": ").next().unwrap().to_owned()))
            .collect::<Vec<_>>()
    };
    assert_eq!(in_crate("domain", &["thiserror"]), []);
    assert_eq!(in_crate("store", &["meterhouse-domain", "sqlx"]), []);
    assert_eq!(
        in_crate("domain", &["tokio"]),
        [(4, "it is nothing but rules".to_owned())]
    );
    assert_eq!(
        in_crate("store", &["sqlx", "axum"])[0].1,
        "it must never see it"
    );
    assert_eq!(
        in_crate("store", &["sqlx", "hex"]),
        [(5, "not in its row".to_owned())]
    );
    assert_eq!(in_crate("http", &[]), [(1, "`http` has no row".to_owned())]);
}

/// Rows without crates and names without dependencies.
#[test]
fn idle_rows_are_found() {
    let rows = table(&File::new(DOCUMENT, DOCUMENT_OF_TEST));
    let domain = manifest_of_test("domain", &["thiserror", "tokio"]);
    let store = manifest_of_test("store", &["sqlx", "axum"]);
    let found = idle(
        DOCUMENT,
        &rows,
        &[Manifest::new(&domain), Manifest::new(&store)],
    );
    let expected = [
        (8, "`store` does not depend on `domain` (ours)"),
        (9, "there is no crate `gone`"),
    ];
    assert_eq!(brief(&found), expected);
}
