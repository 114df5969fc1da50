//! The content of outbox files, and the files that are refused.

mod killed;
mod power;

use std::fs;
use std::path::{Path, PathBuf};

use meterhouse_proto::table::command::Command as WireCommand;
use meterhouse_proto::table::{self as wire};
use tempfile::TempDir;

use super::{Contents, NUMBERS, Outbox, builder};
use crate::error::OutboxError;
use crate::values::{Sequence, TableName};

fn table() -> TableName {
    "C4P-07".parse().unwrap()
}

fn number(number: u64) -> Sequence {
    Sequence::new(number).unwrap()
}

fn count(chips: u32) -> wire::Command {
    wire::Command {
        command: Some(WireCommand::Count(wire::Count { chips })),
        ..wire::Command::default()
    }
}

/// Returns a folder and the path of an outbox in it.
fn outbox_path() -> (TempDir, PathBuf) {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("C4P-07.outbox");
    (folder, path)
}

fn open(path: &Path) -> (Outbox, Contents) {
    Outbox::open(path, &table()).unwrap()
}

fn refused(path: &Path) -> OutboxError {
    match Outbox::open(path, &table()) {
        Err(error) => error,
        Ok((_, contents)) => panic!("{} was opened: {contents:?}", path.display()),
    }
}

/// Creates an outbox that starts at 7 and stores three commands.
fn filled(path: &Path) {
    let (outbox, contents) = open(path);
    assert_eq!(contents.next, None);
    outbox.set_next(number(7)).unwrap();
    let stored = outbox.commit(&[], vec![count(1), count(2), count(3)]);
    let numbers: Vec<u64> = stored
        .unwrap()
        .iter()
        .map(|(sequence, _)| sequence.get())
        .collect();
    assert_eq!(numbers, [7, 8, 9]);
    outbox.close().unwrap();
}

/// Commands, their numbers and the next number are stored. A deleted command's number is never assigned again.
#[test]
fn commands_and_numbers_are_stored() {
    let (_folder, path) = outbox_path();
    filled(&path);
    let (outbox, contents) = open(&path);
    assert_eq!(contents.next, Some(number(10)));
    let stored: Vec<_> = contents.commands.into_iter().collect();
    let expected = [(7, 1), (8, 2), (9, 3)].map(|(sequence, chips)| {
        let command = wire::Command {
            sequence,
            ..count(chips)
        };
        (number(sequence), command)
    });
    assert_eq!(stored, expected);
    outbox
        .commit(&[number(7), number(8), number(9)], vec![])
        .unwrap();
    outbox.close().unwrap();
    let (outbox, contents) = open(&path);
    assert!(contents.commands.is_empty());
    assert_eq!(contents.next, Some(number(10)));
    let stored = outbox.commit(&[], vec![count(4)]).unwrap();
    assert_eq!(stored[0].0, number(10));
}

/// Pages are reused: after ten thousand commands the file is no larger than at its start.
#[test]
fn the_file_does_not_grow() {
    let (_folder, path) = outbox_path();
    let (outbox, _) = open(&path);
    outbox.set_next(number(1)).unwrap();
    let mut lengths = Vec::new();
    let mut forget = Vec::new();
    for _ in 0..200 {
        let stored = outbox.commit(&forget, vec![count(1); 50]).unwrap();
        forget = stored.into_iter().map(|(sequence, _)| sequence).collect();
        lengths.push(path.metadata().unwrap().len());
    }
    assert_eq!(forget.last(), Some(&number(10_000)));
    let (early, late) = lengths.split_at(10);
    assert!(late.iter().max() <= early.iter().max(), "{lengths:?}");
}

#[test]
fn a_new_file_stores_nothing_before_its_first_number() {
    let (_folder, path) = outbox_path();
    let (outbox, _) = open(&path);
    let error = outbox.commit(&[], vec![count(1)]).unwrap_err();
    assert!(matches!(error, OutboxError::Damaged { .. }), "{error}");
    outbox.close().unwrap();
    let (_, contents) = open(&path);
    assert!(contents.next.is_none() && contents.commands.is_empty());
}

/// The error names the rule of one program at a time.
#[test]
fn a_file_in_use_is_refused() {
    let (_folder, path) = outbox_path();
    let (outbox, _) = open(&path);
    let error = refused(&path);
    assert!(matches!(error, OutboxError::InUse { .. }), "{error}");
    assert!(
        error.to_string().contains("one program at a time"),
        "{error}"
    );
    outbox.close().unwrap();
    drop(open(&path));
}

/// The error names both tables.
#[test]
fn a_file_of_another_table_is_refused() {
    let (_folder, path) = outbox_path();
    filled(&path);
    let error = Outbox::open(&path, &"C4P-08".parse().unwrap()).unwrap_err();
    let OutboxError::OtherTable { found, table, .. } = &error else {
        panic!("{error}");
    };
    assert_eq!((found.as_str(), table.as_str()), ("C4P-07", "C4P-08"));
    let (_, contents) = open(&path);
    assert_eq!(contents.commands.len(), 3);
}

/// The error names both formats.
#[test]
fn a_file_of_a_later_release_is_refused() {
    let (_folder, path) = outbox_path();
    filled(&path);
    let database = builder().open(&path).unwrap();
    let write = database.begin_write().unwrap();
    write
        .open_table(NUMBERS)
        .unwrap()
        .insert("format", 2)
        .unwrap();
    write.commit().unwrap();
    database.close().unwrap();
    let error = refused(&path);
    let OutboxError::OtherFormat { found, known, .. } = error else {
        panic!("{error}");
    };
    assert_eq!((found, known), (2, 1));
}

/// An empty file, a truncated file, other content and another database are refused, at each attempt.
#[test]
fn a_damaged_file_is_refused() {
    let (folder, path) = outbox_path();
    filled(&path);
    let whole = fs::read(&path).unwrap();
    let half = whole[..whole.len() / 2].to_vec();
    let other = folder.path().join("other");
    builder().create(&other).unwrap().close().unwrap();
    let other = fs::read(&other).unwrap();
    for bytes in [
        Vec::new(),
        half,
        b"not an outbox".to_vec(),
        vec![0; whole.len()],
        other,
    ] {
        fs::write(&path, &bytes).unwrap();
        for _ in 0..2 {
            let error = refused(&path);
            assert!(matches!(error, OutboxError::Damaged { .. }), "{error}");
            assert!(error.to_string().contains("damaged"), "{error}");
        }
    }
    fs::write(&path, &whole).unwrap();
    assert_eq!(open(&path).1.commands.len(), 3);
}

/// A changed page is detected, or was unused. This also holds for a file that a crash left open, whose previous state
/// is still complete.
#[test]
fn a_changed_page_never_loses_or_changes_a_command() {
    const PAGE: usize = 4_096;
    let (_folder, path) = outbox_path();
    filled(&path);
    let closed = fs::read(&path).unwrap();
    let (outbox, _) = open(&path);
    let stored = outbox.commit(&[number(7)], vec![count(4)]).unwrap();
    assert_eq!(stored[0].0, number(10));
    let left_open = fs::read(&path).unwrap();
    outbox.close().unwrap();
    for (whole, expected) in [(closed, 7..10), (left_open, 8..11)] {
        let mut refusals = 0;
        for page in 0..whole.len() / PAGE {
            let mut bytes = whole.clone();
            bytes[page * PAGE + 64..][..512].fill(0x5A);
            fs::write(&path, bytes).unwrap();
            match Outbox::open(&path, &table()) {
                Ok((_, contents)) => {
                    let numbers = contents.commands.keys().map(|sequence| sequence.get());
                    assert!(numbers.eq(expected.clone()), "page {page}: {contents:?}");
                    assert_eq!(contents.next, Some(number(expected.end)), "page {page}");
                }
                Err(error) => {
                    assert!(matches!(error, OutboxError::Damaged { .. }), "{error}");
                    refusals += 1;
                }
            }
        }
        assert!(refusals > 0, "no page mattered");
    }
}

/// The files of another table are left alone.
#[test]
fn an_unfinished_file_is_removed() {
    let (folder, path) = outbox_path();
    for start in ["C4P-07.outbox", "C4P-07.outbox.4711", "C4P-08.outbox.4711"] {
        let unfinished = folder.path().join(format!("{start}.new"));
        fs::write(unfinished, b"half a fi").unwrap();
    }
    filled(&path);
    let left = fs::read_dir(folder.path()).unwrap();
    let mut left: Vec<_> = left.map(|entry| entry.unwrap().file_name()).collect();
    left.sort();
    assert_eq!(left, ["C4P-07.outbox", "C4P-08.outbox.4711.new"]);
}
