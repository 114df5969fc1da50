//! A process that is killed at any moment: every command that it was told is kept is there afterwards, and no number
//! is missing or given twice.
//!
//! # Shape
//! This test program is started again on an outbox, where [`SENDERS`] send at once; it writes a line for each command
//! of which it heard that it is kept. After some lines it is killed (SIGKILL), and the file is opened and compared.
//!
//! # What it does not show
//! The loss of what the operating system had not written yet: [`super::power`] does.

use std::collections::BTreeMap;
use std::env;
use std::io::{self, BufRead as _, BufReader, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use meterhouse_proto::table::command::Command as Asked;
use tokio::sync::oneshot;

use super::{count, number, open, place};
use crate::board::Board;
use crate::limits::KEPT_MAX;
use crate::outbox_writer::{Job, Keep, Writer};
use crate::values::Sequence;

/// Where the outbox is, for the process that is killed; nobody else has it.
const OUTBOX: &str = "METERHOUSE_CLIENT_OUTBOX";
/// Before each line that is for the parent; the test harness writes others.
const MARK: &str = "> ";
/// Commands that are sent at the same time.
const SENDERS: u32 = 4;
/// How often it is killed, each time after more lines.
const KILLS: usize = 6;

/// See the head of this file.
#[test]
fn what_was_kept_survives_a_kill() {
    let (_folder, path) = place();
    let (outbox, _) = open(&path);
    outbox.begin(number(1)).unwrap();
    outbox.close().unwrap();
    let mut told = BTreeMap::new();
    for kill in 0..KILLS {
        told.extend(kept_until_killed(&path, 1 + kill * 7));
        let (outbox, contents) = open(&path);
        let kept: BTreeMap<u64, u32> = contents
            .commands
            .iter()
            .map(|(sequence, command)| match &command.command {
                Some(Asked::Count(it)) => (sequence.get(), it.chips),
                other => panic!("{other:?}"),
            })
            .collect();
        for (sequence, chips) in &told {
            assert_eq!(kept.get(sequence), Some(chips), "kill {kill}: {sequence}");
        }
        let numbers: Vec<u64> = kept.keys().copied().collect();
        let expected: Vec<u64> = (1..=numbers.len() as u64).collect();
        assert_eq!(numbers, expected, "kill {kill}");
        let next = contents.next.map(Sequence::get);
        assert_eq!(next, Some(numbers.len() as u64 + 1), "kill {kill}");
        outbox.close().unwrap();
    }
    assert!(told.len() >= KILLS, "{} lines", told.len());
}

/// Lets a process send until it has written so many lines, and kills it; what it was told is kept.
fn kept_until_killed(path: &Path, lines: usize) -> Vec<(u64, u32)> {
    let mut process = start(path);
    let output = BufReader::new(process.stdout.take().unwrap());
    let mut written = output.lines().map_while(Result::ok).filter_map(|line| {
        let (sequence, chips) = line.strip_prefix(MARK)?.split_once(' ')?;
        Some((sequence.parse().unwrap(), chips.parse().unwrap()))
    });
    let mut told: Vec<(u64, u32)> = written.by_ref().take(lines).collect();
    process.kill().unwrap();
    // What it had written when it was killed.
    told.extend(written);
    process.wait().unwrap();
    assert!(told.len() >= lines, "it ended by itself");
    told
}

fn start(path: &Path) -> Child {
    Command::new(env::current_exe().unwrap())
        .args(["--exact", "outbox::tests::killed::sender", "--ignored"])
        .args(["--nocapture", "--test-threads=1"])
        .env(OUTBOX, path)
        .stdout(Stdio::piped())
        .spawn()
        .unwrap()
}

/// The process. Without its environment it is nobody's.
#[test]
#[ignore = "started by the test that kills it"]
fn sender() {
    let Some(path) = env::var_os(OUTBOX).map(PathBuf::from) else {
        return;
    };
    let (outbox, contents) = open(&path);
    let begun = contents.next.map_or(0, Sequence::get) * u64::from(SENDERS);
    let chips = AtomicU32::new(u32::try_from(begun).unwrap());
    let board = Arc::new(Board::new(contents));
    let writer = Writer::start(outbox, board).unwrap();
    std::thread::scope(|scope| {
        for _ in 0..SENDERS {
            scope.spawn(|| (0..KEPT_MAX).try_for_each(|_| send(&writer, &chips)));
        }
    });
    panic!("nobody killed it");
}

/// Sends one command, and writes that it is kept; nothing once the outbox is full.
fn send(writer: &Writer, chips: &AtomicU32) -> Option<()> {
    let chips = chips.fetch_add(1, Ordering::SeqCst);
    let (waiter, _) = oneshot::channel();
    let (kept, is_kept) = oneshot::channel();
    let keep = Keep {
        command: count(chips),
        waiter,
        kept,
    };
    writer
        .jobs()
        .blocking_send(Job::Keep(Box::new(keep)))
        .ok()?;
    let sequence = is_kept.blocking_recv().ok()?.ok()?;
    // Past the harness, which would gather it; one write, which a kill can't tear.
    let line = format!("\n{MARK}{sequence} {chips}\n");
    io::stdout().lock().write_all(line.as_bytes()).ok()
}
