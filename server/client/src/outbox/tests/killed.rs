//! A process that is killed at any time: every command that it reported as stored is in the file, and no number is
//! missing or assigned twice.
//!
//! # Shape
//! This test program is started again on an outbox, where [`SENDERS`] threads send concurrently. It prints a line for
//! each command that is reported as stored. After some lines it is killed (SIGKILL), and the file is opened and
//! compared.
//!
//! # Not covered
//! The loss of data that the operating system had not written yet: see [`super::power`].

use std::collections::BTreeMap;
use std::env;
use std::io::{self, BufRead as _, BufReader, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use meterhouse_proto::table::command::Command as WireCommand;
use tokio::sync::oneshot;

use super::{count, number, open, outbox_path};
use crate::in_flight::InFlight;
use crate::limits::OUTBOX_COMMANDS_MAX;
use crate::outbox_writer::{Job, OutboxWriter, StoreRequest};
use crate::values::Sequence;

/// The variable with the path of the outbox, which only the process to be killed has.
const OUTBOX: &str = "METERHOUSE_CLIENT_OUTBOX";
/// Prefix of each line for the parent. The test harness prints other lines.
const MARK: &str = "> ";
/// Commands that are sent concurrently.
const SENDERS: u32 = 4;
/// Number of kills, each after more lines.
const KILLS: usize = 6;

/// See the header of this file.
#[test]
fn stored_commands_survive_a_kill() {
    let (_folder, path) = outbox_path();
    let (outbox, _) = open(&path);
    outbox.set_next(number(1)).unwrap();
    outbox.close().unwrap();
    let mut reported = BTreeMap::new();
    for kill in 0..KILLS {
        reported.extend(stored_until_killed(&path, 1 + kill * 7));
        let (outbox, contents) = open(&path);
        let kept: BTreeMap<u64, u32> = contents
            .commands
            .iter()
            .map(|(sequence, command)| match &command.command {
                Some(WireCommand::Count(count)) => (sequence.get(), count.chips),
                other => panic!("{other:?}"),
            })
            .collect();
        for (sequence, chips) in &reported {
            assert_eq!(kept.get(sequence), Some(chips), "kill {kill}: {sequence}");
        }
        let numbers: Vec<u64> = kept.keys().copied().collect();
        let expected: Vec<u64> = (1..=numbers.len() as u64).collect();
        assert_eq!(numbers, expected, "kill {kill}");
        let next = contents.next.map(Sequence::get);
        assert_eq!(next, Some(numbers.len() as u64 + 1), "kill {kill}");
        outbox.close().unwrap();
    }
    assert!(reported.len() >= KILLS, "{} lines", reported.len());
}

/// Lets a process send until it has printed this number of lines, and kills it. Returns the commands reported as
/// stored.
fn stored_until_killed(path: &Path, lines: usize) -> Vec<(u64, u32)> {
    let mut process = start(path);
    let output = BufReader::new(process.stdout.take().unwrap());
    let mut written = output.lines().map_while(Result::ok).filter_map(|line| {
        let (sequence, chips) = line.strip_prefix(MARK)?.split_once(' ')?;
        Some((sequence.parse().unwrap(), chips.parse().unwrap()))
    });
    let mut reported: Vec<(u64, u32)> = written.by_ref().take(lines).collect();
    process.kill().unwrap();
    // The lines printed before the kill.
    reported.extend(written);
    process.wait().unwrap();
    assert!(reported.len() >= lines, "it ended by itself");
    reported
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

/// The process to be killed. Without its variable, it does nothing.
#[test]
#[ignore = "started by the test that kills it"]
fn sender() {
    let Some(path) = env::var_os(OUTBOX).map(PathBuf::from) else {
        return;
    };
    let (outbox, contents) = open(&path);
    let begun = contents.next.map_or(0, Sequence::get) * u64::from(SENDERS);
    let chips = AtomicU32::new(u32::try_from(begun).unwrap());
    let in_flight = Arc::new(InFlight::new(contents));
    let writer = OutboxWriter::start(outbox, in_flight).unwrap();
    std::thread::scope(|scope| {
        for _ in 0..SENDERS {
            scope.spawn(|| (0..OUTBOX_COMMANDS_MAX).try_for_each(|_| send(&writer, &chips)));
        }
    });
    panic!("nobody killed it");
}

/// Sends one command, and prints that it is stored. Returns `None` once the outbox is full.
fn send(writer: &OutboxWriter, chips: &AtomicU32) -> Option<()> {
    let chips = chips.fetch_add(1, Ordering::SeqCst);
    let (outcome, _) = oneshot::channel();
    let (stored, is_stored) = oneshot::channel();
    let request = StoreRequest {
        command: count(chips),
        outcome,
        stored,
    };
    writer
        .jobs()
        .blocking_send(Job::Store(Box::new(request)))
        .ok()?;
    let sequence = is_stored.blocking_recv().ok()?.ok()?;
    // The line bypasses the harness, which would buffer it. One write can't be torn by a kill.
    let line = format!("\n{MARK}{sequence} {chips}\n");
    io::stdout().lock().write_all(line.as_bytes()).ok()
}
