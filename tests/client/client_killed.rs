//! A table's controller as a process of its own that is killed at any moment and started again with the same outbox:
//! every command that it was told is kept is counted once, and its next life hears what became of the last one's.
//!
//! # Shape
//! This test program is started again as a controller, which keeps rounds and writes a line for each kept command and
//! for each outcome. It is killed (SIGKILL) after so many lines. Some of its lives have a cable that cuts.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::process::Stdio;

use meterhouse_client::{Close, Command, Controller, Outcome};
use meterhouse_tests::in_time;
use tokio::io::{AsyncBufReadExt as _, BufReader};

use crate::scene::{Scene, TABLE, coin_in, options};

/// Address, token and outbox, for the controller; nobody else has them.
const ADDRESS: &str = "METERHOUSE_CLIENT_ADDRESS";
const TOKEN: &str = "METERHOUSE_CLIENT_TOKEN";
const OUTBOX: &str = "METERHOUSE_CLIENT_FILE";
/// Before each line that is for the parent; the test harness writes others.
const MARK: &str = "> ";
const KILLS: usize = 6;
/// Commands of a life whose outcome may be open: it plays on meanwhile.
const AHEAD: usize = 16;
/// Bytes of answers after which the cable cuts in every second life: some dozen outcomes.
const CUT_AFTER: usize = 3_000;

/// What lives of the controller wrote.
#[derive(Default)]
struct Told {
    kept: BTreeSet<u64>,
    /// The place of every outcome.
    outcomes: BTreeMap<u64, String>,
}

impl Told {
    fn note(&mut self, line: &str) {
        let mut words = line.split(' ');
        let (kind, sequence, place) = (words.next(), words.next(), words.next());
        let sequence = sequence.and_then(|it| it.parse().ok()).expect("a number");
        match (kind, place) {
            (Some("kept"), _) => {
                assert!(self.kept.insert(sequence), "{sequence} was given twice");
            }
            (Some("outcome"), Some(place)) => {
                let before = self.outcomes.insert(sequence, place.to_owned());
                // Told twice at most when killed in between, and then the same.
                assert!(
                    before.is_none_or(|it| it == place),
                    "{sequence} at two places"
                );
            }
            _ => panic!("{line}"),
        }
    }
}

/// Lets a controller play until it has written so many lines, and kills it.
async fn live(scene: &Scene, lines: usize, told: &mut Told) {
    let program = std::env::current_exe().expect("this program has a path");
    let mut process = tokio::process::Command::new(program)
        .args(["--exact", "client_killed::player", "--ignored"])
        .args(["--nocapture", "--test-threads=1"])
        .env(ADDRESS, scene.cable.address.to_string())
        .env(TOKEN, &scene.token)
        .env(OUTBOX, scene.outbox())
        .stdout(Stdio::piped())
        .kill_on_drop(true)
        .spawn()
        .expect("this program can be started again");
    let output = process.stdout.take().expect("it is piped");
    let mut output = BufReader::new(output).lines();
    let mut left = lines;
    while let Some(line) = in_time("a line", output.next_line()).await.expect("a line") {
        if let Some(line) = line.strip_prefix(MARK) {
            told.note(line);
            left = left.saturating_sub(1);
            if left == 0 {
                // What it had written by then is read to its end.
                process.start_kill().expect("it can be killed");
            }
        }
    }
    assert_eq!(left, 0, "it ended by itself");
    process.wait().await.expect("it has ended");
}

fn say(line: &str) {
    // Past the harness, which would gather it; one write, which a kill can't tear.
    let line = format!("\n{MARK}{line}\n");
    drop(std::io::Write::write_all(
        &mut std::io::stdout().lock(),
        line.as_bytes(),
    ));
}

fn tell(outcome: &Outcome) {
    let place = outcome.place;
    say(&format!(
        "outcome {} {}.{}",
        outcome.sequence, place.batch, place.position
    ));
}

/// The controller. Without its environment it is nobody's.
#[tokio::test(flavor = "multi_thread")]
#[ignore = "started by the test that kills it"]
async fn player() {
    let variable = |name| std::env::var_os(name).map(|it| it.into_string().expect("text"));
    let (Some(address), Some(token), Some(outbox)) =
        (variable(ADDRESS), variable(TOKEN), variable(OUTBOX))
    else {
        return;
    };
    let address = address.parse().expect("an address");
    let options = options(address, TABLE, &token, &PathBuf::from(outbox));
    let opened = Controller::open(options).await;
    let (controller, mut outcomes) = opened.expect("the outbox is well");
    controller.online().await.expect("nobody has to look");
    let mut open = 0;
    let mut is_coin_in = true;
    loop {
        let command = if is_coin_in {
            Command::from(coin_in(&[1, 3]))
        } else {
            Command::from(Close)
        };
        is_coin_in = !is_coin_in;
        let kept = controller.send(command).await.expect("kept");
        say(&format!("kept {}", kept.sequence()));
        // All outcomes come the same way, those of the last life too.
        drop(kept);
        open += 1;
        while open >= AHEAD {
            tell(&outcomes.take().await.expect("it plays"));
            open -= 1;
        }
    }
}

/// See the head of this file.
#[tokio::test(flavor = "multi_thread")]
async fn a_killed_controller_loses_and_doubles_nothing() {
    let scene = Scene::open().await;
    let mut told = Told::default();
    for kill in 0..KILLS {
        let after = (kill % 2 == 1).then_some(CUT_AFTER);
        scene.cable.cut(move || after);
        live(&scene, 30 + kill * 9, &mut told).await;
    }
    scene.cable.cut(|| None);
    let (controller, mut outcomes) = scene.controller().await;
    // One more command shows where the numbers stand: everything before it has an outcome then.
    let last = controller.send(Close).await.expect("kept");
    let sequence = last.sequence().get();
    let outcome = in_time("the outcome", last.outcome()).await;
    outcome.expect("it plays");
    while told.outcomes.len() as u64 + 1 < sequence {
        let outcome = in_time("an earlier outcome", outcomes.take()).await;
        let outcome = outcome.expect("it plays");
        let place = format!("{}.{}", outcome.place.batch, outcome.place.position);
        told.note(&format!("outcome {} {place}", outcome.sequence));
    }
    let newest = told.kept.last().copied().expect("some were kept");
    assert!(newest < sequence);
    for kept in &told.kept {
        assert!(told.outcomes.contains_key(kept), "{kept} has no outcome");
    }
    // Rounds of the lives alternate; a life that was killed in a round leaves it to the next, whose coin-in is
    // refused. So wagers are counted where the journal says that they were accepted.
    let asked = "SELECT count(*) FROM event WHERE kind = 1";
    let rows = scene.house.database.rows(asked).await;
    let rounds: i64 = sqlx::Row::get(&rows[0], 0);
    scene.counted(sequence, 2 * rounds.cast_unsigned()).await;
    controller.close().await.expect("closed");
    scene.house.end().await;
}
