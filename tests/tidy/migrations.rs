//! What migrations are called, and that none changes once it is committed.

use sha2::{Digest as _, Sha256};

use crate::finding::{Finding, assert_none, brief};
use crate::tree::{File, Tree, tree};

/// The checksums of all migrations, as `sha256sum` writes them.
const CHECKSUMS: &str = "migrations/checksums.sha256";

/// Whether a name is `YYYYMMDDHHMMSS_verb_object.sql`.
fn is_well_named(name: &str) -> bool {
    let Some((moment, what)) = name.strip_suffix(".sql").and_then(|it| it.split_once('_')) else {
        return false;
    };
    let part = |from: usize| {
        moment
            .get(from..from + 2)
            .and_then(|it| it.parse::<u8>().ok())
    };
    let within = |from: usize, first: u8, last: u8| {
        part(from).is_some_and(|it| (first..=last).contains(&it))
    };
    let is_word = |it: &str| {
        !it.is_empty()
            && it
                .bytes()
                .all(|it| it.is_ascii_lowercase() || it.is_ascii_digit())
    };
    let is_moment = moment.len() == 14
        && moment.bytes().all(|it| it.is_ascii_digit())
        && within(4, 1, 12)
        && within(6, 1, 31)
        && within(8, 0, 23)
        && within(10, 0, 59)
        && within(12, 0, 59);
    is_moment && what.contains('_') && what.split('_').all(is_word)
}

fn scan(file: &File) -> Vec<Finding> {
    let Some(name) = file.path.strip_prefix("migrations/") else {
        return Vec::new();
    };
    if name == "README.md" || file.path == CHECKSUMS {
        return Vec::new();
    }
    let mut found = Vec::new();
    if !is_well_named(name) {
        found.push(Finding::new(
            &file.path,
            1,
            "is not YYYYMMDDHHMMSS_verb_object.sql",
        ));
    }
    if !file.text.starts_with("-- ") {
        found.push(Finding::new(
            &file.path,
            1,
            "does not begin with a line `-- what the step is for`",
        ));
    }
    found
}

/// Finds migrations without their checksum, with another one, and checksums without their migration.
fn edited(tree: &Tree) -> Vec<Finding> {
    let of_file = |file: &File| {
        let name = file.path.strip_prefix("migrations/")?;
        let checksum = hex::encode(Sha256::digest(&file.text));
        Some(format!("{checksum}  {name}"))
    };
    let actual: Vec<String> = tree.of_kind("sql").filter_map(of_file).collect();
    let written: Vec<(usize, &str)> = tree
        .file(CHECKSUMS)
        .iter()
        .flat_map(|file| file.lines())
        .collect();
    let missing = actual
        .iter()
        .filter(|line| !written.iter().any(|(_, written)| written == line))
        .map(|line| Finding::new(CHECKSUMS, 1, format!("no line `{line}`")));
    let stale = written
        .iter()
        .filter(|(_, written)| !actual.iter().any(|line| line == written))
        .map(|(number, written)| {
            Finding::new(CHECKSUMS, *number, format!("`{written}` is no file's"))
        });
    missing.chain(stale).collect()
}

/// A committed migration is the same for ever: databases have its checksum.
#[test]
fn no_migration_was_edited() {
    assert_none(
        &edited(tree()),
        "Undo the edit and write a new migration. A new one adds its line: `cd migrations && sha256sum FILE >> checksums.sha256`.",
    );
}

/// Names order the migrations and say what they do; the first line says what for.
#[test]
fn every_migration_has_its_name() {
    let found: Vec<Finding> = tree().files.iter().flat_map(scan).collect();
    assert!(
        tree()
            .files
            .iter()
            .any(|it| it.path.starts_with("migrations/")),
        "no migrations"
    );
    assert_none(&found, "See migrations/README.md.");
}

/// Two migrations of one second have no order.
#[test]
fn every_migration_has_its_second() {
    let mut seconds: Vec<&str> = tree()
        .of_kind("sql")
        .filter_map(|it| {
            it.path
                .strip_prefix("migrations/")?
                .split_once('_')
                .map(|it| it.0)
        })
        .collect();
    let all = seconds.len();
    seconds.dedup();
    assert_eq!(
        seconds.len(),
        all,
        "two migrations have the same YYYYMMDDHHMMSS"
    );
}

/// An edited file, a new file, a file that is gone; the checksum is that of sha256sum.
#[test]
fn edits_are_found() {
    const OF_A: &str = "87428fc522803d31065e7bce3cf03fe475096631e5e07bbd7a0fde60c4cf25c7  1_a.sql";
    let found = |files: &[(&str, &str)]| {
        let files = files
            .iter()
            .map(|(path, text)| File::new(path, text))
            .collect();
        let rust = Vec::new();
        edited(&Tree { files, rust })
    };
    let committed = (CHECKSUMS, format!("{OF_A}\n"));
    let committed = (committed.0, committed.1.as_str());
    assert_eq!(found(&[("migrations/1_a.sql", "a\n"), committed]), []);
    let changed = found(&[("migrations/1_a.sql", "a \n"), committed]);
    assert_eq!(changed.len(), 2, "{changed:?}");
    let gone = found(&[committed]);
    assert_eq!(
        brief(&gone),
        [(1, format!("`{OF_A}` is no file's").as_str())]
    );
    let new = found(&[
        ("migrations/1_a.sql", "a\n"),
        ("migrations/2_b.sql", "b\n"),
        committed,
    ]);
    assert_eq!(new.len(), 1, "{new:?}");
}

/// Each part of the name counts.
#[test]
fn bad_names_are_found() {
    assert!(is_well_named("20261121100000_create_guards.sql"));
    assert!(is_well_named("20261121100000_create_make_periods2.sql"));
    let bad = [
        "20261121100000_create.sql",
        "20261321100000_create_guards.sql",
        "20261121250000_create_guards.sql",
        "2026112110000_create_guards.sql",
        "20261121100000_Create_guards.sql",
        "20261121100000_create__guards.sql",
        "20261121100000_create_guards.up.txt",
        "create_guards.sql",
    ];
    for name in bad {
        assert!(!is_well_named(name), "{name}");
        assert_eq!(
            scan(&File::new(&format!("migrations/{name}"), "-- a\n")).len(),
            1
        );
    }
    assert_eq!(
        scan(&File::new(
            "migrations/20261121100000_create_guards.sql",
            "CREATE"
        ))
        .len(),
        1
    );
    assert_eq!(scan(&File::new("server/a.sql", "")), []);
}
