//! What a file keeps, and which files are refused.

mod killed;
mod power;

use std::fs;
use std::path::{Path, PathBuf};

use meterhouse_proto::table::command::Command as Asked;
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
        command: Some(Asked::Count(wire::Count { chips })),
        ..wire::Command::default()
    }
}

/// A folder with the path of an outbox in it.
fn place() -> (TempDir, PathBuf) {
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

/// Makes an outbox that begins at 7 and keeps three commands.
fn filled(path: &Path) {
    let (outbox, contents) = open(path);
    assert_eq!(contents.next, None);
    outbox.begin(number(7)).unwrap();
    let kept = outbox.change(&[], vec![count(1), count(2), count(3)]);
    let numbers: Vec<u64> = kept.unwrap().iter().map(|it| it.0.get()).collect();
    assert_eq!(numbers, [7, 8, 9]);
    outbox.close().unwrap();
}

/// Commands, their numbers and the next one; what is forgotten is gone, and its number is never given again.
#[test]
fn commands_and_numbers_are_kept() {
    let (_folder, path) = place();
    filled(&path);
    let (outbox, contents) = open(&path);
    assert_eq!(contents.next, Some(number(10)));
    let kept: Vec<_> = contents.commands.into_iter().collect();
    let expected = [(7, 1), (8, 2), (9, 3)].map(|(sequence, chips)| {
        let command = wire::Command {
            sequence,
            ..count(chips)
        };
        (number(sequence), command)
    });
    assert_eq!(kept, expected);
    outbox
        .change(&[number(7), number(8), number(9)], vec![])
        .unwrap();
    outbox.close().unwrap();
    let (outbox, contents) = open(&path);
    assert!(contents.commands.is_empty());
    assert_eq!(contents.next, Some(number(10)));
    let kept = outbox.change(&[], vec![count(4)]).unwrap();
    assert_eq!(kept[0].0, number(10));
}

/// Pages are used again: after ten thousand commands the file is no larger than at its beginning.
#[test]
fn the_file_does_not_grow() {
    let (_folder, path) = place();
    let (outbox, _) = open(&path);
    outbox.begin(number(1)).unwrap();
    let mut lengths = Vec::new();
    let mut forget = Vec::new();
    for _ in 0..200 {
        let kept = outbox.change(&forget, vec![count(1); 50]).unwrap();
        forget = kept.into_iter().map(|it| it.0).collect();
        lengths.push(path.metadata().unwrap().len());
    }
    assert_eq!(forget.last(), Some(&number(10_000)));
    let (early, late) = lengths.split_at(10);
    assert!(late.iter().max() <= early.iter().max(), "{lengths:?}");
}

/// Until the server has said where to begin nothing is kept.
#[test]
fn a_new_file_has_no_number() {
    let (_folder, path) = place();
    let (outbox, _) = open(&path);
    let error = outbox.change(&[], vec![count(1)]).unwrap_err();
    assert!(matches!(error, OutboxError::Damaged { .. }), "{error}");
    outbox.close().unwrap();
    let (_, contents) = open(&path);
    assert!(contents.next.is_none() && contents.commands.is_empty());
}

/// One at a time, and the sentence says so.
#[test]
fn a_file_in_use_is_refused() {
    let (_folder, path) = place();
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

/// Both tables are named.
#[test]
fn a_file_of_another_table_is_refused() {
    let (_folder, path) = place();
    filled(&path);
    let error = Outbox::open(&path, &"C4P-08".parse().unwrap()).unwrap_err();
    let OutboxError::OtherTable { found, table, .. } = &error else {
        panic!("{error}");
    };
    assert_eq!((found.as_str(), table.as_str()), ("C4P-07", "C4P-08"));
    let (_, contents) = open(&path);
    assert_eq!(contents.commands.len(), 3);
}

/// Neither is read as this release's.
#[test]
fn a_file_of_a_later_release_is_refused() {
    let (_folder, path) = place();
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

/// Emptied, cut off, something else, another database: refused, again and again.
#[test]
fn a_file_that_is_no_whole_outbox_is_refused() {
    let (folder, path) = place();
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

/// A page that was changed behind our back is noticed, or was not in use; no command is ever lost or changed. Not
/// even where the file was left open by a crash, and the state before the newest is still whole.
#[test]
fn a_changed_page_is_never_taken_for_the_truth() {
    const PAGE: usize = 4_096;
    let (_folder, path) = place();
    filled(&path);
    let closed = fs::read(&path).unwrap();
    let (outbox, _) = open(&path);
    let kept = outbox.change(&[number(7)], vec![count(4)]).unwrap();
    assert_eq!(kept[0].0, number(10));
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
                    let numbers = contents.commands.keys().map(|it| it.get());
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

/// What a start that was cut off left behind is no outbox, and in nobody's way; another table's is left alone.
#[test]
fn an_unfinished_file_is_begun_again() {
    let (folder, path) = place();
    for begin in ["C4P-07.outbox", "C4P-07.outbox.4711", "C4P-08.outbox.4711"] {
        let unfinished = folder.path().join(format!("{begin}.new"));
        fs::write(unfinished, b"half a fi").unwrap();
    }
    filled(&path);
    let left = fs::read_dir(folder.path()).unwrap();
    let mut left: Vec<_> = left.map(|it| it.unwrap().file_name()).collect();
    left.sort();
    assert_eq!(left, ["C4P-07.outbox", "C4P-08.outbox.4711.new"]);
}
