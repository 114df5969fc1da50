//! Imports inside a crate run one way: no file imports a file that, directly or through others, imports it.
//!
//! # Counted
//! A `use`, a `pub use`, and a path in the code that begins at the crate, at a parent, at a child or at an imported
//! module. It leads to the file of its longest prefix that is a module. So `crate::Thing` leads to lib.rs, whatever
//! file lib.rs re-exports it from. A `mod` line alone is no import. Code for tests isn't counted.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use crate::finding::{Exception, Finding, assert_none, except};
use crate::source::{Source, closing};
use crate::tree::tree;

/// Crates whose circles are still to be cut.
const UNCUT: &[Exception] = &[];

/// A path in the code.
struct CodePath<'a> {
    /// The place of its first segment, in bytes.
    at: usize,
    /// Its segments.
    segments: Vec<&'a str>,
    /// The name that a `use` binds it to.
    name: Option<&'a str>,
}

/// The modules of one crate that are files, by their paths from the crate's root.
type Modules<'a> = BTreeMap<Vec<&'a str>, &'a Source>;

/// The first import of each file by each other file: its place in bytes.
type Imports<'a> = BTreeMap<&'a str, BTreeMap<&'a str, usize>>;

/// Returns the segments of a path at the beginning of a text.
fn segments(text: &str) -> Vec<&str> {
    let is_name = |c: char| c.is_alphanumeric() || c == '_';
    let pieces = text.split("::").map(str::trim_start);
    let mut segments = Vec::new();
    for piece in pieces {
        let length = piece.find(|c| !is_name(c)).unwrap_or(piece.len());
        if length > 0 {
            segments.push(&piece[..length]);
        }
        if length == 0 || length < piece.trim_end().len() {
            break;
        }
    }
    segments
}

/// Adds the paths of a `use`, each after the segments that stand before its braces.
fn add_leaves<'a>(at: usize, before: &[&'a str], tree: &'a str, paths: &mut Vec<CodePath<'a>>) {
    let Some((prefix, rest)) = tree.split_once('{') else {
        let (path, alias) = tree.split_once(" as ").unwrap_or((tree, ""));
        let mut segments = [before, &segments(path.trim())].concat();
        if segments.len() > 1 && segments.last() == Some(&"self") {
            segments.pop();
        }
        let name = Some(alias.trim()).filter(|alias| !alias.is_empty());
        let name = name.or(segments.last().copied());
        paths.extend((!segments.is_empty()).then_some(CodePath { at, segments, name }));
        return;
    };
    let before = [before, &segments(prefix.trim())].concat();
    let mut depth = 0_usize;
    let branches = rest[..rest.rfind('}').unwrap_or(rest.len())].split(|c| {
        match c {
            '{' => depth += 1,
            '}' => depth -= 1,
            _ => {}
        }
        c == ',' && depth == 0
    });
    for branch in branches.filter(|branch| !branch.trim().is_empty()) {
        add_leaves(at, &before, branch, paths);
    }
}

/// Returns the paths of a file outside its tests: first the imported ones, then the others.
fn paths(source: &Source) -> Vec<CodePath<'_>> {
    let tests = test_items(&source.code);
    let words = source
        .words()
        .filter(|word| !tests.iter().any(|test| test.contains(&word.at)));
    let (mut imported, mut others) = (Vec::new(), Vec::new());
    let mut end = 0;
    for word in words {
        let before = &source.code[..word.at];
        if word.at < end || before.ends_with("::") {
            continue;
        }
        let statement = &source.code[word.at + word.text.len()..];
        if word.text == "use" && !statement.starts_with('<') {
            let statement = &statement[..statement.find(';').unwrap_or(statement.len())];
            end = word.at + word.text.len() + statement.len();
            add_leaves(word.at, &[], statement, &mut imported);
            continue;
        }
        let segments = segments(&source.code[word.at..]);
        let is_method = before.ends_with('.') && !before.ends_with("..");
        if segments.len() > 1 && !is_method && !before.trim_end().ends_with("(in") {
            others.push(CodePath {
                at: word.at,
                segments,
                name: None,
            });
        }
    }
    imported.extend(others);
    imported
}

/// Returns the items under `#[cfg(test)]`, each to its semicolon or closing brace.
fn test_items(code: &str) -> Vec<Range<usize>> {
    let items = code.match_indices("#[cfg(test)]").map(|(at, _)| {
        let Some(length) = code[at..].find([';', '{']) else {
            return at..code.len();
        };
        let end = at + length;
        match code.as_bytes()[end] {
            b'{' => at..closing(code, end),
            _ => at..end,
        }
    });
    items.collect()
}

/// Returns the modules in braces, each with its name and its place.
fn inline_modules(source: &Source) -> Vec<(&str, Range<usize>)> {
    let modules = source.words().filter(|word| word.text == "mod");
    let inline = modules.filter_map(|word| {
        let rest = source.after(word);
        let name = *segments(rest).first()?;
        let next = rest[name.len()..].trim_start();
        let open = source.code.len() - next.len();
        let is_inline = next.starts_with('{');
        is_inline.then(|| (name, open..closing(&source.code, open)))
    });
    inline.collect()
}

/// Returns the module path that a path means, or nothing where it leads out of the crate.
fn resolved<'a>(
    path: &CodePath<'a>,
    here: &[&'a str],
    names: &BTreeMap<&'a str, Vec<&'a str>>,
) -> Option<Vec<&'a str>> {
    let (first, rest) = path.segments.split_first()?;
    let supers = path.segments.iter().take_while(|name| **name == "super");
    let (begin, rest) = match (*first, supers.count()) {
        ("crate", _) => (Vec::new(), rest),
        ("self", _) => (here.to_vec(), rest),
        ("super", up) => (
            here[..here.len().saturating_sub(up)].to_vec(),
            &path.segments[up..],
        ),
        (name, _) => (names.get(name)?.clone(), rest),
    };
    Some([begin.as_slice(), rest].concat())
}

/// Adds what one file imports from the others of its crate.
fn add_imports<'a>(modules: &Modules<'a>, file: &[&'a str], imports: &mut Imports<'a>) {
    let source = modules[file];
    let children = modules
        .keys()
        .filter_map(|path| path.split_last().filter(|(_, parent)| *parent == file));
    let mut names: BTreeMap<&str, Vec<&str>> = children
        .map(|(name, parent)| (*name, [parent, &[*name]].concat()))
        .collect();
    let inline = inline_modules(source);
    for path in paths(source) {
        let around = inline.iter().filter(|(_, place)| place.contains(&path.at));
        let around = around.map(|(name, _)| *name);
        let here: Vec<&str> = file.iter().copied().chain(around).collect();
        let Some(target) = resolved(&path, &here, &names) else {
            continue;
        };
        if let Some(name) = path.name.filter(|_| modules.contains_key(&target)) {
            names.insert(name, target.clone());
        }
        let prefixes = (0..=target.len()).rev().map(|length| &target[..length]);
        let Some(imported) = prefixes.into_iter().find_map(|prefix| modules.get(prefix)) else {
            continue;
        };
        if imported.path != source.path {
            let first = imports.entry(&source.path).or_default();
            first.entry(&imported.path).or_insert(path.at);
        }
    }
}

/// Returns the files of each crate's `src`, without those that are only there for tests.
fn crates(sources: &[Source]) -> BTreeMap<&str, Modules<'_>> {
    let mut crates: BTreeMap<&str, Modules<'_>> = BTreeMap::new();
    for source in sources.iter().filter(|source| !source.is_test_file()) {
        if let Some((folder, path)) = source.path.split_once("/src/") {
            let mut path: Vec<&str> = path.trim_end_matches(".rs").split('/').collect();
            path.pop_if(|name| matches!(*name, "lib" | "main" | "mod"));
            crates.entry(folder).or_default().insert(path, source);
        }
    }
    for modules in crates.values_mut() {
        let for_tests: Vec<Vec<&str>> = modules
            .iter()
            .flat_map(|(path, source)| {
                let items = test_items(&source.code).into_iter();
                let names = items.filter_map(|item| {
                    let item = source.code[item]
                        .trim_start_matches("#[cfg(test)]")
                        .trim_start();
                    segments(item.strip_prefix("mod ")?).first().copied()
                });
                names.map(|name| [path.as_slice(), &[name]].concat())
            })
            .collect();
        modules.retain(|path, _| !for_tests.iter().any(|test| path.starts_with(test)));
    }
    crates
}

/// Returns every file that a file reaches by imports.
fn reached<'a>(imports: &Imports<'a>, from: &'a str) -> BTreeSet<&'a str> {
    let mut reached = BTreeSet::new();
    let mut waiting = vec![from];
    while let Some(path) = waiting.pop() {
        let next = imports.get(path).into_iter().flat_map(BTreeMap::keys);
        waiting.extend(next.filter(|path| reached.insert(**path)));
    }
    reached
}

/// Returns the circles of the crate in a folder: in each, every file reaches every other.
fn circles_of(folder: &str, modules: &Modules<'_>) -> Vec<Finding> {
    let mut imports = Imports::new();
    for path in modules.keys() {
        add_imports(modules, path, &mut imports);
    }
    let files = modules.values().map(|source| source.path.as_str());
    let reach: BTreeMap<&str, BTreeSet<&str>> =
        files.map(|path| (path, reached(&imports, path))).collect();
    let mut found = Vec::new();
    let mut seen = BTreeSet::new();
    for (path, onward) in &reach {
        let members = onward.iter().filter(|other| reach[**other].contains(path));
        let members: BTreeSet<&str> = members.copied().collect();
        if members.is_empty() || !seen.insert(members.clone()) {
            continue;
        }
        let edges = modules.values().filter_map(|source| {
            let mut inside = imports.get(source.path.as_str())?.iter();
            let (to, at) = inside
                .find(|(to, _)| members.contains(source.path.as_str()) && members.contains(**to))?;
            Some(format!(
                "\n    {}:{} imports {to}",
                source.path,
                source.line(*at)
            ))
        });
        let edges: Vec<String> = edges.collect();
        let what = format!("a circle of {} files:{}", members.len(), edges.concat());
        found.push(Finding::new(&format!("{folder}/src"), 1, what));
    }
    found
}

fn circles(sources: &[Source]) -> Vec<Finding> {
    let crates = crates(sources);
    let found = crates
        .iter()
        .flat_map(|(folder, modules)| circles_of(folder, modules));
    found.collect()
}

/// A file can be read, tested and moved after the files that it imports, and without the ones that import it.
#[test]
fn no_crate_has_a_circle_of_imports() {
    assert_none(
        &except(circles(&tree().rust), UNCUT),
        "Move what both need into a file below them, and import a thing from the file that defines it.",
    );
}

/// Returns the files of the circles among these, and asserts that each is named with an import inside its circle.
fn planted(files: &[(&str, &str)]) -> Vec<Vec<String>> {
    let sources: Vec<Source> = files
        .iter()
        .map(|(path, text)| Source::new(&format!("server/{path}.rs"), text))
        .collect();
    let found = circles(&sources);
    let members = found.iter().map(|finding| {
        let edges = finding.what.lines().skip(1);
        let edges = edges.map(|line| line.trim().split_once(" imports ").unwrap());
        let plain = |path: &str| path[7..path.find(".rs").unwrap()].to_owned();
        let (from, to): (Vec<String>, Vec<String>) =
            edges.map(|(from, to)| (plain(from), plain(to))).unzip();
        assert!(to.iter().all(|path| from.contains(path)), "{finding}");
        from
    });
    members.collect()
}

/// Of two, of three, of parent and child, and through a re-export, in whichever words.
#[test]
fn circles_are_found() {
    let two = [
        ("x/src/a", "use crate::b::B;"),
        ("x/src/b", "fn f() { crate::a::g(); }"),
    ];
    assert_eq!(planted(&two), [["x/src/a", "x/src/b"]]);
    let three = [
        ("x/src/a", "use std::fmt;\nuse crate::{b::{self, B}, e::E};"),
        ("x/src/b/mod", "pub(crate) use super::c::C as D;"),
        ("x/src/c", "mod inside { use super::super::a::A; }"),
        ("x/src/e", ""),
    ];
    assert_eq!(planted(&three), [["x/src/a", "x/src/b/mod", "x/src/c"]]);
    let family = [
        ("x/src/a", "mod b;\nfn f() { b::g(); }"),
        ("x/src/a/b", "use super::A;"),
    ];
    assert_eq!(planted(&family), [["x/src/a", "x/src/a/b"]]);
    let reexport = [
        ("x/src/lib", "mod a;\nmod b;\npub use a::A;"),
        ("x/src/a", "use crate::A;"),
    ];
    assert_eq!(planted(&reexport), [["x/src/lib", "x/src/a"]]);
    let module = [
        ("x/src/a", "use crate::b;\nfn f() { b::c::g(); }"),
        ("x/src/b", ""),
        ("x/src/b/c", "use crate::a::A;"),
    ];
    assert_eq!(planted(&module), [["x/src/a", "x/src/b/c"]]);
    let apart = [
        two.as_slice(),
        &[
            ("y/src/a", "use crate::b::B;"),
            ("y/src/b", "use crate::a::A;"),
        ],
    ];
    assert_eq!(planted(&apart.concat()).len(), 2);
}

/// A `mod` line, words and texts, other crates, and what only tests import make no circle.
#[test]
fn what_is_no_import_makes_no_circle() {
    let cases = [
        [("x/src/a", "mod b;"), ("x/src/a/b", "use super::A;")],
        [
            ("x/src/a", "use crate::b::B;"),
            ("x/src/b", "// crate::a::A\nlet c = \"crate::a::A\";"),
        ],
        [
            ("x/src/a", "use crate::b::B;"),
            ("x/src/b", "#[cfg(test)]\nmod tests { use crate::a::A; }"),
        ],
        [
            ("x/src/a", "use crate::b::B;"),
            ("x/src/b", "#[cfg(test)]\nuse crate::a::A;"),
        ],
        [
            ("x/src/a", "use crate::tests::B;"),
            ("x/src/tests", "use crate::a::A;"),
        ],
        [
            ("x/src/a", "#[cfg(test)]\nmod b;\nuse b::B;"),
            ("x/src/a/b", "use super::A;"),
        ],
        [
            ("x/src/a", "use crate::b::B;"),
            ("y/src/b", "use crate::a::A;"),
        ],
        [
            ("x/src/a", "use crate::b::B;"),
            ("x/src/b", "pub(in crate::a) fn f() { other::a::g(); }"),
        ],
        [
            ("x/src/a", "use crate::b::B;"),
            ("x/src/b", "fn f<T>() -> impl Sized + use<T> { g.a::<T>() }"),
        ],
    ];
    for case in cases {
        assert_eq!(planted(&case), Vec::<Vec<String>>::new(), "{case:?}");
    }
}
