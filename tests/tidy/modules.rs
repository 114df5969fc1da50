//! Every Rust file is part of something that is built.

use std::collections::BTreeSet;

use toml::Value;

use crate::finding::{Finding, assert_none};
use crate::manifest::{Manifest, manifests, plain};
use crate::source::{Source, closing};
use crate::tree::{File, tree};

/// Where cargo begins to read: what the manifest names, and what it finds by itself.
fn roots(manifest: &Manifest<'_>, paths: &BTreeSet<&str>) -> Vec<String> {
    let folder = manifest.folder();
    let mut roots: Vec<String> = ["src/lib.rs", "src/main.rs", "build.rs"]
        .iter()
        .map(|it| format!("{folder}/{it}"))
        .collect();
    for kind in ["lib", "bin", "test", "bench", "example"] {
        let targets = match manifest.table.get(kind) {
            Some(Value::Array(targets)) => targets.iter().collect(),
            Some(target) => vec![target],
            None => Vec::new(),
        };
        let named = targets
            .into_iter()
            .filter_map(|it| it.get("path")?.as_str());
        roots.extend(named.map(|it| plain(&format!("{folder}/{it}"))));
    }
    for kind in ["src/bin", "tests", "benches", "examples"] {
        let prefix = format!("{folder}/{kind}/");
        let found = paths.iter().filter(|path| {
            let name = path.strip_prefix(&prefix).unwrap_or("/");
            let (stem, rest) = name.split_once('/').unwrap_or((name, "main.rs"));
            !stem.is_empty() && rest == "main.rs"
        });
        roots.extend(found.map(|it| (*it).to_owned()));
    }
    roots.retain(|it| paths.contains(it.as_str()));
    roots
}

/// The files that a file's `mod` lines may mean.
fn children(source: &Source, is_root: bool) -> Vec<String> {
    let (folder, name) = source.path.rsplit_once('/').unwrap_or(("", &source.path));
    let stem = name.trim_end_matches(".rs");
    let own = if is_root || stem == "mod" {
        folder.to_owned()
    } else {
        format!("{folder}/{stem}")
    };
    let modules: Vec<_> = source.words().filter(|it| it.text == "mod").collect();
    let mut inline: Vec<(usize, usize, &str)> = Vec::new();
    let mut found = Vec::new();
    for module in modules {
        let rest = source.after(module);
        let length = rest
            .find(|it: char| !it.is_alphanumeric() && it != '_')
            .unwrap_or(rest.len());
        let (name, next) = rest.split_at(length);
        let next = next.trim_start();
        if next.starts_with('{') {
            let open = source.code.len() - next.len();
            inline.push((open, closing(&source.code, open), name));
        } else if next.starts_with(';') {
            if let Some(path) = path_attribute(source, module.at) {
                found.push(plain(&format!("{folder}/{path}")));
                continue;
            }
            let around = inline.iter().filter(|it| (it.0..it.1).contains(&module.at));
            let inside: Vec<&str> = around.map(|it| it.2).chain([name]).collect();
            let path = plain(&format!("{own}/{}", inside.join("/")));
            found.extend([format!("{path}.rs"), format!("{path}/mod.rs")]);
        }
    }
    found
}

/// What `#[path = "…"]` says on the module at a place.
fn path_attribute(source: &Source, module: usize) -> Option<&str> {
    let on_it = |at: usize| !source.code[at..module].contains([';', '{', '}']);
    let literal = source.literals.iter().rev().find(|it| it.at < module)?;
    let is_path = source
        .before(literal.at)
        .trim_end_matches(['=', ' '])
        .ends_with("#[path");
    (is_path && on_it(literal.at)).then_some(literal.text.as_str())
}

fn unreached(roots: Vec<String>, sources: &[Source]) -> Vec<Finding> {
    let tops: BTreeSet<String> = roots.iter().cloned().collect();
    let mut reached = BTreeSet::new();
    let mut waiting = roots;
    while let Some(path) = waiting.pop() {
        let Some(source) = sources.iter().find(|it| it.path == path) else {
            continue;
        };
        if reached.insert(path.clone()) {
            waiting.extend(children(source, tops.contains(&path)));
        }
    }
    let dead = sources.iter().filter(|it| !reached.contains(&it.path));
    dead.map(|it| Finding::new(&it.path, 1, "no `mod` leads to it"))
        .collect()
}

/// What nothing leads to is not compiled, not tested and not true for long.
#[test]
fn every_rust_file_is_built() {
    let paths: BTreeSet<&str> = tree().rust.iter().map(|it| it.path.as_str()).collect();
    let roots = manifests(tree())
        .iter()
        .flat_map(|it| roots(it, &paths))
        .collect();
    assert_none(
        &unreached(roots, &tree().rust),
        "Add its `mod` line, name it in the manifest, or delete it.",
    );
}

/// By name, by folder, by attribute, inside modules, from several roots; what is only mentioned is not reached.
#[test]
fn dead_files_are_found() {
    let sources = [
        (
            "a/src/lib.rs",
            "mod b;\n#[path = \"../far/c.rs\"]\nmod c;\nmod d { mod e; }\n// mod x;\n",
        ),
        ("a/src/b.rs", "pub(crate) mod f;\n"),
        ("a/src/b/f.rs", ""),
        ("a/far/c.rs", ""),
        ("a/src/d/e.rs", ""),
        ("a/src/x.rs", ""),
        ("a/tests/one.rs", ""),
        ("a/tests/two/main.rs", "mod g;"),
        ("a/tests/two/g/mod.rs", "mod h;"),
        ("a/tests/two/g/h.rs", ""),
        ("a/tests/three/i.rs", ""),
        ("a/load/j.rs", ""),
    ];
    let sources: Vec<Source> = sources
        .iter()
        .map(|(path, text)| Source::new(path, text))
        .collect();
    let paths: BTreeSet<&str> = sources.iter().map(|it| it.path.as_str()).collect();
    let manifest = "[package]\nname = \"a\"\n[[bench]]\nname = \"j\"\npath = \"load/j.rs\"\n";
    let file = File::new("a/Cargo.toml", manifest);
    let found = unreached(roots(&Manifest::new(&file), &paths), &sources);
    assert_eq!(
        found.iter().map(|it| it.path.as_str()).collect::<Vec<_>>(),
        ["a/src/x.rs", "a/tests/three/i.rs"]
    );
}
