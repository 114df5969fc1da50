//! What a reader has to be able to see: what a test waits for, what a file is for.

use crate::finding::{Exception, Finding, assert_none, brief, except};
use crate::functions::around;
use crate::source::Source;
use crate::tree::tree;

/// Benchmarks: they play for so long, and assert nothing about time.
const BENCHMARKS: [&str; 2] = ["tests/load/", "tests/compare/"];

/// Helpers that wait for a condition, with a limit, or that delay on purpose. Tests call these.
const WAITING: &[Exception] = &[
    Exception {
        path: "server/postgres/tests/supervisor/common.rs",
        what: "`until`",
        why: "asks again and again, with a limit",
    },
    Exception {
        path: "server/simulator/src/tests/mock/killable.rs",
        what: "`start`",
        why: "tries again and again to have its ports back, with a limit",
    },
    Exception {
        path: "server/simulator/src/tests/runs.rs",
        what: "`a_run_waits_for_a_killed_server`",
        why: "asks again and again, until the run it watches has ended",
    },
    Exception {
        path: "server/store/tests/store/proxy.rs",
        what: "`up`",
        why: "the proxy's latency is what it is for",
    },
    Exception {
        path: "server/store/tests/store/proxy.rs",
        what: "`down`",
        why: "the proxy's latency is what it is for",
    },
    Exception {
        path: "server/store/tests/store/unknown.rs",
        what: "`until`",
        why: "asks again and again, with a limit",
    },
    Exception {
        path: "tests/postgres/src/container.rs",
        what: "`wait_until_ready`",
        why: "asks again and again, with a limit",
    },
    Exception {
        path: "tests/simulation/proxy.rs",
        what: "`up`",
        why: "the proxy's latency is what it is for",
    },
    Exception {
        path: "tests/simulation/proxy.rs",
        what: "`down`",
        why: "the proxy's latency is what it is for",
    },
    Exception {
        path: "tests/src/wait.rs",
        what: "`eventually`",
        why: "asks again and again, with a limit",
    },
];

fn sleeps(source: &Source) -> Vec<Finding> {
    let found = source.words().filter(|it| {
        matches!(it.text, "sleep" | "sleep_until")
            && source.after(*it).starts_with('(')
            && source.is_test(it.at)
            && !BENCHMARKS.iter().any(|it| source.path.starts_with(it))
    });
    let found = found.map(|it| {
        let name = around(source, it.at).map_or_else(|| "?".to_owned(), |it| it.name);
        Finding::new(&source.path, source.line(it.at), format!("`{name}` sleeps"))
    });
    found.collect()
}

fn headless(source: &Source) -> Vec<Finding> {
    let first = source.comments.first();
    let has_header =
        first.is_some_and(|it| it.text.starts_with("//!") && source.before(it.at).is_empty());
    if has_header || source.code.trim().is_empty() {
        return Vec::new();
    }
    vec![Finding::new(&source.path, 1, "no `//!` line")]
}

/// A race is not tested by waiting long enough.
#[test]
fn no_test_sleeps() {
    assert_none(
        &except(tree().in_rust(sleeps), WAITING),
        "Wait for the condition with a helper that has a limit, and name the helper in visible.rs.",
    );
}

/// The first line of a file says what it is for.
#[test]
fn every_file_says_what_it_is_for() {
    assert_none(
        &tree().in_rust(headless),
        "Begin the file with one sentence: //! What it is for.",
    );
}

/// In tests only, with the function's name.
#[test]
fn sleeps_are_found() {
    let text = "fn a() { sleep(b); }\n#[cfg(test)]\nmod tests {\nfn c() { tokio::time::sleep(d).await; }\n}\n";
    assert_eq!(
        brief(&sleeps(&Source::new("server/x/src/a.rs", text))),
        [(4, "`c` sleeps")]
    );
    assert_eq!(sleeps(&Source::new("tests/api/a.rs", text)).len(), 2);
    assert_eq!(sleeps(&Source::new("tests/load/a.rs", text)), []);
}

/// Code or an attribute before the header is no header.
#[test]
fn missing_headers_are_found() {
    let in_text = |text| headless(&Source::new("a.rs", text)).len();
    assert_eq!(in_text("//! What.\nmod a;\n"), 0);
    assert_eq!(in_text("mod a;\n"), 1);
    assert_eq!(in_text("// What.\nmod a;\n"), 1);
    assert_eq!(in_text("mod a;\n//! What.\n"), 1);
}
