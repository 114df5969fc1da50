//! SQL stands in `store` and the migrations only: the rest of the project knows meanings, not tables.

use crate::finding::{Exception, Finding, assert_none, except};
use crate::source::Source;
use crate::tree::tree;

const EXCEPTIONS: &[Exception] = &[Exception {
    path: "server/postgres/src/connect.rs",
    what: "SELECT name, setting FROM pg_catalog.pg_settings",
    why: "a supervisor asks a started server its settings, which are no data of ours",
}];

/// The first statement of each kind, and what has to follow somewhere.
const STATEMENTS: [(&str, &str); 5] = [
    ("SELECT ", " FROM "),
    ("INSERT INTO ", ""),
    ("UPDATE ", " SET "),
    ("DELETE FROM ", ""),
    ("CREATE TABLE ", ""),
];

/// Whether a text is a statement: written large somewhere, or anyhow at its beginning.
fn is_sql(text: &str) -> bool {
    let text = text
        .split(|it: char| it.is_whitespace() || it == '\\')
        .filter(|it| !it.is_empty());
    let text = text.collect::<Vec<_>>().join(" ");
    let large = text.to_uppercase();
    STATEMENTS.iter().any(|(begin, follow)| {
        let after =
            |text: &str, begin: &str| text.find(begin).map(|it| text[it..].contains(follow));
        after(&text, begin) == Some(true)
            || large.starts_with(begin) && after(&large, begin) == Some(true)
    })
}

fn scan(source: &Source) -> Vec<Finding> {
    if source.path.starts_with("server/store/") || source.is_test_file() {
        return Vec::new();
    }
    let found = source.literals.iter().filter(|it| is_sql(&it.text));
    found
        .map(|it| {
            Finding::new(
                &source.path,
                source.line(it.at),
                format!("SQL: {}", it.text),
            )
        })
        .collect()
}

/// No string with a statement outside `store`.
#[test]
fn sql_is_in_store_only() {
    assert_none(
        &except(tree().in_rust(scan), EXCEPTIONS),
        "Move the statement into server/store and ask it by meaning.",
    );
}

/// Statements in one line and several are found, in `store` and in tests they belong; words are no statements.
#[test]
fn statements_are_found() {
    let bad = [
        r#"query("SELECT name\n FROM link")"#,
        "query(\"WITH x AS (\n  SELECT 1\n  FROM y) z\")",
        r##"query(r#"UPDATE link SET name = $1"#)"##,
        r#"query("insert into link values (1)")"#,
        r#"query("DELETE FROM link")"#,
        r#"query("CREATE TABLE link ()")"#,
    ];
    for text in bad {
        assert_eq!(
            scan(&Source::new("server/http/src/x.rs", text)).len(),
            1,
            "{text}"
        );
        assert_eq!(
            scan(&Source::new("server/store/src/x.rs", text)),
            [],
            "{text}"
        );
        assert_eq!(
            scan(&Source::new("server/http/tests/x.rs", text)),
            [],
            "{text}"
        );
    }
    let good = [
        "// SELECT a FROM b",
        r#""could not select a table from the list""#,
        r#""please UPDATE""#,
    ];
    for text in good {
        assert_eq!(
            scan(&Source::new("server/http/src/x.rs", text)),
            [],
            "{text}"
        );
    }
}
