//! Files that documents name: each is there, and so is what is named in it.
//!
//! # What is a path
//! Inline code that begins with a folder of the root, or with `src/`: `server/domain/src/lib.rs`, from the root or from
//! the document's folder. After `::` stands a name of that file: `tests/tidy/paths.rs::lost`. What follows a `<` or `*`
//! may be anything: `docs/games/<game>.md`.

use std::collections::BTreeSet;

use crate::finding::{Finding, assert_none, brief};
use crate::source::Source;
use crate::tree::{File, Tree, tree};

/// Documents about times that are over.
const HISTORY: [&str; 2] = ["CHANGELOG.md", "docs/measurements/"];

/// Words before the name of an item.
const KEYWORDS: [&str; 8] = [
    "const", "enum", "fn", "mod", "static", "struct", "trait", "type",
];

/// Returns the folders of the root, each with its slash, and `src/`.
fn beginnings(tree: &Tree) -> BTreeSet<String> {
    let folders = tree
        .files
        .iter()
        .filter_map(|file| file.path.split_once('/'));
    let folders = folders.map(|(folder, _)| format!("{folder}/"));
    folders.chain(["src/".to_owned()]).collect()
}

/// Returns what a path says before its first placeholder: the folder around it.
fn certain(path: &str) -> &str {
    let Some(at) = path.find(['<', '*', '{', '…']) else {
        return path.trim_end_matches('/');
    };
    path[..at].rsplit_once('/').map_or("", |(folder, _)| folder)
}

fn defines(source: &Source, name: &str) -> bool {
    let mut before = "";
    source.words().any(|word| {
        let is_it = word.text == name && KEYWORDS.contains(&before);
        before = word.text;
        is_it
    })
}

fn is_there(tree: &Tree, path: &str, item: &str) -> bool {
    let (path, inside) = (certain(path), format!("{}/", certain(path)));
    let is_named = |file: &File| file.path == path || file.path.starts_with(&inside);
    if item.is_empty() {
        return tree.files.iter().any(is_named);
    }
    let source = tree.rust.iter().find(|source| source.path == path);
    source.is_some_and(|source| item.split("::").all(|name| defines(source, name)))
}

/// Finds the paths of a document that lead nowhere.
fn lost(tree: &Tree, beginnings: &BTreeSet<String>, file: &File) -> Vec<Finding> {
    if HISTORY.iter().any(|path| file.path.starts_with(path)) {
        return Vec::new();
    }
    let mut is_code = false;
    let mut found = Vec::new();
    for (line, text) in file.lines() {
        let is_fence = text.trim_start().starts_with("```");
        is_code ^= is_fence;
        if is_code || is_fence {
            continue;
        }
        for code in text.split('`').skip(1).step_by(2) {
            let is_path = beginnings.iter().any(|folder| code.starts_with(folder));
            if !is_path || code.contains(' ') {
                continue;
            }
            let (path, item) = code.split_once("::").unwrap_or((code, ""));
            let here = format!("{}/{path}", file.folder());
            if !is_there(tree, path, item) && !is_there(tree, &here, item) {
                found.push(Finding::new(&file.path, line, format!("`{code}`")));
            }
        }
    }
    found
}

/// A document that names a file leads a reader to it.
#[test]
fn every_named_file_is_there() {
    let beginnings = beginnings(tree());
    let documents = tree().of_kind("md");
    let found: Vec<Finding> = documents
        .flat_map(|file| lost(tree(), &beginnings, file))
        .collect();
    assert_none(
        &found,
        "Name the file and what is in it as they are called now.",
    );
}

/// Files, folders, items and placeholders, from the root and from the document; not commands, not code blocks.
#[test]
fn lost_paths_are_found() {
    let text = "`server/a/src/b.rs` `server/a/` `server/a/src/<name>.rs` `src/b.rs::one` `cargo x server/no`\n\
                `server/a/src/c.rs`\n`server/no/<name>.rs`\n`src/b.rs::two`\n`server/a/src/b.rs::checks::deep`\n\
                ```\n`server/no`\n```\n`src/c.rs`\n";
    let code = "fn one() { two(); }\nmod checks { fn deep() {} }\n";
    let files = vec![
        File::new("server/a/README.md", text),
        File::new("server/a/src/b.rs", code),
        File::new("CHANGELOG.md", "`server/no`"),
    ];
    let rust = vec![Source::new("server/a/src/b.rs", code)];
    let tree = Tree { files, rust };
    let beginnings = beginnings(&tree);
    let found = lost(&tree, &beginnings, &tree.files[0]);
    let expected = [
        (2, "`server/a/src/c.rs`"),
        (3, "`server/no/<name>.rs`"),
        (4, "`src/b.rs::two`"),
        (9, "`src/c.rs`"),
    ];
    assert_eq!(brief(&found), expected);
    assert_eq!(lost(&tree, &beginnings, &tree.files[2]), []);
}
