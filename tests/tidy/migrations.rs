//! What migrations are called.

use crate::finding::{Finding, assert_none};
use crate::tree::{File, tree};

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
    if name == "README.md" {
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
