//! What some crates never contain: floats where money is, waiting and clocks in the rules, a catch-all where
//! refusals get their status, unsafe code anywhere but in its one place.

use crate::finding::{Exception, Finding, assert_none, brief, except};
use crate::source::{Source, Word};
use crate::tree::tree;

const FLOATS_ALLOWED: &[Exception] = &[];

/// Where seconds and shares are measured for people: no money is computed there.
const MEASURES: [&str; 5] = [
    "server/web/",
    "tests/load/",
    "server/engine/src/metrics.rs",
    "server/http/src/observe.rs",
    "server/meterhouse/src/telemetry/",
];

/// The only file with unsafe code: between fork and exec there is no safe way.
const UNSAFE_FILE: &str = "server/postgres/src/command.rs";

/// The table of refusals and their statuses.
const WIRE_ERROR_FILE: &str = "server/edge/src/wire_error.rs";

/// What the rules and the journal's form never mention.
const IMPURE: [&str; 12] = [
    "async",
    "await",
    "tokio",
    "serde",
    "sqlx",
    "tracing",
    "rand",
    "SystemTime",
    "Instant",
    "thread",
    "fs",
    "net",
];

fn found(source: &Source, is_bad: impl Fn(Word<'_>) -> bool) -> Vec<Finding> {
    let bad = source.words().filter(|it| is_bad(*it));
    bad.map(|it| Finding::new(&source.path, source.line(it.at), format!("`{}`", it.text)))
        .collect()
}

fn is_float(word: &str) -> bool {
    let digits = word.starts_with(|it: char| it.is_ascii_digit()) && !word.starts_with("0x");
    let named = |name: &str| word == name || digits && word.ends_with(name);
    named("f32") || named("f64")
}

fn floats(source: &Source) -> Vec<Finding> {
    let measures = MEASURES.iter().any(|it| source.path.starts_with(it));
    if measures || source.path.contains("/benches/") {
        return Vec::new();
    }
    found(source, |word| is_float(word.text))
}

fn impurities(source: &Source) -> Vec<Finding> {
    let pure = ["server/domain/src/", "server/journal/src/"];
    if !pure.iter().any(|it| source.path.starts_with(it)) {
        return Vec::new();
    }
    found(source, |word| IMPURE.contains(&word.text))
}

fn catch_all_arms(source: &Source) -> Vec<Finding> {
    if source.path != WIRE_ERROR_FILE {
        return Vec::new();
    }
    found(source, |word| {
        let after = source.after(word);
        word.text == "_" && (after.starts_with("=>") || after.starts_with("if "))
    })
}

fn unsafes(source: &Source) -> Vec<Finding> {
    if source.path == UNSAFE_FILE {
        return Vec::new();
    }
    found(source, |word| matches!(word.text, "unsafe" | "unsafe_code"))
}

/// Money is whole micro-dollars; binary fractions can't hold a cent.
#[test]
fn no_floats() {
    assert_none(
        &except(tree().in_rust(floats), FLOATS_ALLOWED),
        "Count in whole micro-dollars (domain::money), or as a rust_decimal where people read it.",
    );
}

/// `domain` and `journal` do no IO, wait for nothing and know no time they were not told.
#[test]
fn the_rules_are_pure() {
    assert_none(
        &tree().in_rust(impurities),
        "Hand it in as an argument: what waits, reads clocks or draws belongs to server/engine.",
    );
}

/// Whoever adds a refusal chooses its status: the compiler asks, unless something catches it.
#[test]
fn every_refusal_has_its_row() {
    assert!(
        tree().file(WIRE_ERROR_FILE).is_some(),
        "{WIRE_ERROR_FILE} is gone: name the new file here"
    );
    assert_none(
        &tree().in_rust(catch_all_arms),
        "Name every variant, so that a new one does not compile.",
    );
}

/// One file has unsafe code.
#[test]
fn unsafe_code_is_in_its_one_place() {
    assert!(
        tree().file(UNSAFE_FILE).is_some(),
        "{UNSAFE_FILE} is gone: name the new file here"
    );
    assert_none(
        &tree().in_rust(unsafes),
        "Use what nix or the standard library has.",
    );
}

/// Types, suffixes; not names that contain them, not where something is measured or drawn.
#[test]
fn floats_are_found() {
    let text = "fn a(b: f64) {}\nlet c = 1_f32;\nlet d = 0x1f32; // f64\nfn visit_f64() {}\n";
    let in_file = |path| floats(&Source::new(path, text));
    assert_eq!(
        brief(&in_file("server/http/src/a.rs")),
        [(1, "`f64`"), (2, "`1_f32`")]
    );
    assert_eq!(in_file("server/web/src/a.rs"), []);
    assert_eq!(in_file("server/store/benches/a.rs"), []);
}

/// Words of code, not of comments and texts.
#[test]
fn impurities_are_found() {
    let text = "use std::time::Instant;\nasync fn a() {}\n// tokio\nlet b = \"serde\";\n";
    let in_file = |path| impurities(&Source::new(path, text));
    assert_eq!(
        brief(&in_file("server/domain/src/a.rs")),
        [(1, "`Instant`"), (2, "`async`")]
    );
    assert_eq!(in_file("server/journal/src/a.rs").len(), 2);
    assert_eq!(in_file("server/journal/benches/a.rs"), []);
    assert_eq!(in_file("server/engine/src/a.rs"), []);
}

/// With and without a condition.
#[test]
fn catch_all_arms_are_found() {
    let text = "match a {\n B(_) => 1,\n _ => 2,\n _ if c => 3,\n}\nlet _ = d;\n";
    assert_eq!(
        brief(&catch_all_arms(&Source::new(WIRE_ERROR_FILE, text))),
        [(3, "`_`"), (4, "`_`")]
    );
    assert_eq!(
        catch_all_arms(&Source::new("server/edge/src/value.rs", text)),
        []
    );
}

/// The block, and the leave to write one.
#[test]
fn unsafe_code_is_found() {
    let text = "#![expect(unsafe_code)]\nunsafe { a() }\n";
    assert_eq!(
        unsafes(&Source::new("server/store/src/a.rs", text)).len(),
        2
    );
    assert_eq!(unsafes(&Source::new(UNSAFE_FILE, text)), []);
}
