//! What is left lying about: notes to oneself, tests that don't run, paths of one machine.

use crate::finding::{Exception, Finding, assert_none, brief, except};
use crate::source::{Source, words};
use crate::tree::{File, tree};

const NOT_RUN: &[Exception] = &[
    Exception {
        path: "server/postgres/tests/supervisor/main.rs",
        what: "#[ignore",
        why: "not a test but the second process of the others, which run it by name",
    },
    Exception {
        path: "server/client/src/outbox/tests/killed.rs",
        what: "#[ignore",
        why: "not a test but a process that the other kills, run by name",
    },
    Exception {
        path: "tests/client/client_killed.rs",
        what: "#[ignore",
        why: "not a test but a process that the other kills, run by name",
    },
    Exception {
        path: "tests/client/server_killed.rs",
        what: "#[ignore",
        why: "not a test but a process that the other kills, run by name",
    },
    Exception {
        path: "tests/simulation/worker.rs",
        what: "#[ignore",
        why: "not a test but a process that the others kill, run by name",
    },
];

const NOTES: [&str; 3] = ["TODO", "FIXME", "XXX"];

/// Folders that exist on one machine only. Put together here, so that this file does not find itself.
const MACHINE: [&str; 4] = [
    concat!("/wo", "rk/"),
    concat!("/ro", "ot/"),
    concat!("/tmp/", "bash"),
    concat!("/home/", "user"),
];

fn notes(source: &Source) -> Vec<Finding> {
    let in_text = |at: usize, text: &str| -> Vec<Finding> {
        let found = words(text).filter(|it| NOTES.contains(&it.text));
        found
            .map(|it| Finding::new(&source.path, source.line(at + it.at), it.text))
            .collect()
    };
    let comments = source
        .comments
        .iter()
        .flat_map(|it| in_text(it.at, &it.text));
    comments.chain(in_text(0, &source.code)).collect()
}

/// Notes in files that are not Rust. Documents may speak of them.
fn notes_elsewhere(file: &File) -> Vec<Finding> {
    if matches!(file.kind(), "rs" | "md") || file.path.starts_with("LICENSE") {
        return Vec::new();
    }
    let found = file
        .lines()
        .flat_map(|(line, text)| words(text).map(move |it| (line, it.text)));
    let found = found.filter(|it| NOTES.contains(&it.1));
    found
        .map(|(line, word)| Finding::new(&file.path, line, word))
        .collect()
}

fn not_run(source: &Source) -> Vec<Finding> {
    let found = source.words().filter(|it| {
        it.text == "ignore"
            && source.before(it.at).ends_with(['[', ','])
            && !source.after(*it).starts_with(':')
    });
    let attribute = found.filter(|it| {
        let begin = source.code[..it.at].rfind("#[");
        begin.is_some_and(|begin| !source.code[begin..it.at].contains(']'))
    });
    attribute
        .map(|it| Finding::new(&source.path, source.line(it.at), "#[ignore]"))
        .collect()
}

fn machine_paths(file: &File) -> Vec<Finding> {
    let found = file.lines().flat_map(|(line, text)| {
        let here = MACHINE.iter().filter(move |it| text.contains(**it));
        here.map(move |it| Finding::new(&file.path, line, *it))
    });
    found.collect()
}

/// What is left to do is in nobody's way but the reader's.
#[test]
fn no_notes_to_oneself() {
    let mut found = tree().in_rust(notes);
    found.extend(tree().files.iter().flat_map(notes_elsewhere));
    assert_none(
        &found,
        "Do it now, or write down what the code does instead and why that is enough.",
    );
}

/// A test that doesn't run proves nothing.
#[test]
fn every_test_runs() {
    assert_none(
        &except(tree().in_rust(not_run), NOT_RUN),
        "Make it quick and sure, or a [[bench]] with harness = false if it measures.",
    );
}

/// The tree is the same wherever it lies.
#[test]
fn no_paths_of_one_machine() {
    let found: Vec<Finding> = tree().files.iter().flat_map(machine_paths).collect();
    assert_none(
        &found,
        "Write the path from the root of the tree, or take it as an argument.",
    );
}

/// In comments and code of Rust, anywhere in other files; not in texts, not inside words.
#[test]
fn notes_are_found() {
    let text = "// TODO: this\n/* a\n FIXME */\nlet b = \"XXX\";\nlet XXXX = 1;\n";
    assert_eq!(
        brief(&notes(&Source::new("a.rs", text))),
        [(1, "TODO"), (3, "FIXME")]
    );
    let text = "a = 1\n# XXX b\n";
    assert_eq!(
        brief(&notes_elsewhere(&File::new("Cargo.toml", text))),
        [(2, "XXX")]
    );
    assert_eq!(notes_elsewhere(&File::new("a.md", text)), []);
}

/// With a reason, without, and under a condition.
#[test]
fn tests_that_do_not_run_are_found() {
    let text = "#[ignore]\n#[ignore = \"slow\"]\n#[cfg_attr(a, ignore)]\nlet b = [ignore, c];\n";
    let source = Source::new("a.rs", text);
    assert_eq!(
        brief(&not_run(&source))
            .iter()
            .map(|it| it.0)
            .collect::<Vec<_>>(),
        [1, 2, 3]
    );
}

/// Anywhere, in texts too.
#[test]
fn machine_paths_are_found() {
    let text = format!("a\nlet b = \"{}main\";\n", MACHINE[0]);
    assert_eq!(
        brief(&machine_paths(&File::new("a.rs", &text))),
        [(2, MACHINE[0])]
    );
    assert_eq!(machine_paths(&File::new("a.rs", "network/main")), []);
}
