//! Manifests: which crates there are and what they depend on.

use toml::{Table, Value};

use crate::tree::{File, Tree};

/// A crate's manifest.
pub(crate) struct Manifest<'a> {
    /// The file.
    pub(crate) file: &'a File,
    /// The crate's short name: its package's without `meterhouse-`.
    pub(crate) name: String,
    /// What it says.
    pub(crate) table: Table,
}

/// An entry in a section of dependencies.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Dependency {
    /// The package.
    pub(crate) package: String,
    /// The line in the manifest.
    pub(crate) line: usize,
    /// Whether only tests and measurements need it.
    pub(crate) is_for_tests: bool,
    /// Whether it names the workspace's entry and nothing else of its own but features.
    pub(crate) is_inherited: bool,
}

/// A package's name without the project's.
pub(crate) fn short(package: &str) -> &str {
    package.strip_prefix("meterhouse-").unwrap_or(package)
}

/// Whether a package is one of ours.
pub(crate) fn is_ours(package: &str) -> bool {
    package == "meterhouse" || package.starts_with("meterhouse-")
}

impl<'a> Manifest<'a> {
    /// Reads a manifest.
    pub(crate) fn new(file: &'a File) -> Self {
        let table: Table = file.text.parse().unwrap();
        let package = table["package"]["name"].as_str().unwrap();
        Self {
            file,
            name: short(package).to_owned(),
            table,
        }
    }

    /// The folder of the crate.
    pub(crate) fn folder(&self) -> &str {
        self.file.folder()
    }

    /// All it depends on, for whatever.
    pub(crate) fn dependencies(&self) -> Vec<Dependency> {
        let mut found = self.section("", &self.table);
        let targets = self.table.get("target").and_then(Value::as_table);
        for (target, table) in targets.into_iter().flatten() {
            let prefix = format!("target.{target}.");
            found.extend(
                table
                    .as_table()
                    .into_iter()
                    .flat_map(|it| self.section(&prefix, it)),
            );
        }
        found
    }

    fn section(&self, prefix: &str, table: &Table) -> Vec<Dependency> {
        let kinds = ["dependencies", "build-dependencies", "dev-dependencies"];
        let of_kind = |kind: &'static str| {
            let entries = table
                .get(kind)
                .and_then(Value::as_table)
                .into_iter()
                .flatten();
            let heading = format!("[{prefix}{kind}]");
            entries.map(move |(package, value)| Dependency {
                package: package.clone(),
                line: line_of(&self.file.text, &heading, package),
                is_for_tests: kind == "dev-dependencies",
                is_inherited: value.get("workspace").and_then(Value::as_bool) == Some(true),
            })
        };
        kinds.into_iter().flat_map(of_kind).collect()
    }
}

/// The line of a key after a heading; of the heading, or the first, where it can't be found.
pub(crate) fn line_of(text: &str, heading: &str, key: &str) -> usize {
    let mut lines = (1..).zip(text.lines().map(str::trim));
    let begin = lines.find(|it| it.1 == heading).map_or(1, |it| it.0);
    let is_key = |line: &str| {
        let rest = line.trim_matches('"').strip_prefix(key);
        rest.is_some_and(|it| it.starts_with(['.', ' ', '=', '"']))
    };
    let mut section = lines.take_while(|it| !it.1.starts_with('['));
    section.find(|it| is_key(it.1)).map_or(begin, |it| it.0)
}

/// The manifests of all crates.
pub(crate) fn manifests(tree: &Tree) -> Vec<Manifest<'_>> {
    let crates = tree
        .of_kind("toml")
        .filter(|it| it.path.ends_with("/Cargo.toml"));
    crates.map(Manifest::new).collect()
}

#[test]
fn dependencies_have_their_lines() {
    let text = "[package]\nname = \"meterhouse-a\"\n\n[dependencies]\ntokio-util.workspace = true\n\
                tokio = { workspace = true, features = [] }\n\n[dev-dependencies]\nhex = \"1\"\n\n\
                [target.'cfg(unix)'.dependencies]\nnix.workspace = true\n";
    let file = File::new("server/a/Cargo.toml", text);
    let manifest = Manifest::new(&file);
    assert_eq!(
        (manifest.name.as_str(), manifest.folder()),
        ("a", "server/a")
    );
    let mut found = manifest.dependencies();
    found.sort_by_key(|it| it.line);
    let brief: Vec<_> = found
        .iter()
        .map(|it| {
            (
                it.package.as_str(),
                it.line,
                it.is_for_tests,
                it.is_inherited,
            )
        })
        .collect();
    assert_eq!(
        brief,
        [
            ("nix", 1, false, true),
            ("tokio-util", 5, false, true),
            ("tokio", 6, false, true),
            ("hex", 9, true, false),
        ]
    );
}
