//! Every dependency that a crate declares is named in its code.

use crate::finding::{Finding, assert_none, brief};
use crate::manifest::{Dependency, Manifest, manifests};
use crate::source::Source;
use crate::tree::{File, tree};

/// Whether the code names the package: `name::…`, `name!`, or `use name`.
fn names(source: &Source, package: &str, counts: impl Fn(usize) -> bool) -> bool {
    source
        .words()
        .filter(|it| it.text == package && counts(it.at))
        .any(|it| {
            let rest = &source.code[it.at + it.text.len()..];
            rest.starts_with("::") || rest.starts_with('!') || source.before(it.at).ends_with("use")
        })
}

fn is_used(dependency: &Dependency, folders: &[String], sources: &[Source]) -> bool {
    let package = dependency.package.replace('-', "_");
    let is_inside = |path: &str, folder: &String| {
        path.strip_prefix(folder.as_str())
            .is_some_and(|it| it.starts_with('/'))
    };
    let inside = sources
        .iter()
        .filter(|it| folders.iter().any(|folder| is_inside(&it.path, folder)));
    // The crate `tests` is all tests: there, everything is a normal dependency.
    let anywhere = dependency.is_for_tests || folders.iter().any(|it| it == "tests");
    inside
        .into_iter()
        .any(|it| names(it, &package, |at| anywhere || !it.is_test(at)))
}

fn scan(manifest: &Manifest<'_>, sources: &[Source]) -> Vec<Finding> {
    let idle = manifest.dependencies();
    let idle = idle
        .into_iter()
        .filter(|it| !is_used(it, &manifest.folders(), sources));
    let found = idle.map(|it| {
        let what = format!(
            "`{}` is not used{}",
            it.package,
            if it.is_for_tests {
                ""
            } else {
                " outside tests"
            }
        );
        Finding::new(&manifest.file.path, it.line, what)
    });
    found.collect()
}

/// What is declared is used, and what only tests use is declared for tests.
#[test]
fn every_dependency_is_used() {
    let found: Vec<Finding> = manifests(tree())
        .iter()
        .flat_map(|it| scan(it, &tree().rust))
        .collect();
    assert_none(
        &found,
        "Take it out of the manifest, or put it under [dev-dependencies].",
    );
}

/// Only its own crate's code counts, and for a normal dependency only what is not a test.
#[test]
fn unused_dependencies_are_found() {
    let text = "[package]\nname = \"meterhouse-a\"\n[dependencies]\nb-c.workspace = true\nd.workspace = true\n\
                e.workspace = true\n[dev-dependencies]\nf.workspace = true\ng.workspace = true\n";
    let file = File::new("server/a/Cargo.toml", text);
    let sources = [
        Source::new(
            "server/a/src/lib.rs",
            "use b_c;\n// e::x\n#[cfg(test)]\nmod tests { fn h() { d::x(); f!(); } }\n",
        ),
        Source::new("server/ab/src/lib.rs", "use e::x;\nuse g::y;\n"),
    ];
    let found = scan(&Manifest::new(&file), &sources);
    let expected = [
        (5, "`d` is not used outside tests"),
        (6, "`e` is not used outside tests"),
        (9, "`g` is not used"),
    ];
    assert_eq!(brief(&found), expected);
}
