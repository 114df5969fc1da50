//! A table's controller as a process that is killed at any time and started again with its outbox. Every command that
//! it reported as stored is counted once, and the next process gets the outcomes of the last one.
//!
//! # Shape
//! This test program is started again as a controller, which plays rounds and prints a line for each stored command and
//! each outcome. It is killed (SIGKILL) after a number of lines. Every second process has a cable that cuts.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::process::Stdio;

use meterhouse_client::{Close, Command, Controller, Outcome};
use meterhouse_tests::in_time;
use tokio::io::{AsyncBufReadExt as _, BufReader};

use crate::fixture::{Fixture, TABLE, coin_in, options};

/// The variables with address, token and outbox, which only the controller's process has.
const ADDRESS: &str = "METERHOUSE_CLIENT_ADDRESS";
const TOKEN: &str = "METERHOUSE_CLIENT_TOKEN";
const OUTBOX: &str = "METERHOUSE_CLIENT_FILE";
/// Prefix of each line for the parent. The test harness prints other lines.
const MARK: &str = "> ";
const KILLS: usize = 6;
/// Maximum number of open outcomes while the process plays on.
const AHEAD: usize = 16;
/// Bytes of replies after which the cable cuts in every second process: some dozen outcomes.
const CUT_AFTER: usize = 3_000;

/// The lines that all processes printed.
#[derive(Default)]
struct Reported {
    stored: BTreeSet<u64>,
    /// The position of every outcome in the journal.
    outcomes: BTreeMap<u64, String>,
}

impl Reported {
    fn add(&mut self, line: &str) {
        let mut words = line.split(' ');
        let (kind, sequence, position) = (words.next(), words.next(), words.next());
        let sequence = sequence
            .and_then(|number| number.parse().ok())
            .expect("a number");
        match (kind, position) {
            (Some("stored"), _) => {
                assert!(self.stored.insert(sequence), "{sequence} was given twice");
            }
            (Some("outcome"), Some(position)) => {
                let before = self.outcomes.insert(sequence, position.to_owned());
                // A kill can repeat an outcome once, and then at the same position.
                assert!(
                    before.is_none_or(|before| before == position),
                    "{sequence} at two places"
                );
            }
            _ => panic!("{line}"),
        }
    }
}

/// Lets a controller play until it has printed this number of lines, and kills it.
async fn play_until_killed(fixture: &Fixture, lines: usize, reported: &mut Reported) {
    let program = std::env::current_exe().expect("this program has a path");
    let mut process = tokio::process::Command::new(program)
        .args(["--exact", "client_killed::player", "--ignored"])
        .args(["--nocapture", "--test-threads=1"])
        .env(ADDRESS, fixture.cable.address.to_string())
        .env(TOKEN, &fixture.token)
        .env(OUTBOX, fixture.outbox())
        .stdout(Stdio::piped())
        .kill_on_drop(true)
        .spawn()
        .expect("this program can be started again");
    let output = process.stdout.take().expect("it is piped");
    let mut output = BufReader::new(output).lines();
    let mut left = lines;
    while let Some(line) = in_time("a line", output.next_line()).await.expect("a line") {
        if let Some(line) = line.strip_prefix(MARK) {
            reported.add(line);
            left = left.saturating_sub(1);
            if left == 0 {
                // The lines printed before the kill are read to the end.
                process.start_kill().expect("it can be killed");
            }
        }
    }
    assert_eq!(left, 0, "it ended by itself");
    process.wait().await.expect("it has ended");
}

fn print_line(line: &str) {
    // The line bypasses the harness, which would buffer it. One write can't be torn by a kill.
    let line = format!("\n{MARK}{line}\n");
    drop(std::io::Write::write_all(
        &mut std::io::stdout().lock(),
        line.as_bytes(),
    ));
}

fn print_outcome(outcome: &Outcome) {
    let position = outcome.journal_position;
    print_line(&format!(
        "outcome {} {}.{}",
        outcome.sequence, position.batch, position.position
    ));
}

/// The controller's process. Without its variables, it does nothing.
#[tokio::test(flavor = "multi_thread")]
#[ignore = "started by the test that kills it"]
async fn player() {
    let variable = |name| std::env::var_os(name).map(|value| value.into_string().expect("text"));
    let (Some(address), Some(token), Some(outbox)) =
        (variable(ADDRESS), variable(TOKEN), variable(OUTBOX))
    else {
        return;
    };
    let address = address.parse().expect("an address");
    let options = options(address, TABLE, &token, &PathBuf::from(outbox));
    let opened = Controller::open(options).await;
    let (controller, mut outcomes) = opened.expect("the outbox can be used");
    controller
        .online()
        .await
        .expect("the controller has not stopped");
    let mut open = 0;
    let mut is_coin_in = true;
    loop {
        let command = if is_coin_in {
            Command::from(coin_in(&[1, 3]))
        } else {
            Command::from(Close)
        };
        is_coin_in = !is_coin_in;
        let receipt = controller.send(command).await.expect("stored");
        print_line(&format!("stored {}", receipt.sequence()));
        // All outcomes arrive unclaimed, including those of the last process.
        drop(receipt);
        open += 1;
        while open >= AHEAD {
            print_outcome(&outcomes.take().await.expect("the controller runs"));
            open -= 1;
        }
    }
}

/// See the header of this file.
#[tokio::test(flavor = "multi_thread")]
async fn a_killed_controller_loses_and_doubles_no_command() {
    let fixture = Fixture::open().await;
    let mut reported = Reported::default();
    for kill in 0..KILLS {
        let after = (kill % 2 == 1).then_some(CUT_AFTER);
        fixture.cable.cut(move || after);
        play_until_killed(&fixture, 30 + kill * 9, &mut reported).await;
    }
    fixture.cable.cut(|| None);
    let (controller, mut outcomes) = fixture.controller().await;
    // After the outcome of one more command, every earlier command has an outcome.
    let last = controller.send(Close).await.expect("stored");
    let sequence = last.sequence().get();
    let outcome = in_time("the outcome", last.outcome()).await;
    outcome.expect("the controller runs");
    while reported.outcomes.len() as u64 + 1 < sequence {
        let outcome = in_time("an earlier outcome", outcomes.take()).await;
        let outcome = outcome.expect("the controller runs");
        let position = format!(
            "{}.{}",
            outcome.journal_position.batch, outcome.journal_position.position
        );
        reported.add(&format!("outcome {} {position}", outcome.sequence));
    }
    let newest = reported.stored.last().copied().expect("some were kept");
    assert!(newest < sequence);
    for sequence in &reported.stored {
        assert!(
            reported.outcomes.contains_key(sequence),
            "{sequence} has no outcome"
        );
    }
    // A process that was killed in a round leaves the round to the next, whose coin-in is refused. Therefore wagers are
    // counted where the journal has them accepted.
    let sql = "SELECT count(*) FROM event WHERE kind = 1";
    let rows = fixture.house.database.rows(sql).await;
    let rounds: i64 = sqlx::Row::get(&rows[0], 0);
    fixture
        .assert_counted(sequence, 2 * rounds.cast_unsigned())
        .await;
    controller.close().await.expect("closed");
    fixture.house.end().await;
}
