//! Metrics, traces and logs, as Prometheus and a collector receive them.

mod collector;
mod encrypted;
mod outages;
mod scrapers;

use std::collections::BTreeSet;
use std::net::SocketAddr;

use meterhouse_client::{Controller, Options};
use meterhouse_tests::client::coin_in;
use meterhouse_tests::{Caller, Feed, eventually, in_time};
use opentelemetry_proto::tonic::trace::v1::Span;
use reqwest::Method;
use tempfile::TempDir;

use self::collector::Collector;
use crate::program::{Running, folder, serve_command};
use crate::serve::open_table;

/// Traces of the tests, as controllers begin them.
const OVER_HTTP: &str = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
const OVER_STREAM: &str = "00-1bf7651916cd43dd8448eb211c80319d-b7ad6b7169203332-01";
/// The table of metrics in the documents.
const PAGE: &str = include_str!("../../docs/operating/telemetry.md");

/// A server whose metrics are served.
struct Watched {
    data: TempDir,
    running: Running,
    anonymous: Caller,
    http: SocketAddr,
    grpc: String,
    /// Address of the metrics.
    at: String,
    metrics: Caller,
}

impl Watched {
    /// Starts a server with these variables.
    async fn start(variables: &[(&str, &str)]) -> Self {
        let data = folder();
        let mut program = serve_command();
        program
            .args(["--metrics-listen", "127.0.0.1:0", "--data-dir"])
            .arg(data.path())
            .envs(variables.iter().copied());
        let mut running = Running::spawn(program);
        let base = running.line_after("listening on ").await;
        let http = base.strip_prefix("http://").expect("an address");
        let http = http.parse().expect("an address");
        let anonymous = Caller::nobody(base);
        let grpc = running.line_after("gRPC on ").await;
        let metrics = running.line_after("metrics on ").await;
        let metrics = metrics.trim_end_matches("/metrics").to_owned();
        let at = metrics.trim_start_matches("http://").to_owned();
        Self {
            data,
            running,
            anonymous,
            http,
            grpc,
            at,
            metrics: Caller::nobody(metrics),
        }
    }

    /// Returns the page of metrics.
    async fn page(&self) -> String {
        self.metrics.get("/metrics").await.is(200).text
    }
}

/// Returns the 16 bytes of a trace's id.
fn trace_id(traceparent: &str) -> Vec<u8> {
    let hexadecimal = traceparent.split('-').nth(1).expect("an id");
    hex::decode(hexadecimal).expect("hexadecimal")
}

/// Asserts that a span is below another one.
fn assert_below(spans: &[Span], child: &str, parent: &str) {
    let named = |name: &str| {
        let found = spans.iter().find(|span| span.name.starts_with(name));
        found.unwrap_or_else(|| panic!("no span {name}"))
    };
    assert_eq!(
        named(child).parent_span_id,
        named(parent).span_id,
        "{child} is not below {parent}"
    );
}

/// A command's trace goes through HTTP or the stream to the batch, the statement and the feed.
#[tokio::test]
async fn one_trace_from_the_controller_to_the_feed() {
    let (collector, address) = Collector::start().await;
    let endpoint = format!("http://{address}");
    let server = Watched::start(&[
        ("OTEL_EXPORTER_OTLP_ENDPOINT", &endpoint),
        ("OTEL_EXPORTER_OTLP_PROTOCOL", "grpc"),
        ("OTEL_BSP_SCHEDULE_DELAY", "100"),
        ("OTEL_METRIC_EXPORT_INTERVAL", "200"),
    ])
    .await;
    let (_, dealer) = open_table(&server.data, &server.anonymous).await;
    let mut feed = Feed::open(server.http, "main", None).await;
    drop(in_time("a snapshot", feed.next()).await);
    let headers = [
        ("content-type", "application/json"),
        ("traceparent", OVER_HTTP),
    ];
    let body = coin_in(&[1]).to_string().into_bytes();
    let sent = dealer
        .caller
        .send(Method::PUT, "/v1/tables/T1/commands/1", &headers, body);
    drop(sent.await.created());
    let spans = eventually("the spans of the command over HTTP", async || {
        let spans = collector.spans(&trace_id(OVER_HTTP));
        let names: BTreeSet<&str> = spans.iter().map(|span| span.name.as_str()).collect();
        (names.contains("publish") && names.contains("batch") && spans.len() == 4).then_some(spans)
    })
    .await;
    assert_below(
        &spans,
        "batch",
        "PUT /v1/tables/{table}/commands/{sequence}",
    );
    assert_below(&spans, "commit", "batch");
    assert_below(&spans, "publish", "batch");

    let outbox = server.data.path().join("T1.outbox");
    let table = "T1".parse().expect("a name");
    let options = Options::new(server.grpc.as_str(), table, dealer.caller.token(), outbox);
    let (controller, _outcomes) = Controller::open(options).await.expect("it opens");
    drop(
        in_time("online", controller.online())
            .await
            .expect("online"),
    );
    let close = meterhouse_client::Command::from(meterhouse_client::Close);
    let receipt = controller
        .send(close.traced(OVER_STREAM))
        .await
        .expect("stored");
    drop(
        in_time("the outcome", receipt.outcome())
            .await
            .expect("an outcome"),
    );
    let spans = eventually("the spans of the command of the stream", async || {
        let spans = collector.spans(&trace_id(OVER_STREAM));
        (spans.len() == 4).then_some(spans)
    })
    .await;
    assert_below(&spans, "batch", "command");
    assert_below(&spans, "commit", "batch");
    eventually("metrics and logs", async || {
        let has_logs = collector.has_log("this program starts");
        (has_logs && collector.has_metric("meterhouse.commands")).then_some(())
    })
    .await;
}

/// Each metric that the documents name is served, and each served one is named.
#[tokio::test]
async fn the_metrics_are_those_of_the_documents() {
    let server = Watched::start(&[]).await;
    let (_, dealer) = open_table(&server.data, &server.anonymous).await;
    let mut feed = Feed::open(server.http, "main", None).await;
    drop(dealer.coin_in(&[1, 3]).await.created());
    feed.until("the amounts are sent", |messages| {
        messages.iter().any(|message| message["type"] == "meters")
    })
    .await;
    drop(dealer.coin_in(&[1, 3]).await.is(422));
    drop(server.anonymous.get("/v1/tables").await.is(401));
    let page = eventually("the levels are measured", async || {
        let page = server.page().await;
        page.contains("meterhouse_level_amount").then_some(page)
    })
    .await;
    for line in [
        r#"meterhouse_commands_total{answer="accepted",command="coin_in","#,
        r#"meterhouse_commands_total{answer="refused",command="coin_in","#,
        r#"meterhouse_refusals_total{code="round_open","#,
        r#"meterhouse_errors_total{code="unauthenticated","#,
        r#"meterhouse_level_amount{level="mega",link="main","#,
        r#"meterhouse_books_batches{link="main",state="summed","#,
        r#"meterhouse_books_checked_age_seconds{link="main","#,
        r#"meterhouse_telemetry_dropped_total{signal="traces","#,
    ] {
        assert!(page.contains(line), "no {line}\n{page}");
    }
    let types = page.lines().filter_map(|line| line.strip_prefix("# TYPE "));
    let all = types.filter_map(|line| line.split(' ').next());
    let own = |name: &&str| name.starts_with("meterhouse_") || name.starts_with("http_");
    let on_page: BTreeSet<&str> = all.filter(own).collect();
    let table = PAGE.split_once("<!-- metrics -->").expect("the table").1;
    let table = table.split_once("\n\n").map_or(table, |(_, rest)| rest);
    let rows = table
        .lines()
        .skip(2)
        .take_while(|line| line.starts_with('|'));
    let cells = rows.filter_map(|row| row.split('`').nth(1));
    let in_table: BTreeSet<&str> = cells.collect();
    // These appear with the first event of their kind, with a standby, with a witness, or with notices.
    let rare = [
        "meterhouse_pushes_total",
        "meterhouse_witness_contradictions_total",
        "meterhouse_witness_failures_total",
        "meterhouse_witness_unsent",
        "meterhouse_commit_retries_total",
        "meterhouse_commit_unknown_total",
        "meterhouse_display_resets_total",
        "meterhouse_database_standby_lag_bytes",
    ];
    let rare = BTreeSet::from(rare);
    let missing: Vec<_> = in_table
        .difference(&on_page)
        .filter(|name| !rare.contains(*name))
        .collect();
    let unnamed: Vec<_> = on_page.difference(&in_table).collect();
    assert!(
        missing.is_empty() && unnamed.is_empty(),
        "{missing:?} {unnamed:?}\n{page}"
    );
    let (code, _) = server.running.stop(nix::sys::signal::Signal::SIGTERM).await;
    assert_eq!(code, Some(0));
}
