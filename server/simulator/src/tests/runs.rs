//! Whole runs against the mock server.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use meterhouse_api::change::LateHit;
use meterhouse_api::command::{CoinIn, Command, CommandRequest, HitEntered, Wager};
use meterhouse_api::link::OpenLinkRequest;
use meterhouse_api::sequence::SequenceNumber;
use meterhouse_api::text::Text;
use meterhouse_domain::hand::Hand;
use meterhouse_domain::ids::Sequence;
use meterhouse_http_client::Client;
use tempfile::TempDir;
use tokio::sync::watch;

use super::mock::{Address, Killable, Misbehavior, Mock, start};
use crate::{
    Gateway, Plan, SimulatorError, Summary, TablePlan, Tokens, default_links, prepare,
    render_reconciliation, run,
};

/// Maximum time of a run, on a machine that is busy with other builds.
const RUN_MAX: Duration = Duration::from_mins(3);
/// Number of rounds that is enough for every mishap.
const LONG_RUN: u64 = 1_200;
/// Number of rounds that is enough for some dropped responses and replays.
const SHORT_RUN: u64 = 300;
/// Pause between two polls of the number of requests.
const POLL_PAUSE: Duration = Duration::from_millis(5);
/// Maximum time of a run for its next thousand requests.
const PROGRESS_MAX: Duration = Duration::from_mins(1);

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
    let (_stop_sender, stop) = watch::channel(false);
    let tokens = tokens(&plan);
    prepare(&plan, &tokens.manager).await?;
    let outboxes = tempfile::tempdir().expect("a folder");
    let run = run(plan, tokens, gateway(server, &outboxes), stop, |_| {});
    tokio::time::timeout(RUN_MAX, run).await.expect("in time")
}

async fn play_against(
    misbehavior: Misbehavior,
    rounds: u64,
) -> (Result<Summary, SimulatorError>, Arc<Mutex<Mock>>) {
    let (server, mock) = start(misbehavior);
    (play(&server, plan(&server.base, rounds)).await, mock)
}

/// A run with every mishap closes every round on a correct server, and both sums agree.
#[tokio::test]
async fn a_long_run_on_a_correct_server() {
    let (summary, mock) = play_against(Misbehavior::None, LONG_RUN).await;
    let summary = summary.expect("nothing unexpected");
    assert_eq!(summary.rounds, LONG_RUN);
    assert!(summary.is_balanced());
    assert!(
        summary.compared.iter().all(crate::ComparedSum::agrees),
        "{:?}",
        summary.compared
    );
    assert_eq!(summary.compared.len(), 13);
    assert!(mock.lock().expect("no panic").is_settled());
    assert!(summary.hits_by_hand["royal-flush"] >= 1);
    let mishaps = [
        summary.cancelled,
        summary.rejected,
        summary.voids,
        summary.replays,
    ];
    assert!(
        mishaps.iter().all(|count| *count > 0) && summary.dropped_responses > 0,
        "{summary:?}"
    );
    assert!(summary.bonuses > 10 && summary.settles > 10, "{summary:?}");
    assert!(render_reconciliation(&summary.reconciliations[0]).contains("difference 0.00"));
}

/// A long run has all incidents, the summary reports each, and both sums agree.
#[tokio::test]
async fn a_long_run_has_all_incidents() {
    let (summary, mock) = play_against(Misbehavior::None, LONG_RUN).await;
    let summary = summary.expect("nothing unexpected");
    assert_eq!(summary.incidents.len(), 7, "{:?}", summary.incidents);
    for report in [
        "lost for",
        "chips for",
        "disabled and enabled",
        "resettled from 10000.00 to 20000.00",
        "found after GAME OVER",
        "adjusted by 12.34",
        "withdrawn by two people",
    ] {
        let found = summary
            .incidents
            .iter()
            .any(|incident| incident.contains(report));
        assert!(found, "{report} is not in {:?}", summary.incidents);
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
        counts.iter().all(|(count, minimum)| count >= minimum),
        "{summary:?}"
    );
    let observed = [
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
    assert_eq!(mock.observed(), observed);
    assert!(mock.is_settled());
    assert!(
        summary.compared.iter().all(crate::ComparedSum::agrees),
        "{:?}",
        summary.compared
    );
}

/// A settle without the dealt hits is an error, and so is a resettled hit that keeps its amount.
#[tokio::test]
async fn wrong_hits_are_an_error() {
    for misbehavior in [Misbehavior::SettleWithoutHits, Misbehavior::NoResettlement] {
        let (failed, _) = play_against(misbehavior, LONG_RUN).await;
        let error = failed.expect_err("an error");
        assert!(
            matches!(error, SimulatorError::Unexpected { .. }),
            "{misbehavior:?}: {error}"
        );
    }
}

/// Requests are retried while the server is unavailable, before or after the work was done. Every command is counted once.
#[tokio::test]
async fn temporary_unavailability_is_retried() {
    let (summary, mock) = play_against(Misbehavior::TemporarilyUnavailable, LONG_RUN).await;
    let summary = summary.expect("nothing unexpected");
    assert!(
        summary.compared.iter().all(crate::ComparedSum::agrees),
        "{:?}",
        summary.compared
    );
    assert!(mock.lock().expect("no panic").is_settled());
}

/// A run continues after its server was killed and restarted. Every command is counted once.
#[tokio::test]
async fn a_run_waits_for_a_killed_server() {
    let mock = Mock::new(Misbehavior::None);
    let mut server = Killable::new(&mock);
    let requests = || mock.lock().expect("no panic").requests();
    let address = server.address();
    let plan = plan(&address.base, LONG_RUN);
    let playing = tokio::spawn(async move { play(&address, plan).await });
    for _ in 0..3 {
        let enough = requests() + 1_000;
        let reached = async {
            while requests() < enough && !playing.is_finished() {
                tokio::time::sleep(POLL_PAUSE).await;
            }
        };
        let reached = tokio::time::timeout(PROGRESS_MAX, reached).await;
        reached.expect("progress");
        assert!(!playing.is_finished(), "the run is over before the kill");
        server = server.restart();
    }
    let summary = playing
        .await
        .expect("no panic")
        .expect("nothing unexpected");
    assert_eq!(summary.rounds, LONG_RUN);
    assert!(
        summary.compared.iter().all(crate::ComparedSum::agrees),
        "{:?}",
        summary.compared
    );
    assert!(mock.lock().expect("no panic").is_settled());
    server.stop();
}

/// A replay with another outcome, or without its mark, ends the run. The error contains the request and the response.
#[tokio::test]
async fn a_wrong_replay_is_an_error() {
    for misbehavior in [Misbehavior::OtherReplay, Misbehavior::UnmarkedReplay] {
        let (failed, _) = play_against(misbehavior, SHORT_RUN).await;
        let error = failed.expect_err("an error");
        assert!(
            matches!(error, SimulatorError::Unexpected { .. }),
            "{error}"
        );
        assert!(error.to_string().contains("the replay of"), "{error}");
    }
}

/// A wager that the server counts twice makes the sums differ. A missing cent makes the reconciliation differ.
#[tokio::test]
async fn double_counting_and_missing_money_are_detected() {
    let (summary, _) = play_against(Misbehavior::CountsReplay, SHORT_RUN).await;
    let summary = summary.expect("nothing unexpected");
    assert!(!summary.compared.iter().all(crate::ComparedSum::agrees));
    let (summary, _) = play_against(Misbehavior::MissingCent, SHORT_RUN).await;
    assert!(!summary.expect("nothing unexpected").is_balanced());
}

/// Returns a coin-in with one wager, on seat 1.
fn coin_in() -> Command {
    let wager = Wager {
        seat: 1,
        amount: "1.00".parse().expect("an amount"),
        on: None,
        player: None,
    };
    Command::CoinIn(CoinIn {
        wagers: vec![wager].into(),
        dealt: vec![1].into(),
    })
}

/// Returns a hit on seat 1.
fn hit(hand: Hand, cards: Option<&[&str]>) -> Command {
    let card = |text: &&str| text.parse().expect("a card");
    let cards = cards.map(|cards| cards.iter().map(card).collect::<Vec<_>>().into());
    Command::Hit(HitEntered {
        seat: Some(1),
        dealer: None,
        hand: Text(hand),
        cards,
    })
}

/// After a killed run, the tables continue with their sequences. Open rounds are finished first, suspended links are
/// resumed, and unpaid late hits are paid.
#[tokio::test]
async fn a_killed_run_is_resumed() {
    let (server, mock) = start(Misbehavior::None);
    let plan = plan(&server.base, 60);
    let first = play(&server, plan.clone()).await;
    assert_eq!(first.expect("nothing unexpected").rounds, 60);
    let client = Client::new(&server.base, None).expect("an address");
    let next = |table: &str| mock.lock().expect("no panic").last_sequence(table) + 1;
    let send = async |table: &str, command: Command| {
        let path = format!("/v1/tables/{table}/commands/{}", next(table));
        let request = CommandRequest::from(command);
        let reply = client.put(&format!("c-{table}"), path, &request).await;
        assert_eq!(reply.expect("an answer").status, 201);
    };
    let royal = Some(["As", "Ks", "Qs", "Js", "Ts"].as_slice());
    send("C4P-01", coin_in()).await;
    send("C4P-02", coin_in()).await;
    send("C4P-02", hit(Hand::RoyalFlush, royal)).await;
    send("C4P-03", coin_in()).await;
    send("C4P-03", hit(Hand::Flush, None)).await;
    let late = LateHit {
        table: "C4P-04".parse().expect("a name"),
        round: SequenceNumber(Sequence(1)),
        seat: Some(3),
        dealer: None,
        hand: Text(Hand::FourOfAKind),
        cards: None,
    };
    mock.lock().expect("no panic").leave_incidents_open(&late);
    let summary = play(&server, plan).await.expect("nothing unexpected");
    assert_eq!(summary.rounds, 60);
    assert!(
        summary.compared.iter().all(crate::ComparedSum::agrees),
        "{:?}",
        summary.compared
    );
    assert!(mock.lock().expect("no panic").is_settled());
}

/// A link that is open with other settings is played. A link with another wager is an error.
#[tokio::test]
async fn a_link_may_have_other_settings() {
    for (wager, is_played) in [("1.00", true), ("5.00", false)] {
        let (server, _mock) = start(Misbehavior::None);
        let client = Client::new(&server.base, None).expect("an address");
        let terms =
            format!(r#"{{"paytable": "pa-657a-five-card-c", "wager": "{wager}", "decks": 1}}"#);
        let body: OpenLinkRequest = serde_json::from_str(&terms).expect("terms");
        let opened = client.put("m-ana", "/v1/links/main", &body).await;
        assert_eq!(opened.expect("an answer").status, 201);
        let played = prepare(&plan(&server.base, 60), "m-ana").await;
        assert_eq!(played.is_ok(), is_played, "{played:?}");
    }
}

/// After `stop`, every physical table finishes its round.
#[tokio::test]
async fn a_stopped_run_finishes_its_rounds() {
    let (server, mock) = start(Misbehavior::None);
    let plan = Plan {
        speed: 100,
        stages: Vec::new(),
        ..plan(&server.base, 0)
    };
    let outboxes = tempfile::tempdir().expect("a folder");
    let gateway = gateway(&server, &outboxes);
    let (stop_sender, stop) = watch::channel(false);
    let tokens = tokens(&plan);
    prepare(&plan, &tokens.manager).await.expect("prepared");
    let stopped = run(plan, tokens, gateway, stop, |progress| {
        if progress.rounds > 50 {
            stop_sender.send_replace(true);
        }
    });
    let summary = tokio::time::timeout(Duration::from_secs(20), stopped)
        .await
        .expect("in time");
    let summary = summary.expect("nothing unexpected");
    assert!((51..400).contains(&summary.rounds), "{}", summary.rounds);
    assert!(mock.lock().expect("no panic").is_settled());
}
