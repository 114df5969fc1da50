//! `meterhouse demo`: plays, balances, continues after a stop, and survives a kill.

use std::collections::BTreeMap;
use std::path::Path;

use meterhouse_postgres::{Options, Server};
use meterhouse_tests::{Caller, eventually};
use nix::sys::signal::Signal;
use reqwest::Method;
use serde_json::json;
use sqlx::Connection as _;
use sqlx::postgres::PgConnection;

use crate::program::{ProgramOutput, Running, folder, run_on};

const ROUNDS: [&str; 7] = ["demo", "--rounds", "60", "--speed", "0", "--seed", "7"];
/// Lines of the reconciliations: seven levels of three links, and the fixed pays of each link.
const LINES: usize = 10;
/// The games of the demo.
const GAMES: [&str; 3] = [
    "crazy-4-poker",
    "mississippi-stud",
    "ultimate-texas-hold-em",
];
/// A demo that is long enough for incidents.
const WITH_INCIDENTS: [&str; 7] = ["demo", "--rounds", "500", "--speed", "0", "--seed", "7"];

/// Returns the lines of the levels: name, then opening, contributions, house, paid, adjustments, closing, pending.
fn levels(ended: &ProgramOutput) -> Vec<(String, Vec<String>)> {
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

/// Returns the counts of the line with this heading, by name.
fn counts<'a>(ended: &'a ProgramOutput, heading: &str) -> BTreeMap<&'a str, u64> {
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

/// A demo plays three games, deals and pays a staged royal flush, and balances every level. A second demo on the same data
/// continues from the meters.
#[tokio::test]
async fn a_second_demo_continues_from_the_meters() {
    let data = folder();
    let staged = [&ROUNDS[..], &["--stage", "royal-flush@20"]].concat();
    let first = run_on(data.path(), &staged).await.with_code(0);
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
    let second = run_on(data.path(), &ROUNDS).await.with_code(0);
    let after = levels(&second);
    for ((name, before), (_, after)) in before
        .iter()
        .zip(&after)
        .filter(|((name, _), _)| name != "fixed")
    {
        let (before, after) = (cents(&before[1]), cents(&after[1]));
        assert!(
            after > before,
            "{name} started again: {before} then {after}"
        );
    }
    drop(run_on(data.path(), &["verify"]).await.with_code(0));
}

/// A longer demo plays and reports all incidents. Every level balances, the tables' own sums agree, and the journal
/// verifies. A second demo on the same data plays all incidents again.
/// Proves CONFORMANCE 8, 27, 46, 48, 50 and 60 at a table and for its staff.
#[tokio::test]
async fn a_longer_demo_plays_all_incidents() {
    let data = folder();
    for _ in 0..2 {
        let ended = run_on(data.path(), &WITH_INCIDENTS).await.with_code(0);
        assert_eq!(levels(&ended).len(), LINES);
        for report in [
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
            assert!(ended.stdout.contains(report), "{report}: {}", ended.stdout);
        }
        assert!(
            !ended.stdout.contains("by the tables, "),
            "{}",
            ended.stdout
        );
    }
    drop(run_on(data.path(), &["verify"]).await.with_code(0));
}

/// `verify` finds a change by the database's owner, names the row, and ends with its exit code.
#[tokio::test]
async fn verify_finds_tampering() {
    let data = folder();
    drop(run_on(data.path(), &ROUNDS).await.with_code(0));
    drop(run_on(data.path(), &["verify"]).await.with_code(0));
    let change = "ALTER TABLE link_head DISABLE TRIGGER ALL;
        UPDATE link_head SET balances = '{1000000}' WHERE link_id = 1";
    tamper(data.path(), change).await;
    let found = run_on(data.path(), &["verify"]).await.with_code(1);
    assert!(
        found.stdout.contains("DIFFERS link_head: balances differ"),
        "{}",
        found.stdout
    );
    let only = run_on(data.path(), &["verify", "--link", "hand-bonus"])
        .await
        .with_code(0);
    assert!(!only.stdout.contains("link main"), "{}", only.stdout);
    tamper(
        data.path(),
        "UPDATE link_head SET balances = '{}' WHERE link_id = 1",
    )
    .await;
    drop(run_on(data.path(), &["verify"]).await.with_code(0));
    drop(
        run_on(data.path(), &["verify", "--link", "none"])
            .await
            .with_code(2)
            .with_error("there is no link none"),
    );
}

/// Changes the private cluster as its superuser, while no server uses the cluster.
async fn tamper(data: &Path, sql: &'static str) {
    let server = Server::start(&Options::new(data))
        .await
        .expect("Postgres starts");
    let options = server.connect_options().database("meterhouse");
    let mut connection = PgConnection::connect_with(&options)
        .await
        .expect("a connection");
    sqlx::raw_sql(sql)
        .execute(&mut connection)
        .await
        .expect("a superuser's statement");
    connection.close().await.expect("a closed connection");
    server.stop().await.expect("Postgres stops");
}

/// A demo that is killed loses no batch that was displayed. The next demo continues.
#[tokio::test]
async fn a_killed_demo_loses_no_batch() {
    let data = folder();
    let mut demo = Running::start(data.path(), &["demo", "--rounds", "0", "--speed", "0"]);
    let page = demo.line_after("page ").await;
    let anonymous = Caller::nobody(page.trim_end_matches('/').to_owned());
    // Killed after about a thousand rounds, in the middle of commands.
    let shown = eventually("the demo is busy", async || {
        let meters = anonymous.get("/v1/links/main/meters").await;
        (meters["batch"].as_u64() > Some(300)).then_some(meters)
    })
    .await;
    assert_eq!(demo.stop(Signal::SIGKILL).await.0, None);

    let verified = run_on(data.path(), &["verify"]).await.with_code(0);
    let batches = verified.stdout.lines().find_map(|line| {
        line.strip_prefix("link main: ")?
            .split_once(" batches")?
            .0
            .parse::<u64>()
            .ok()
    });
    assert!(batches >= shown["batch"].as_u64(), "{}", verified.stdout);
    let again = run_on(data.path(), &ROUNDS).await.with_code(0);
    assert_eq!(levels(&again).len(), LINES);
    drop(run_on(data.path(), &["verify"]).await.with_code(0));
}

/// A demo that gets a signal finishes its rounds and prints its reconciliation.
#[tokio::test]
async fn a_stopped_demo_prints_its_reconciliation() {
    let data = folder();
    let mut demo = Running::start(data.path(), &["demo", "--rounds", "0", "--keep-open"]);
    drop(demo.line_after("page ").await);
    let (code, rest) = demo.stop(Signal::SIGINT).await;
    let rest = rest.join("\n");
    assert_eq!(code, Some(0), "{rest}");
    assert!(rest.contains("difference 0.00"), "{rest}");
}

/// A visitor of a demo may be each of its people, and play the table that is nobody else's.
#[tokio::test]
async fn a_visitor_of_a_demo_may_be_each_of_its_people() {
    let data = folder();
    let mut demo = Running::start(data.path(), &["demo", "--rounds", "0"]);
    let base = demo.line_after("page ").await;
    let visitor = Caller::nobody(base.trim().trim_end_matches('/').to_owned());
    let offer = eventually("the offer to the visitor", async || {
        let offer = visitor.get("/demo.json").await;
        (offer.status == 200).then_some(offer)
    })
    .await;
    let people = offer["people"].as_array().expect("the people");
    assert_eq!(people.len(), 5, "{offer:?}");
    for person in people {
        let body = json!({"name": person["name"], "password": person["password"]});
        let json = [("content-type", "application/json")];
        let body = body.to_string().into_bytes();
        let login = visitor.send(Method::POST, "/v1/login", &json, body).await;
        assert_eq!(login.status, 201, "{login:?}");
        assert_eq!(login["role"], person["role"], "{login:?}");
    }
    let token = offer["table"]["token"].as_str().expect("the token");
    let wagers =
        json!({"command": "coin_in", "wagers": [{"seat": 1, "amount": "1.00"}], "dealt": [1]});
    let played = visitor
        .with_token(token)
        .put("/v1/tables/PRACTICE-1/commands/1", &wagers)
        .await;
    assert_eq!(played.status, 201, "{played:?}");
    let (code, rest) = demo.stop(Signal::SIGINT).await;
    assert_eq!(code, Some(0), "{rest:?}");
}
