//! `meterhouse load`: over streams and over HTTP, with everything that goes wrong on purpose, and while the server or
//! Postgres is killed; the books agree at the end.

use std::net::SocketAddr;
use std::path::Path;

use meterhouse_postgres::Server;
use meterhouse_tests::{Caller, eventually};
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use serde_json::Value;

use crate::program::{Ended, PROGRAM, Running, command, folder, run_on};

/// Hits, repeats, reorderings and cuts, on two links.
const MISHAPS: &str = "load --commands 3000 --warm-up 0 --links 2 --tables 24 --hits-per-million 20000 \
     --repeat-percent 5 --reorder-percent 1 --cut-every 150";
/// A load that goes on for some seconds, whatever the machine can do.
const STEADY: &str = "load --rate 1000 --commands 4000 --warm-up 0 --tables 24 --repeat-percent 5 \
     --hits-per-million 5000";
/// A link's batches before anything is killed.
const BUSY: u64 = 100;

/// What the load wrote for tools; every check in it agrees.
fn report(ended: &Ended, file: &Path) -> Value {
    let report = std::fs::read_to_string(file).expect("a report");
    let report: Value = serde_json::from_str(&report).expect("JSON");
    let checks = report["checks"].as_array().expect("checks");
    assert!(checks.len() > 10, "{report}");
    for check in checks {
        assert_eq!(check["expected"], check["found"], "{report}");
        let what = check["what"].as_str().expect("what");
        let told = ended.stdout.lines().find(|it| it.contains(what));
        assert!(
            told.is_some_and(|it| it.starts_with("agrees ")),
            "{}",
            ended.stdout
        );
    }
    report
}

fn count(report: &Value, what: &str) -> u64 {
    let found = report[what].as_u64();
    found.unwrap_or_else(|| panic!("no {what}: {report}"))
}

/// Over streams, then over HTTP on the same tables, which go on behind their last numbers: repeats get their first
/// outcome, a later number first the expected one, cut connections are resumed, hits are settled, the books agree.
#[tokio::test]
async fn mishaps_leave_no_trace_in_the_books() {
    let data = folder();
    let file = data.path().join("report.json");
    let mut wagers = 0;
    for way in [
        &["--streams", "3", "--in-flight", "48"] as &[&str],
        &["--http", "--in-flight", "12"],
    ] {
        let words: Vec<&str> = MISHAPS
            .split_whitespace()
            .chain(way.iter().copied())
            .collect();
        let words = [&words[..], &["--report", file.to_str().expect("a path")]].concat();
        let ended = run_on(data.path(), &words).await.with(0);
        let report = report(&ended, &file);
        assert!(count(&report, "commands") >= 3_000, "{report}");
        for what in ["repeats", "reorderings", "cuts", "resent"] {
            assert!(count(&report, what) > 0, "{what}: {report}");
        }
        assert!(report["hits"]["count"].as_u64() > Some(0), "{report}");
        let latency = &report["latency"];
        assert!(
            latency["p50"].as_u64() <= latency["p99"].as_u64(),
            "{report}"
        );
        wagers += found(&report, "load-1 wagers") + found(&report, "load-2 wagers");
    }
    assert!(wagers > 6_000, "{wagers}");
    let verified = run_on(data.path(), &["verify"]).await.with(0);
    assert!(
        verified.stdout.contains("difference 0.00"),
        "{}",
        verified.stdout
    );
}

/// What the server says in a check.
fn found(report: &Value, what: &str) -> u64 {
    let mut checks = report["checks"].as_array().into_iter().flatten();
    let check = checks.find(|it| it["what"] == what);
    let found = check.and_then(|it| it["found"].as_str()?.parse().ok());
    found.unwrap_or_else(|| panic!("no {what}: {report}"))
}

/// What can't be played is said in a sentence.
#[tokio::test]
async fn impossible_loads() {
    let data = folder();
    for (words, sentence) in [
        (
            "load --http --tables 3 --in-flight 4",
            "at least as many tables",
        ),
        ("load --url http://127.0.0.1:1", "gRPC address"),
        ("load --repeat-percent 101", "a percentage of faults"),
        ("load --prefix a_b", "is invalid: give"),
    ] {
        let words: Vec<&str> = words.split(' ').collect();
        drop(run_on(data.path(), &words).await.with(2).saying(sentence));
    }
}

/// Where a server listens.
#[derive(Copy, Clone)]
struct Ports {
    http: SocketAddr,
    grpc: SocketAddr,
}

fn address(url: &str) -> SocketAddr {
    let address = url.strip_prefix("http://").and_then(|it| it.parse().ok());
    address.unwrap_or_else(|| panic!("no address: {url}"))
}

/// A server on any ports.
async fn started(data: &Path) -> (Running, Ports) {
    let mut server = Running::start(data, &["serve"]);
    let http = address(&server.says("listening on ").await);
    let grpc = address(&server.says("gRPC on ").await);
    (server, Ports { http, grpc })
}

/// A server on the ports of another one that has ended.
async fn started_again(data: &Path, ports: Ports) -> Running {
    let mut program = command(PROGRAM);
    program
        .arg("serve")
        .args(["--listen", &ports.http.to_string()])
        .args(["--grpc-listen", &ports.grpc.to_string()])
        .arg("--data-dir")
        .arg(data);
    let mut server = Running::spawn(program);
    drop(server.says("gRPC on ").await);
    server
}

/// The link's last batch, once it is open.
async fn sequence(ports: Ports) -> Option<u64> {
    let nobody = Caller::nobody(format!("http://{}", ports.http));
    let meters = nobody.get("/v1/links/load-1/meters").await;
    meters["sequence"].as_u64()
}

/// Waits until the load is in the middle of its work: behind this batch.
async fn busy(ports: Ports, batch: u64) {
    eventually("the load is busy", async || {
        (sequence(ports).await > Some(batch)).then_some(())
    })
    .await;
}

/// The load beside a server that runs by itself, while `killing` does its worst.
async fn loaded(
    data: &Path,
    ports: Ports,
    way: &[&str],
    killing: impl Future<Output = Running>,
) -> (Running, Value) {
    let file = data.join("report.json");
    let (url, grpc) = (
        format!("http://{}", ports.http),
        format!("http://{}", ports.grpc),
    );
    let words: Vec<&str> = STEADY
        .split_whitespace()
        .chain(way.iter().copied())
        .collect();
    let where_to = ["--url", &url, "--grpc-url", &grpc];
    let words = [
        &words[..],
        &where_to,
        &["--report", file.to_str().expect("a path")],
    ]
    .concat();
    let (ended, server) = tokio::join!(run_on(data, &words), killing);
    let report = report(&ended.with(0), &file);
    assert!(count(&report, "commands") >= 4_000, "{report}");
    (server, report)
}

/// `kill -9` of the server in the middle, once over streams and once over HTTP: nothing is lost and nothing counted
/// twice.
#[tokio::test]
async fn the_server_is_killed_in_the_middle() {
    let data = folder();
    let (mut server, ports) = started(data.path()).await;
    let mut batches = 0;
    for way in [
        &["--streams", "4"] as &[&str],
        &["--http", "--in-flight", "16"],
    ] {
        let killing = async {
            busy(ports, batches + BUSY).await;
            assert_eq!(server.stop(Signal::SIGKILL).await.0, None);
            started_again(data.path(), ports).await
        };
        let (again, report) = loaded(data.path(), ports, way, killing).await;
        assert!(count(&report, "reconnects") > 0, "{report}");
        server = again;
        batches = sequence(ports).await.expect("the link is there");
    }
    assert_eq!(server.stop(Signal::SIGTERM).await.0, Some(0));
    drop(run_on(data.path(), &["verify"]).await.with(0));
}

/// `kill -9` of Postgres in the middle: the server starts it again, and nothing is lost or counted twice.
#[tokio::test]
async fn postgres_is_killed_in_the_middle() {
    let data = folder();
    let (server, ports) = started(data.path()).await;
    let killing = async {
        busy(ports, BUSY).await;
        let postgres = Server::attach(data.path())
            .await
            .expect("its Postgres runs");
        let killed = postgres.pid();
        kill(Pid::from_raw(killed), Signal::SIGKILL).expect("it can be killed");
        // The server starts it again by itself.
        eventually("another Postgres runs", async || {
            let postgres = Server::attach(data.path()).await.ok()?;
            (postgres.pid() != killed).then_some(())
        })
        .await;
        server
    };
    let (server, _) = loaded(data.path(), ports, &["--streams", "4"], killing).await;
    assert_eq!(server.stop(Signal::SIGTERM).await.0, Some(0));
    drop(run_on(data.path(), &["verify"]).await.with(0));
}
