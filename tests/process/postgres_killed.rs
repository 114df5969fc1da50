//! The private Postgres is killed under a server that plays: it comes back by itself, and nothing is lost.
//!
//! # How long
//! [`KILLS`] kills, or as many as the environment variable `METERHOUSE_KILLS` says:
//! `METERHOUSE_KILLS=100 cargo test -p meterhouse --test process -- postgres_killed --nocapture`
//! prints the figures and asserts [`BACK_MAX`].

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

/// Kills of a test among all others.
const KILLS: usize = 3;
/// Says how many kills instead.
const KILLS_VARIABLE: &str = "METERHOUSE_KILLS";
/// How soon a command is acknowledged after the postmaster's death, on a machine that does nothing else.
const BACK_MAX: Duration = Duration::from_secs(3);
/// From one kill to the next: the program gives a Postgres up that dies more than ten times a minute.
const PACE: Duration = Duration::from_secs(7);

/// The postmaster of a data folder.
fn postmaster(data: &Path) -> Option<i32> {
    let text = fs::read_to_string(data.join("postgres/postmaster.pid")).ok()?;
    text.lines().next()?.trim().parse().ok()
}

fn kill_postmaster(data: &Path) -> i32 {
    let pid = postmaster(data).expect("a postmaster");
    kill(Pid::from_raw(pid), Signal::SIGKILL).expect("it can be killed");
    pid
}

/// A table with its keys, made as a person does.
async fn table(data: &Path, nobody: &Caller) -> Dealer {
    let token = async |words: &str| {
        let words: Vec<&str> = ["token", "create"]
            .into_iter()
            .chain(words.split(' '))
            .collect();
        run_on(data, &words).await.with(0).stdout.trim().to_owned()
    };
    let ana = nobody.with_token(&token("--role manager --name ana").await);
    let terms = json!({"paytable": FIVE_CARD_C, "wager": "1.00", "decks": 1});
    drop(ana.put("/v1/links/main", &terms).await.created());
    drop(ana.accept_values("main").await.created());
    let felt = felt("main", FIVE_CARD_C);
    drop(ana.put("/v1/tables/T1", &felt).await.created());
    let key = token("--role controller --name T1 --table T1").await;
    Dealer::new(nobody.with_token(&key), "T1")
}

/// Plays rounds without an end, and counts what was acknowledged; what has no outcome is sent again.
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

/// Kills the postmaster again and again; how long each time nothing was acknowledged.
async fn kill_again(data: &Path, kills: usize, acknowledged: &AtomicU64) -> Vec<Duration> {
    let mut pace = interval(PACE);
    pace.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let mut back = Vec::new();
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
        back.push(killed.elapsed());
    }
    back
}

/// How many kills.
#[expect(
    clippy::disallowed_methods,
    reason = "a test has no command line: who wants more kills says so by a variable"
)]
fn kills() -> usize {
    let kills = std::env::var(KILLS_VARIABLE).ok();
    kills.map_or(KILLS, |kills| kills.parse().expect("a number of kills"))
}

#[tokio::test]
async fn it_comes_back_and_nothing_is_lost() {
    let kills = kills();
    let data = folder();
    let mut server = Running::start(data.path(), &["serve"]);
    let nobody = Caller::nobody(server.says("listening on ").await);
    let dealer = table(data.path(), &nobody).await;
    let acknowledged = AtomicU64::new(0);
    let mut back = tokio::select! {
        () = play(&dealer, &acknowledged) => Vec::new(),
        back = kill_again(data.path(), kills, &acknowledged) => back,
    };
    back.sort_unstable();
    assert_eq!(back.len(), kills);
    let known = acknowledged.load(Ordering::SeqCst);
    println!(
        "{kills} kills, {known} commands; back after {:?} in the middle, {:?} at most",
        back[kills / 2],
        back[kills - 1]
    );
    if kills > KILLS {
        assert!(back[kills - 1] <= BACK_MAX, "{back:?}");
    }
    // The one that was on its way when the play ended may be there.
    let next = dealer.resume().await["next_sequence"]
        .as_u64()
        .expect("a number");
    assert!(
        (known + 1..=known + 2).contains(&next),
        "{known} acknowledged, {next} is next"
    );
    assert_eq!(server.stop(Signal::SIGTERM).await.0, Some(0));
    let verified = run_on(data.path(), &["verify"]).await.with(0);
    let agrees = "everything agrees, difference 0.00";
    assert!(verified.stdout.contains(agrees), "{}", verified.stdout);
}

/// One that can't start again ends the program, which says where to look.
#[tokio::test]
async fn one_that_does_not_come_back_ends_the_server() {
    let (data, logs) = (folder(), folder());
    let log = logs.path().join("server.log");
    let script = "exec \"$0\" serve --listen 127.0.0.1:0 --grpc-listen 127.0.0.1:0 --data-dir \"$1\" 2> \"$2\"";
    let mut program = command("sh");
    program
        .args(["-c", script, PROGRAM])
        .arg(data.path())
        .arg(&log);
    let mut server = Running::spawn(program);
    drop(server.says("listening on ").await);
    let control = data.path().join("postgres/global/pg_control");
    fs::rename(&control, data.path().join("pg_control")).expect("it is there");
    kill_postmaster(data.path());
    // A signal that does nothing: it ends by itself.
    assert_eq!(server.stop(Signal::SIGCONT).await.0, Some(4));
    let said = fs::read_to_string(&log).expect("a log");
    let said = said.lines().find(|line| line.starts_with("meterhouse: "));
    let said = said.expect("a sentence");
    assert!(
        said.contains("started again 10 times within 60 s"),
        "{said}"
    );
    assert!(said.contains("postgres.log"), "{said}");
}
