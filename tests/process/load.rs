//! `meterhouse load` over streams and over HTTP, with faults on purpose, and while the server or Postgres is killed. The
//! sums agree at the end.

use std::net::SocketAddr;
use std::path::Path;

use meterhouse_postgres::Server;
use meterhouse_tests::{Caller, eventually};
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use serde_json::Value;

use crate::program::{PROGRAM, ProgramOutput, Running, command, folder, run_on};

/// Hits, replays, reorderings and closed connections, on two links.
const FAULTS: &str = "load --commands 3000 --warm-up 0 --links 2 --tables 24 --hits-per-million 20000 \
     --repeat-percent 5 --reorder-percent 1 --cut-every 150";
/// A load of some seconds, independent of the machine's speed.
const STEADY: &str = "load --rate 1000 --commands 4000 --warm-up 0 --tables 24 --repeat-percent 5 \
     --hits-per-million 5000";
/// Number of a link's batches before a kill.
const BUSY: u64 = 100;

/// Reads the report for tools. Asserts that every check agrees.
fn report(ended: &ProgramOutput, file: &Path) -> Value {
    let report = std::fs::read_to_string(file).expect("a report");
    let report: Value = serde_json::from_str(&report).expect("JSON");
    let checks = report["checks"].as_array().expect("checks");
    assert!(checks.len() > 10, "{report}");
    for check in checks {
        assert_eq!(check["expected"], check["found"], "{report}");
        let what = check["what"].as_str().expect("what");
        let line = ended.stdout.lines().find(|line| line.contains(what));
        assert!(
            line.is_some_and(|line| line.starts_with("agrees ")),
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

/// Loads over streams, then over HTTP on the same tables, which continue after their last sequences. Replays get their
/// first outcome, later sequences get the expected one, closed connections are resumed, hits are settled, and sums agree.
#[tokio::test]
async fn faults_leave_no_difference_in_the_sums() {
    let (data, reports) = (folder(), folder());
    let file = reports.path().join("report.json");
    let mut wagers = 0;
    for transport in [
        &["--streams", "3", "--in-flight", "48"] as &[&str],
        &["--http", "--in-flight", "12"],
    ] {
        let words: Vec<&str> = FAULTS
            .split_whitespace()
            .chain(transport.iter().copied())
            .collect();
        let words = [&words[..], &["--report", file.to_str().expect("a path")]].concat();
        let ended = run_on(data.path(), &words).await.with_code(0);
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
    let verified = run_on(data.path(), &["verify"]).await.with_code(0);
    assert!(
        verified.stdout.contains("difference 0.00"),
        "{}",
        verified.stdout
    );
}

/// Returns the server's value in a check.
fn found(report: &Value, what: &str) -> u64 {
    let mut checks = report["checks"].as_array().into_iter().flatten();
    let check = checks.find(|check| check["what"] == what);
    let found = check.and_then(|check| check["found"].as_str()?.parse().ok());
    found.unwrap_or_else(|| panic!("no {what}: {report}"))
}

/// An impossible load is refused with a sentence.
#[tokio::test]
async fn impossible_loads_are_refused() {
    let data = folder();
    for (words, sentence) in [
        (
            "load --http --tables 3 --in-flight 4",
            "at least as many tables",
        ),
        ("load --url http://127.0.0.1:1", "gRPC address"),
        ("load --repeat-percent 101", "a percentage of faults"),
        ("load --prefix a_b", "is invalid: give"),
        (
            "load --report /nowhere/report.json",
            "could not write /nowhere/report.json",
        ),
    ] {
        let words: Vec<&str> = words.split(' ').collect();
        drop(
            run_on(data.path(), &words)
                .await
                .with_code(2)
                .with_error(sentence),
        );
    }
}

/// The addresses of a server.
#[derive(Copy, Clone)]
struct Ports {
    http: SocketAddr,
    grpc: SocketAddr,
}

fn address(url: &str) -> SocketAddr {
    let address = url
        .strip_prefix("http://")
        .and_then(|address| address.parse().ok());
    address.unwrap_or_else(|| panic!("no address: {url}"))
}

/// Starts a server on free ports.
async fn start(data: &Path) -> (Running, Ports) {
    let mut server = Running::start(data, &["serve"]);
    let http = address(&server.line_after("listening on ").await);
    let grpc = address(&server.line_after("gRPC on ").await);
    (server, Ports { http, grpc })
}

/// Starts a server on the ports of an ended server.
async fn restart(data: &Path, ports: Ports) -> Running {
    let mut program = command(PROGRAM);
    program
        .arg("serve")
        .args(["--listen", &ports.http.to_string()])
        .args(["--grpc-listen", &ports.grpc.to_string()])
        .arg("--data-dir")
        .arg(data);
    let mut server = Running::spawn(program);
    drop(server.line_after("gRPC on ").await);
    server
}

/// Returns the link's last batch, or `None` before the link is opened.
async fn sequence(ports: Ports) -> Option<u64> {
    let anonymous = Caller::nobody(format!("http://{}", ports.http));
    let meters = anonymous.get("/v1/links/load-1/meters").await;
    meters["batch"].as_u64()
}

/// Waits until the link is past this batch.
async fn wait_for_batch(ports: Ports, batch: u64) {
    eventually("the load is busy", async || {
        (sequence(ports).await > Some(batch)).then_some(())
    })
    .await;
}

/// Runs the load on a running server, concurrently with `killing`.
async fn load_during(
    data: &Path,
    ports: Ports,
    transport: &[&str],
    killing: impl Future<Output = Running>,
) -> (Running, Value) {
    let file = data.join("report.json");
    let (url, grpc) = (
        format!("http://{}", ports.http),
        format!("http://{}", ports.grpc),
    );
    let words: Vec<&str> = STEADY
        .split_whitespace()
        .chain(transport.iter().copied())
        .collect();
    let server = ["--url", &url, "--grpc-url", &grpc];
    let words = [
        &words[..],
        &server,
        &["--report", file.to_str().expect("a path")],
    ]
    .concat();
    let (ended, server) = tokio::join!(run_on(data, &words), killing);
    let report = report(&ended.with_code(0), &file);
    assert!(count(&report, "commands") >= 4_000, "{report}");
    (server, report)
}

/// The server is killed in the middle of a load, once over streams and once over HTTP. No command is lost or counted
/// twice.
#[tokio::test]
async fn a_load_survives_a_killed_server() {
    let data = folder();
    let (mut server, ports) = start(data.path()).await;
    let mut batches = 0;
    for transport in [
        &["--streams", "4"] as &[&str],
        &["--http", "--in-flight", "16"],
    ] {
        let killing = async {
            wait_for_batch(ports, batches + BUSY).await;
            assert_eq!(server.stop(Signal::SIGKILL).await.0, None);
            restart(data.path(), ports).await
        };
        let (again, report) = load_during(data.path(), ports, transport, killing).await;
        assert!(count(&report, "reconnects") > 0, "{report}");
        server = again;
        batches = sequence(ports).await.expect("an open link");
    }
    assert_eq!(server.stop(Signal::SIGTERM).await.0, Some(0));
    drop(run_on(data.path(), &["verify"]).await.with_code(0));
}

/// Postgres is killed in the middle of a load. The server restarts Postgres, and no command is lost or counted twice.
#[tokio::test]
async fn a_load_survives_a_killed_postgres() {
    let data = folder();
    let (server, ports) = start(data.path()).await;
    let killing = async {
        wait_for_batch(ports, BUSY).await;
        let postgres = Server::attach(data.path())
            .await
            .expect("a running Postgres");
        let killed = postgres.pid();
        kill(Pid::from_raw(killed), Signal::SIGKILL).expect("a signal");
        // The server restarts Postgres by itself.
        eventually("another Postgres runs", async || {
            let postgres = Server::attach(data.path()).await.ok()?;
            (postgres.pid() != killed).then_some(())
        })
        .await;
        server
    };
    let (server, _) = load_during(data.path(), ports, &["--streams", "4"], killing).await;
    assert_eq!(server.stop(Signal::SIGTERM).await.0, Some(0));
    drop(run_on(data.path(), &["verify"]).await.with_code(0));
}
