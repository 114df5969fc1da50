//! How long files and functions may be. A ratchet: the lists of exceptions may only shrink.

use crate::finding::{Finding, assert_none};
use crate::functions::functions;
use crate::source::Source;
use crate::tree::tree;

/// Lines of a file, its test module not counted.
const FILE_LINES_MAX: usize = 400;
/// Lines of a function, from `fn` to its closing brace.
const FUNCTION_LINES_MAX: usize = 70;

/// Something that was too long when the rule came, and how long it may be at most.
struct Long {
    path: &'static str,
    name: &'static str,
    lines: usize,
}

/// Files that are too long: path, no name, lines.
const FILES: &[Long] = &[];
/// Functions that are too long: path, name, lines.
const FUNCTIONS: &[Long] = &[];

fn judge(
    path: &str,
    name: &str,
    at: usize,
    lines: usize,
    max: usize,
    known: &[Long],
) -> Option<Finding> {
    let known = known.iter().find(|it| it.path == path && it.name == name);
    let allowed = known.map_or(max, |it| it.lines);
    let name = if name.is_empty() {
        String::new()
    } else {
        format!("fn `{name}`: ")
    };
    if lines > allowed {
        return Some(Finding::new(
            path,
            at,
            format!("{name}{lines} lines, at most {allowed}"),
        ));
    }
    let shrunk = known.is_some() && (lines < allowed || lines <= max);
    let what = format!("{name}{lines} lines now: lower or drop its entry in lengths.rs");
    shrunk.then(|| Finding::new(path, at, what))
}

fn long_file(source: &Source, known: &[Long]) -> Vec<Finding> {
    judge(
        &source.path,
        "",
        1,
        source.lines_without_tests(),
        FILE_LINES_MAX,
        known,
    )
    .into_iter()
    .collect()
}

fn long_functions(source: &Source, known: &[Long]) -> Vec<Finding> {
    let found = functions(source).into_iter().filter_map(|it| {
        let line = source.line(it.from);
        let lines = source.line(it.to) - line + 1;
        judge(
            &source.path,
            &it.name,
            line,
            lines,
            FUNCTION_LINES_MAX,
            known,
        )
    });
    found.collect()
}

/// A file is for one thing.
#[test]
fn no_file_is_too_long() {
    assert_none(
        &tree().in_rust(|it| long_file(it, FILES)),
        "Say in one sentence each what its parts are for; split there.",
    );
}

/// A function fits a screen.
#[test]
fn no_function_is_too_long() {
    assert_none(
        &tree().in_rust(|it| long_functions(it, FUNCTIONS)),
        "Give its steps names and make them functions.",
    );
}

/// An entry for what is gone would let it come back.
#[test]
fn no_entry_without_its_place() {
    let gone = FILES.iter().chain(FUNCTIONS).filter(|it| {
        let source = tree().rust.iter().find(|source| source.path == it.path);
        !source.is_some_and(|source| {
            it.name.is_empty() || functions(source).iter().any(|found| found.name == it.name)
        })
    });
    let gone: Vec<Finding> = gone
        .map(|it| Finding::new(it.path, 1, format!("no `{}`", it.name)))
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
            name: "",
            lines,
        }]
    };
    assert_eq!(long_file(&file(400), &[]), []);
    assert_eq!(long_file(&file(401), &[]).len(), 1);
    let tested = format!(
        "{}#[cfg(test)]\nmod tests {{\nfn c() {{}}\n}}\n",
        "b;\n".repeat(400)
    );
    assert_eq!(long_file(&Source::new("a.rs", &tested), &[]), []);
    assert_eq!(long_file(&file(410), &known(410)), []);
    assert_eq!(long_file(&file(411), &known(410)).len(), 1);
    assert_eq!(long_file(&file(409), &known(410)).len(), 1);
    assert_eq!(long_file(&file(300), &known(300)).len(), 1);

    let function = |lines: usize| {
        Source::new(
            "a.rs",
            &format!("\nfn b() {{{}}}\n", "\n".repeat(lines - 1)),
        )
    };
    assert_eq!(long_functions(&function(70), &[]), []);
    let found = long_functions(&function(71), &[]);
    assert_eq!((found.len(), found[0].line), (1, 2));
    let known = [Long {
        path: "a.rs",
        name: "b",
        lines: 71,
    }];
    assert_eq!(long_functions(&function(71), &known), []);
}
