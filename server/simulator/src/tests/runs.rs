//! Whole runs.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use tempfile::TempDir;
use tokio::sync::watch;

use super::mock::{Address, Killable, Manners, Mock, start};
use crate::client::{Client, Request};
use crate::{
    Gateway, Plan, SimulatorError, Summary, TablePlan, Tokens, default_links, prepare,
    render_reconciliation, run,
};

/// How long a run may take, on a machine that is busy with other builds.
const RUN_MAX: Duration = Duration::from_mins(3);
/// Long enough for every mishap.
const EVENING: u64 = 1_200;
/// Long enough for some lost answers and repeats.
const HOUR: u64 = 300;
/// Between two looks at how far a play has come.
const LOOK_EVERY: Duration = Duration::from_millis(5);
/// How long a play may take for its next thousand requests.
const PLAYS_ON_MAX: Duration = Duration::from_mins(1);

fn plan(base: &str, rounds: u64) -> Plan {
    Plan {
        base: base.to_owned(),
        seed: 42,
        rounds,
        speed: 0,
        stages: vec!["royal-flush@20".parse().expect("a stage")],
        links: default_links(),
    }
}

fn tokens(plan: &Plan) -> Tokens {
    let tables = plan.links.iter().flat_map(|link| &link.tables);
    let supervisor = |name: &str| (name.to_owned(), format!("s-{name}"));
    Tokens {
        manager: "m-ana".to_owned(),
        accountant: "m-eve".to_owned(),
        supervisors: vec![supervisor("sam"), supervisor("kim")],
        controllers: tables
            .map(|TablePlan { table, .. }| (table.clone(), format!("c-{table}")))
            .collect(),
    }
}

fn gateway(server: &Address, outboxes: &TempDir) -> Gateway {
    Gateway {
        grpc: server.grpc,
        outboxes: outboxes.path().to_owned(),
    }
}

async fn play(server: &Address, plan: Plan) -> Result<Summary, SimulatorError> {
    let (_keep, stop) = watch::channel(false);
    let tokens = tokens(&plan);
    prepare(&plan, &tokens.manager).await?;
    let outboxes = tempfile::tempdir().expect("a folder");
    let run = run(plan, tokens, gateway(server, &outboxes), stop, |_| {});
    tokio::time::timeout(RUN_MAX, run).await.expect("in time")
}

async fn played(
    manners: Manners,
    rounds: u64,
) -> (Result<Summary, SimulatorError>, Arc<Mutex<Mock>>) {
    let (server, mock) = start(manners);
    (play(&server, plan(&server.base, rounds)).await, mock)
}

/// A good server is left with every round closed, and both books agree; every mishap happened.
#[tokio::test]
async fn a_good_evening() {
    let (summary, mock) = played(Manners::Good, EVENING).await;
    let summary = summary.expect("nothing unexpected");
    assert_eq!(summary.rounds, EVENING);
    assert!(summary.is_balanced());
    assert!(
        summary.books.iter().all(crate::BookLine::agrees),
        "{:?}",
        summary.books
    );
    assert_eq!(summary.books.len(), 13);
    assert!(mock.lock().expect("no panic").is_quiet());
    assert!(summary.hits_by_hand["royal-flush"] >= 1);
    let mishaps = [
        summary.cancelled,
        summary.rejected,
        summary.voids,
        summary.repeats,
    ];
    assert!(
        mishaps.iter().all(|count| *count > 0) && summary.lost_answers > 0,
        "{summary:?}"
    );
    assert!(summary.bonuses > 10 && summary.settles > 10, "{summary:?}");
    assert!(render_reconciliation(&summary.reconciliations[0]).contains("difference 0.00"));
}

/// A longer demo has a shift of incidents, each told in the report, and both books agree all the same.
#[tokio::test]
async fn a_shift_of_incidents() {
    let (summary, mock) = played(Manners::Good, EVENING).await;
    let summary = summary.expect("nothing unexpected");
    assert_eq!(summary.staged.len(), 7, "{:?}", summary.staged);
    for told in [
        "lost for",
        "chips for",
        "disabled and enabled",
        "resettled from 10000.00 to 20000.00",
        "found after GAME OVER",
        "adjusted by 12.34",
        "withdrawn by two people",
    ] {
        let found = summary.staged.iter().any(|it| it.contains(told));
        assert!(found, "{told} is not in {:?}", summary.staged);
    }
    let counts = [
        (summary.tables_lost, 1),
        (summary.miscounts, 1),
        (summary.resettled, 1),
        (summary.late_hits, 1),
        (summary.corrected, 1),
        (summary.adjustments, 2),
    ];
    assert!(
        counts.iter().all(|(count, least)| count >= least),
        "{summary:?}"
    );
    let seen = [
        "adjustment",
        "bonus",
        "correction",
        "device time",
        "late hit",
        "level",
        "resettled",
        "settle",
        "suspension",
    ];
    let mock = mock.lock().expect("no panic");
    assert_eq!(mock.seen(), seen);
    assert!(mock.is_quiet());
    assert!(
        summary.books.iter().all(crate::BookLine::agrees),
        "{:?}",
        summary.books
    );
}

/// A server that makes something else of a round's cards, or keeps what a resettled winner is owed, is found out.
#[tokio::test]
async fn wrong_hits_are_an_error() {
    for manners in [Manners::Blind, Manners::Stingy] {
        let (failed, _) = played(manners, EVENING).await;
        let error = failed.expect_err("must be noticed");
        assert!(
            matches!(error, SimulatorError::Unexpected { .. }),
            "{manners:?}: {error}"
        );
    }
}

/// A server that is away now and then, before or after it did the work, counts everything once.
#[tokio::test]
async fn a_tired_server_is_asked_again() {
    let (summary, mock) = played(Manners::Tired, EVENING).await;
    let summary = summary.expect("nothing unexpected");
    assert!(
        summary.books.iter().all(crate::BookLine::agrees),
        "{:?}",
        summary.books
    );
    assert!(mock.lock().expect("no panic").is_quiet());
}

/// A server that is killed and started again is waited for, and counts everything once.
#[tokio::test]
async fn a_killed_server_is_waited_for() {
    let mock = Mock::new(Manners::Good);
    let mut server = Killable::new(&mock);
    let requests = || mock.lock().expect("no panic").requests();
    let address = server.address();
    let plan = plan(&address.base, EVENING);
    let playing = tokio::spawn(async move { play(&address, plan).await });
    for _ in 0..3 {
        let enough = requests() + 1_000;
        let reached = async {
            while requests() < enough && !playing.is_finished() {
                tokio::time::sleep(LOOK_EVERY).await;
            }
        };
        let reached = tokio::time::timeout(PLAYS_ON_MAX, reached).await;
        reached.expect("it plays on");
        assert!(!playing.is_finished(), "it is over before it is killed");
        server = server.restart();
    }
    let summary = playing
        .await
        .expect("no panic")
        .expect("nothing unexpected");
    assert_eq!(summary.rounds, EVENING);
    assert!(
        summary.books.iter().all(crate::BookLine::agrees),
        "{:?}",
        summary.books
    );
    assert!(mock.lock().expect("no panic").is_quiet());
    server.end();
}

/// A repeat that is answered otherwise, or not marked, ends the run with request and answer in the error.
#[tokio::test]
async fn a_wrong_answer_to_a_repeat_is_an_error() {
    for manners in [Manners::Forgetful, Manners::Unmarked] {
        let (failed, _) = played(manners, HOUR).await;
        let error = failed.expect_err("must be noticed");
        assert!(
            matches!(error, SimulatorError::Unexpected { .. }),
            "{error}"
        );
        assert!(error.to_string().contains("the repeat of"), "{error}");
    }
}

/// What a server counts twice shows in the books beside its own, and a leak in its own.
#[tokio::test]
async fn what_is_counted_twice_is_found() {
    let (summary, _) = played(Manners::CountsTwice, HOUR).await;
    let summary = summary.expect("nothing unexpected");
    assert!(!summary.books.iter().all(crate::BookLine::agrees));
    let (summary, _) = played(Manners::Leaky, HOUR).await;
    assert!(!summary.expect("nothing unexpected").is_balanced());
}

/// Started again, the tables go on with their numbers; a round left open is finished first, a link left suspended
/// resumed, a late hit left unpaid paid.
#[tokio::test]
async fn a_killed_run_is_resumed() {
    let (server, mock) = start(Manners::Good);
    let plan = plan(&server.base, 60);
    let first = play(&server, plan.clone()).await;
    assert_eq!(first.expect("nothing unexpected").rounds, 60);
    let client = Client::new(&server.base).expect("an address");
    let next = |table: &str| mock.lock().expect("no panic").last_sequence(table) + 1;
    let leave = |table: &'static str, command: &'static str| {
        let path = format!("/v1/tables/{table}/commands/{}", next(table));
        let (client, request) = (client.clone(), Request::put(path, command.to_owned()));
        async move {
            let reply = client
                .ask(&format!("c-{table}"), &request)
                .await
                .expect("an answer");
            assert_eq!(reply.status, 201);
        }
    };
    let coin_in = r#"{"coin_in": {"wagers": [{"seat": 1, "amount": "1.00"}], "dealt": [1]}}"#;
    let cards = r#"["As", "Ks", "Qs", "Js", "Ts"]"#;
    let hit = format!(r#"{{"hit": {{"seat": 1, "hand": "royal-flush", "cards": {cards}}}}}"#);
    leave("C4P-01", coin_in).await;
    leave("C4P-02", coin_in).await;
    leave("C4P-02", hit.leak()).await;
    leave("C4P-03", coin_in).await;
    leave("C4P-03", r#"{"hit": {"seat": 1, "hand": "flush"}}"#).await;
    mock.lock().expect("no panic").leave_behind("C4P-04");
    let summary = play(&server, plan).await.expect("nothing unexpected");
    assert_eq!(summary.rounds, 60);
    assert!(
        summary.books.iter().all(crate::BookLine::agrees),
        "{:?}",
        summary.books
    );
    assert!(mock.lock().expect("no panic").is_quiet());
}

/// A link that somebody opened with other settings is played on; one with another wager is not.
#[tokio::test]
async fn a_link_with_other_settings_is_played_on() {
    for (wager, is_played) in [("1.00", true), ("5.00", false)] {
        let (server, _mock) = start(Manners::Good);
        let client = Client::new(&server.base).expect("an address");
        let body =
            format!(r#"{{"paytable": "pa-657a-five-card-c", "wager": "{wager}", "decks": 1}}"#);
        let opened = client
            .ask("m-ana", &Request::put("/v1/links/main", body))
            .await;
        assert_eq!(opened.expect("an answer").status, 201);
        let played = prepare(&plan(&server.base, 60), "m-ana").await;
        assert_eq!(played.is_ok(), is_played, "{played:?}");
    }
}

/// Told to stop, every felt finishes its round.
#[tokio::test]
async fn a_run_stops_when_told() {
    let (server, mock) = start(Manners::Good);
    let plan = Plan {
        speed: 100,
        stages: Vec::new(),
        ..plan(&server.base, 0)
    };
    let outboxes = tempfile::tempdir().expect("a folder");
    let gateway = gateway(&server, &outboxes);
    let (tell, stop) = watch::channel(false);
    let tokens = tokens(&plan);
    prepare(&plan, &tokens.manager).await.expect("prepared");
    let stopped = run(plan, tokens, gateway, stop, |progress| {
        if progress.rounds > 50 {
            tell.send_replace(true);
        }
    });
    let summary = tokio::time::timeout(Duration::from_secs(20), stopped)
        .await
        .expect("in time");
    let summary = summary.expect("nothing unexpected");
    assert!((51..400).contains(&summary.rounds), "{}", summary.rounds);
    assert!(mock.lock().expect("no panic").is_quiet());
}

/// A server that stays away is given up, with what was tried.
#[tokio::test]
async fn a_server_that_stays_away_is_given_up() {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
    let base = format!("http://{}", listener.local_addr().expect("an address"));
    drop(listener);
    let client = Client::with_retry_max(&base, Duration::from_millis(200)).expect("an address");
    let error = client
        .ask("t", &Request::get("/v1/tables"))
        .await
        .expect_err("nobody is there");
    assert!(
        matches!(error, SimulatorError::Unreachable { attempts: 2.., .. }),
        "{error}"
    );
}
