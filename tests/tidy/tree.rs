//! The files of the tree.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::LazyLock;
use std::{fs, io};

use crate::source::Source;

/// A text file.
pub(crate) struct File {
    /// Where it is, from the root, with slashes.
    pub(crate) path: String,
    /// What it says.
    pub(crate) text: String,
}

impl File {
    /// A file that is not on disk, for the tests of rules.
    pub(crate) fn new(path: &str, text: &str) -> Self {
        Self {
            path: path.to_owned(),
            text: text.to_owned(),
        }
    }

    /// Its folder.
    pub(crate) fn folder(&self) -> &str {
        self.path.rsplit_once('/').map_or("", |it| it.0)
    }

    /// Its lines with their numbers.
    pub(crate) fn lines(&self) -> impl Iterator<Item = (usize, &str)> {
        (1..).zip(self.text.lines())
    }

    /// What its name ends in, after the last dot.
    pub(crate) fn kind(&self) -> &str {
        self.path.rsplit_once('.').map_or("", |it| it.1)
    }
}

/// All text files of the tree.
pub(crate) struct Tree {
    /// The text files.
    pub(crate) files: Vec<File>,
    /// Those in Rust, read.
    pub(crate) rust: Vec<Source>,
}

static TREE: LazyLock<Tree> = LazyLock::new(|| Tree::of(&root()));

/// The tree that this test was built in.
pub(crate) fn tree() -> &'static Tree {
    &TREE
}

/// The root of the workspace.
pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

impl Tree {
    fn of(root: &Path) -> Self {
        let paths = tracked(root).unwrap_or_else(|| walked(root).unwrap());
        // What is not text has no lines to check, but it is there; what was deleted since is not.
        let read = |path: String| {
            let bytes = fs::read(root.join(&path)).ok()?;
            Some(File {
                text: String::from_utf8(bytes).unwrap_or_default(),
                path,
            })
        };
        let files: Vec<File> = paths.into_iter().filter_map(read).collect();
        let rust = files.iter().filter(|it| it.kind() == "rs");
        let rust = rust.map(|it| Source::new(&it.path, &it.text)).collect();
        Self { files, rust }
    }

    /// The file at a path.
    pub(crate) fn file(&self, path: &str) -> Option<&File> {
        self.files.iter().find(|it| it.path == path)
    }

    /// The files whose names end so.
    pub(crate) fn of_kind(&self, kind: &str) -> impl Iterator<Item = &File> {
        self.files.iter().filter(move |it| it.kind() == kind)
    }

    /// What the rule finds in all Rust files.
    pub(crate) fn in_rust(
        &self,
        rule: impl FnMut(&Source) -> Vec<crate::finding::Finding>,
    ) -> Vec<crate::finding::Finding> {
        self.rust.iter().flat_map(rule).collect()
    }
}

/// What git tracks, and what it would track once added. None where git can't say or this is not its tree.
fn tracked(root: &Path) -> Option<Vec<String>> {
    let mut git = Command::new("git");
    git.args([
        "ls-files",
        "-z",
        "--cached",
        "--others",
        "--exclude-standard",
    ])
    .current_dir(root);
    let listed = git.output().ok().filter(|it| it.status.success())?;
    let mut paths: Vec<String> = String::from_utf8(listed.stdout)
        .ok()?
        .split_terminator('\0')
        .map(str::to_owned)
        .collect();
    paths.sort();
    paths.dedup();
    paths.iter().any(|it| it == "Cargo.toml").then_some(paths)
}

/// Every file but what git would not track either.
fn walked(root: &Path) -> io::Result<Vec<String>> {
    let mut paths = Vec::new();
    let mut folders = vec![String::new()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(root.join(&folder))? {
            let entry = entry?;
            let path = format!("{folder}{}", entry.file_name().to_string_lossy());
            if path == "target" || path == ".git" {
                continue;
            }
            let kind = entry.file_type()?;
            if kind.is_dir() {
                folders.push(format!("{path}/"));
            } else if kind.is_file() && entry.path().extension().is_none_or(|it| it != "log") {
                paths.push(path);
            }
        }
    }
    paths.sort();
    Ok(paths)
}

/// Both ways lead to the files that matter; without them every other rule would pass on nothing.
#[test]
fn the_tree_is_read() {
    let tree = tree();
    for path in [
        "Cargo.toml",
        "server/domain/src/lib.rs",
        "tests/tidy/main.rs",
    ] {
        assert!(tree.file(path).is_some(), "{path} is not among the files");
        assert!(
            walked(&root()).unwrap().iter().any(|it| it == path),
            "{path} is not found by walking"
        );
    }
    assert!(tree.rust.len() > 100, "only {} Rust files", tree.rust.len());
    assert!(tree.files.iter().all(|it| !it.path.starts_with("target/")));
}
