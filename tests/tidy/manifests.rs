//! What manifests have in common: one list of dependencies with reasons, the same lints for all.

use toml::{Table, Value};

use crate::finding::{Finding, assert_none, brief};
use crate::manifest::{Manifest, manifests};
use crate::tree::{File, tree};

const ROOT: &str = "Cargo.toml";

fn root() -> &'static File {
    tree().file(ROOT).unwrap()
}

fn without_lints(manifest: &Manifest<'_>) -> Option<Finding> {
    let inherits = manifest
        .table
        .get("lints")
        .and_then(|it| it.get("workspace"));
    let inherits = inherits.and_then(Value::as_bool) == Some(true);
    (!inherits).then(|| Finding::new(&manifest.file.path, 1, "no `[lints] workspace = true`"))
}

fn with_versions(manifest: &Manifest<'_>) -> Vec<Finding> {
    let own = manifest
        .dependencies()
        .into_iter()
        .filter(|it| !it.is_inherited);
    own.map(|it| Finding::new(&manifest.file.path, it.line, format!("`{}`", it.package)))
        .collect()
}

/// Entries that no comment stands over. One comment serves the lines below it until a blank one.
fn without_reason(file: &File) -> Vec<Finding> {
    let mut has_reason = false;
    let mut is_inside = false;
    let mut found = Vec::new();
    for (line, text) in file.lines() {
        match text.trim() {
            "" => has_reason = false,
            heading if heading.starts_with('[') => {
                is_inside = heading == "[workspace.dependencies]";
                has_reason = false;
            }
            comment if comment.starts_with('#') => has_reason = true,
            entry if is_inside && !has_reason => {
                let name = entry.split(['.', ' ', '=']).next().unwrap_or(entry);
                found.push(Finding::new(&file.path, line, format!("`{name}`")));
            }
            _ => {}
        }
    }
    found
}

/// Crates that the workspace does not build.
fn outside(file: &File, manifests: &[Manifest<'_>]) -> Vec<Finding> {
    let table: Table = file.text.parse().unwrap();
    let members = table["workspace"]["members"].as_array().unwrap();
    let members: Vec<&str> = members.iter().filter_map(Value::as_str).collect();
    let outside = manifests
        .iter()
        .filter(|it| !members.contains(&it.folder()));
    outside
        .map(|it| Finding::new(&it.file.path, 1, "not a member of the workspace"))
        .collect()
}

/// The same lints for everybody.
#[test]
fn every_crate_inherits_the_lints() {
    let found: Vec<Finding> = manifests(tree()).iter().filter_map(without_lints).collect();
    assert_none(&found, "Add the section `[lints]` with `workspace = true`.");
}

/// Versions and features stand once, in the root manifest.
#[test]
fn crates_only_name_their_dependencies() {
    let found: Vec<Finding> = manifests(tree()).iter().flat_map(with_versions).collect();
    assert_none(
        &found,
        "Write `name.workspace = true` and put version and reason into the root manifest.",
    );
}

/// Why something is there is said where it is.
#[test]
fn every_dependency_has_its_reason() {
    assert_none(
        &without_reason(root()),
        "Write over it, as a comment, what it is for.",
    );
}

/// What is not built is not checked.
#[test]
fn every_crate_is_a_member() {
    let found = outside(root(), &manifests(tree()));
    assert_none(
        &found,
        "Add the folder to the members in the root manifest.",
    );
}

#[test]
fn bad_crates_are_found() {
    let text = "[package]\nname = \"meterhouse-a\"\n[lints]\n[dependencies]\nhex = \"1\"\n";
    let bad = File::new("server/a/Cargo.toml", text);
    let bad = Manifest::new(&bad);
    assert!(without_lints(&bad).is_some());
    assert_eq!(brief(&with_versions(&bad)), [(5, "`hex`")]);
    let text = "[package]\nname = \"meterhouse-b\"\n[lints]\nworkspace = true\n[dependencies]\nhex.workspace = true\n";
    let good = File::new("server/b/Cargo.toml", text);
    let good = Manifest::new(&good);
    assert_eq!(without_lints(&good), None);
    assert_eq!(with_versions(&good), []);
    let root = File::new(ROOT, "[workspace]\nmembers = [\"server/b\"]\n");
    let found = outside(&root, &[bad, good]);
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].path, "server/a/Cargo.toml");
}

#[test]
fn bad_roots_are_found() {
    let text = "[workspace]\n# Why.\n[workspace.dependencies]\nhex = \"1\"\n# For b.\nb = \"1\"\nc = \"1\"\n\nd = \"1\"\n";
    let root = File::new(ROOT, text);
    assert_eq!(brief(&without_reason(&root)), [(4, "`hex`"), (9, "`d`")]);
}
