//! The private Postgres is killed under load. The server restarts Postgres by itself, and no command is lost.
//!
//! # Duration
//! The test makes [`KILLS`] kills, or as many as the environment variable `METERHOUSE_KILLS`.
//! `METERHOUSE_KILLS=100 cargo test -p meterhouse --test process -- postgres_killed --nocapture`
//! prints the recovery times and asserts [`RECOVERY_MAX`].

use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use meterhouse_tests::client::felt;
use meterhouse_tests::{Caller, Dealer, FIVE_CARD_C, eventually};
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use serde_json::json;
use tokio::time::{Instant, MissedTickBehavior, interval};

use crate::program::{PROGRAM, Running, command, folder, run_on};

/// Number of kills in an ordinary test run.
const KILLS: usize = 3;
/// Environment variable with another number of kills.
const KILLS_VARIABLE: &str = "METERHOUSE_KILLS";
/// Maximum time from a kill to the next acknowledged command, on an idle machine.
const RECOVERY_MAX: Duration = Duration::from_secs(3);
/// Interval of the kills. The program ends if Postgres ends more than ten times a minute.
const KILL_INTERVAL: Duration = Duration::from_secs(7);

/// Returns the process id of a data folder's postmaster.
fn postmaster(data: &Path) -> Option<i32> {
    let text = fs::read_to_string(data.join("postgres/postmaster.pid")).ok()?;
    text.lines().next()?.trim().parse().ok()
}

fn kill_postmaster(data: &Path) -> i32 {
    let pid = postmaster(data).expect("a postmaster");
    kill(Pid::from_raw(pid), Signal::SIGKILL).expect("a signal");
    pid
}

/// Opens a link with a table. Returns the table's dealer.
async fn table(data: &Path, anonymous: &Caller) -> Dealer {
    let token = async |words: &str| {
        let words: Vec<&str> = ["token", "create"]
            .into_iter()
            .chain(words.split(' '))
            .collect();
        run_on(data, &words)
            .await
            .with_code(0)
            .stdout
            .trim()
            .to_owned()
    };
    let ana = anonymous.with_token(&token("--role manager --name ana").await);
    let terms = json!({"paytable": FIVE_CARD_C, "wager": "1.00", "decks": 1});
    drop(ana.put("/v1/links/main", &terms).await.created());
    drop(ana.accept_values("main").await.created());
    let join = felt("main", FIVE_CARD_C);
    drop(ana.put("/v1/tables/T1", &join).await.created());
    let key = token("--role controller --name T1 --table T1").await;
    Dealer::new(anonymous.with_token(&key), "T1")
}

/// Plays rounds endlessly, and counts the acknowledged commands. A command without an outcome is retried.
async fn play(dealer: &Dealer, acknowledged: &AtomicU64) {
    loop {
        for command in [
            json!({"command": "coin_in", "wagers": [{"seat": 1, "amount": "1.00"}], "dealt": [1]}),
            json!({"command": "close"}),
        ] {
            loop {
                let answer = dealer.send(&command).await;
                if matches!(answer.status, 200 | 201) {
                    acknowledged.fetch_add(1, Ordering::SeqCst);
                    break;
                }
                assert_eq!(answer.status, 503, "{}", answer.text);
            }
        }
    }
}

/// Kills the postmaster repeatedly. Returns the time from each kill to the next acknowledged command.
async fn kill_repeatedly(data: &Path, kills: usize, acknowledged: &AtomicU64) -> Vec<Duration> {
    let mut pace = interval(KILL_INTERVAL);
    pace.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let mut recoveries = Vec::new();
    for _ in 0..kills {
        if kills > KILLS {
            pace.tick().await;
        }
        let killed = Instant::now();
        let before = kill_postmaster(data);
        eventually("another postmaster", async || {
            postmaster(data).filter(|pid| *pid != before)
        })
        .await;
        let known = acknowledged.load(Ordering::SeqCst);
        eventually("a command is acknowledged", async || {
            (acknowledged.load(Ordering::SeqCst) > known).then_some(())
        })
        .await;
        recoveries.push(killed.elapsed());
    }
    recoveries
}

/// Returns the number of kills.
#[expect(
    clippy::disallowed_methods,
    reason = "a test has no command line, so a variable sets the number of kills"
)]
fn kills() -> usize {
    let kills = std::env::var(KILLS_VARIABLE).ok();
    kills.map_or(KILLS, |kills| kills.parse().expect("a number of kills"))
}

/// Every command that was acknowledged around the kills is in the journal.
#[tokio::test]
async fn a_killed_postgres_is_restarted_without_loss() {
    let kills = kills();
    let data = folder();
    let mut server = Running::start(data.path(), &["serve"]);
    let anonymous = Caller::nobody(server.line_after("listening on ").await);
    let dealer = table(data.path(), &anonymous).await;
    let acknowledged = AtomicU64::new(0);
    let mut recoveries = tokio::select! {
        () = play(&dealer, &acknowledged) => Vec::new(),
        recoveries = kill_repeatedly(data.path(), kills, &acknowledged) => recoveries,
    };
    recoveries.sort_unstable();
    assert_eq!(recoveries.len(), kills);
    let known = acknowledged.load(Ordering::SeqCst);
    println!(
        "{kills} kills, {known} commands; recovered after {:?} (median), {:?} (maximum)",
        recoveries[kills / 2],
        recoveries[kills - 1]
    );
    if kills > KILLS {
        assert!(recoveries[kills - 1] <= RECOVERY_MAX, "{recoveries:?}");
    }
    // The command in flight at the end may be committed.
    let next = dealer.resume().await["next_sequence"]
        .as_u64()
        .expect("a number");
    assert!(
        (known + 1..=known + 2).contains(&next),
        "{known} acknowledged, {next} is next"
    );
    assert_eq!(server.stop(Signal::SIGTERM).await.0, Some(0));
    let verified = run_on(data.path(), &["verify"]).await.with_code(0);
    let agrees = "everything agrees, difference 0.00";
    assert!(verified.stdout.contains(agrees), "{}", verified.stdout);
}

/// A Postgres that can't restart ends the program, with the log's path in the error.
#[tokio::test]
async fn a_postgres_that_cannot_restart_ends_the_server() {
    let (data, logs) = (folder(), folder());
    let log = logs.path().join("server.log");
    let script = "exec \"$0\" serve --listen 127.0.0.1:0 --grpc-listen 127.0.0.1:0 --data-dir \"$1\" 2> \"$2\"";
    let mut program = command("sh");
    program
        .args(["-c", script, PROGRAM])
        .arg(data.path())
        .arg(&log);
    let mut server = Running::spawn(program);
    drop(server.line_after("listening on ").await);
    let control = data.path().join("postgres/global/pg_control");
    fs::rename(&control, data.path().join("pg_control")).expect("a file");
    kill_postmaster(data.path());
    // The signal has no effect: the program ends by itself.
    assert_eq!(server.stop(Signal::SIGCONT).await.0, Some(4));
    let text = fs::read_to_string(&log).expect("a log");
    let error = text.lines().find(|line| line.starts_with("meterhouse: "));
    let error = error.expect("an error");
    assert!(
        error.contains("started again 10 times within 60 s"),
        "{error}"
    );
    assert!(error.contains("postgres.log"), "{error}");
}
