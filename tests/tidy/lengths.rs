//! How long files may be. A ratchet: the list of exceptions may only shrink.

use crate::finding::{Finding, assert_none};
use crate::source::Source;
use crate::tree::tree;

/// Lines of a file, its test module not counted.
const FILE_LINES_MAX: usize = 400;

/// A file that was too long when the rule came, and how long it may be at most.
struct Long {
    path: &'static str,
    lines: usize,
}

/// Files that are too long.
const FILES: &[Long] = &[];

fn long_file(source: &Source, known: &[Long]) -> Option<Finding> {
    let lines = source.lines_without_tests();
    let known = known.iter().find(|known| known.path == source.path);
    let allowed = known.map_or(FILE_LINES_MAX, |known| known.lines);
    let has_shrunk = known.is_some() && (lines < allowed || lines <= FILE_LINES_MAX);
    let what = if lines > allowed {
        format!("{lines} lines, at most {allowed}")
    } else if has_shrunk {
        format!("{lines} lines now: lower or drop its entry in lengths.rs")
    } else {
        return None;
    };
    Some(Finding::new(&source.path, 1, what))
}

/// A file is for one thing.
#[test]
fn no_file_is_too_long() {
    assert_none(
        &tree().in_rust(|source| long_file(source, FILES).into_iter().collect()),
        "Say in one sentence each what its parts are for; split there.",
    );
}

/// An entry for what is gone would let it come back.
#[test]
fn no_entry_without_its_place() {
    let is_there = |path: &str| tree().rust.iter().any(|source| source.path == path);
    let gone = FILES.iter().filter(|known| !is_there(known.path));
    let gone: Vec<Finding> = gone
        .map(|known| Finding::new(known.path, 1, "is gone"))
        .collect();
    assert_none(&gone, "Drop the entry in lengths.rs.");
}

/// One line too many is found; tests don't count; what became shorter must be entered so.
#[test]
fn the_ratchet_holds() {
    let file = |lines: usize| Source::new("a.rs", &"b;\n".repeat(lines));
    let known = |lines| {
        [Long {
            path: "a.rs",
            lines,
        }]
    };
    assert_eq!(long_file(&file(400), &[]), None);
    assert!(long_file(&file(401), &[]).is_some());
    let tested = format!(
        "{}#[cfg(test)]\nmod tests {{\nfn c() {{}}\n}}\n",
        "b;\n".repeat(400)
    );
    assert_eq!(long_file(&Source::new("a.rs", &tested), &[]), None);
    assert_eq!(long_file(&file(410), &known(410)), None);
    assert!(long_file(&file(411), &known(410)).is_some());
    assert!(long_file(&file(409), &known(410)).is_some());
    assert!(long_file(&file(300), &known(300)).is_some());
}
