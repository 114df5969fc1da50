//! `meterhouse demo`: it plays, balances, goes on where it stopped, and survives being killed.

use std::collections::BTreeMap;
use std::path::Path;

use meterhouse_postgres::{Options, Server};
use meterhouse_tests::{Caller, eventually};
use nix::sys::signal::Signal;
use sqlx::Connection as _;
use sqlx::postgres::PgConnection;

use crate::program::{Ended, Running, folder, run_on};

const ROUNDS: [&str; 7] = ["demo", "--rounds", "60", "--speed", "0", "--seed", "7"];
/// Lines of its books: of three links seven levels, and the fixed pays of each.
const LINES: usize = 10;
/// What its felts play.
const GAMES: [&str; 3] = [
    "crazy-4-poker",
    "mississippi-stud",
    "ultimate-texas-hold-em",
];
/// Long enough for a shift of incidents.
const SHIFT: [&str; 7] = ["demo", "--rounds", "500", "--speed", "0", "--seed", "7"];

/// The lines of the levels: name, then opening, contributions, house, paid, adjustments, closing, pending.
fn levels(ended: &Ended) -> Vec<(String, Vec<String>)> {
    let lines = ended
        .stdout
        .lines()
        .filter_map(|line| line.split_once("difference"));
    lines
        .map(|(before, difference)| {
            assert_eq!(difference.trim(), "0.00", "{}", ended.stdout);
            let mut words = before.split_whitespace().map(str::to_owned);
            (words.next().expect("a level"), words.collect())
        })
        .collect()
}

/// What the line with this heading counts, by name.
fn counts<'a>(ended: &'a Ended, heading: &str) -> BTreeMap<&'a str, u64> {
    let mut lines = ended.stdout.lines();
    let line = lines.find_map(|line| line.strip_prefix(heading)?.strip_prefix(": "));
    let counts = line.expect("a line with this heading").split(", ");
    counts
        .map(|count| {
            let (count, name) = count.split_once(' ').expect("a count and a name");
            (name, count.parse().expect("a count"))
        })
        .collect()
}

fn cents(amount: &str) -> u64 {
    amount.replace('.', "").parse().expect("an amount")
}

/// Three games are played, a staged royal is dealt and paid, every level balances; again on the same data it goes on from the meters.
#[tokio::test]
async fn it_plays_and_goes_on() {
    let data = folder();
    let staged = [&ROUNDS[..], &["--stage", "royal-flush@20"]].concat();
    let first = run_on(data.path(), &staged).await.with(0);
    assert!(
        first.stdout.contains("staged royal-flush@20"),
        "{}",
        first.stdout
    );
    assert!(first.stdout.contains("royal-flush"), "{}", first.stdout);
    let games = counts(&first, "games");
    let names: Vec<&str> = games.keys().copied().collect();
    assert_eq!(names, GAMES, "{}", first.stdout);
    assert_eq!(games.values().sum::<u64>(), 60);
    let before = levels(&first);
    let names: Vec<&str> = before.iter().map(|(name, _)| name.as_str()).collect();
    let three = ["mega", "major", "minor", "fixed"];
    assert_eq!(names, [&three[..], &["meter", "fixed"], &three].concat());
    let second = run_on(data.path(), &ROUNDS).await.with(0);
    let after = levels(&second);
    for ((name, before), (_, after)) in before
        .iter()
        .zip(&after)
        .filter(|((name, _), _)| name != "fixed")
    {
        let (before, after) = (cents(&before[1]), cents(&after[1]));
        assert!(after > before, "{name} began anew: {before} then {after}");
    }
    drop(run_on(data.path(), &["verify"]).await.with(0));
}

/// A longer demo has a shift of incidents and says what happened; every level balances, the tables' own books agree,
/// and the journal replays. Twice on the same data: the second shift stumbles over nothing that the first one left.
/// Proves CONFORMANCE 8, 27, 46, 48, 50 and 60 as a table and its people see them.
#[tokio::test]
async fn it_plays_a_shift_of_incidents() {
    let data = folder();
    for _ in 0..2 {
        let ended = run_on(data.path(), &SHIFT).await.with(0);
        assert_eq!(levels(&ended).len(), LINES);
        for told in [
            "with a royal locked on seat",
            "chips for",
            "disabled and enabled, main suspended and resumed",
            "keyed as a royal by mistake and rejected",
            "found after GAME OVER by two people",
            "adjusted by 12.34 by two people, reason variance, and reversed",
            "withdrawn by two people",
            "1 corrected by two people",
            "2 adjusted by two people",
        ] {
            assert!(ended.stdout.contains(told), "{told}: {}", ended.stdout);
        }
        assert!(
            !ended.stdout.contains("by the tables, "),
            "{}",
            ended.stdout
        );
    }
    drop(run_on(data.path(), &["verify"]).await.with(0));
}

/// What the owner changes behind the server's back, `verify` finds, names, and says with its exit code.
#[tokio::test]
async fn verify_finds_tampering() {
    let data = folder();
    drop(run_on(data.path(), &ROUNDS).await.with(0));
    drop(run_on(data.path(), &["verify"]).await.with(0));
    let change = "ALTER TABLE link_head DISABLE TRIGGER ALL;
        UPDATE link_head SET balances[3] = balances[3] + 1000000 WHERE link_id = 1";
    tamper(data.path(), change).await;
    let found = run_on(data.path(), &["verify"]).await.with(1);
    assert!(
        found.stdout.contains("DIFFERS link_head: balances differ"),
        "{}",
        found.stdout
    );
    let only = run_on(data.path(), &["verify", "--link", "hand-bonus"])
        .await
        .with(0);
    assert!(!only.stdout.contains("link main"), "{}", only.stdout);
    tamper(
        data.path(),
        "UPDATE link_head SET balances[3] = balances[3] - 1000000 WHERE link_id = 1",
    )
    .await;
    drop(run_on(data.path(), &["verify"]).await.with(0));
    drop(
        run_on(data.path(), &["verify", "--link", "none"])
            .await
            .with(2)
            .saying("there is no link none"),
    );
}

/// As the private cluster's superuser, while nobody else uses it.
async fn tamper(data: &Path, sql: &'static str) {
    let server = Server::start(&Options::new(data))
        .await
        .expect("its Postgres starts");
    let options = server.connect_options().database("meterhouse");
    let mut connection = PgConnection::connect_with(&options)
        .await
        .expect("it answers");
    sqlx::raw_sql(sql)
        .execute(&mut connection)
        .await
        .expect("a superuser may");
    connection.close().await.expect("it closes");
    server.stop().await.expect("its Postgres stops");
}

/// A demo that is killed in the middle has lost nothing that it said, and the next one goes on.
#[tokio::test]
async fn killed_in_the_middle() {
    let data = folder();
    let mut demo = Running::start(data.path(), &["demo", "--rounds", "0", "--speed", "0"]);
    let page = demo.says("page ").await;
    let nobody = Caller::nobody(page.trim_end_matches('/').to_owned());
    // A thousand rounds or so, and then in the middle of whatever is going on.
    let shown = eventually("the demo is busy", async || {
        let meters = nobody.get("/v1/links/main/meters").await;
        (meters["sequence"].as_u64() > Some(300)).then_some(meters)
    })
    .await;
    assert_eq!(demo.stop(Signal::SIGKILL).await.0, None);

    let verified = run_on(data.path(), &["verify"]).await.with(0);
    let batches = verified.stdout.lines().find_map(|line| {
        line.strip_prefix("link main: ")?
            .split_once(" batches")?
            .0
            .parse::<u64>()
            .ok()
    });
    assert!(batches >= shown["sequence"].as_u64(), "{}", verified.stdout);
    let again = run_on(data.path(), &ROUNDS).await.with(0);
    assert_eq!(levels(&again).len(), LINES);
    drop(run_on(data.path(), &["verify"]).await.with(0));
}

/// A demo that is asked to stop finishes its rounds and shows its books.
#[tokio::test]
async fn stopped_by_hand() {
    let data = folder();
    let mut demo = Running::start(data.path(), &["demo", "--rounds", "0", "--keep-open"]);
    drop(demo.says("page ").await);
    let (code, rest) = demo.stop(Signal::SIGINT).await;
    let rest = rest.join("\n");
    assert_eq!(code, Some(0), "{rest}");
    assert!(rest.contains("difference 0.00"), "{rest}");
}
