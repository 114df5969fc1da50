//! A collector that is gone, or gives no answer, stops neither play nor the end of the server.

use std::net::{SocketAddr, TcpListener};

use meterhouse_tests::{eventually, in_time};
use nix::sys::signal::Signal;

use super::Watched;
use super::collector::Mortal;
use crate::serve::open_table;

/// A short queue, of which every span is a part.
pub(super) const SHORT: [(&str, &str); 5] = [
    ("OTEL_TRACES_SAMPLER", "always_on"),
    ("OTEL_BSP_MAX_QUEUE_SIZE", "8"),
    ("OTEL_BSP_MAX_EXPORT_BATCH_SIZE", "4"),
    ("OTEL_BSP_SCHEDULE_DELAY", "50"),
    ("OTEL_METRIC_EXPORT_INTERVAL", "100"),
];
/// Ten minutes, in milliseconds: longer than the tests wait for the server's end.
const LONG: &str = "600000";

/// Returns the number of items of a signal that were dropped.
pub(super) fn dropped(page: &str, signal: &str) -> u64 {
    let label = format!("signal=\"{signal}\"");
    let mut lines = page.lines();
    let line = lines.find(|line| {
        line.starts_with("meterhouse_telemetry_dropped_total{") && line.contains(&label)
    });
    let value = line.and_then(|line| line.rsplit(' ').next());
    value
        .unwrap_or_else(|| panic!("no {signal}\n{page}"))
        .parse()
        .expect("a number")
}

/// Returns a server that exports to this address.
async fn exporting(at: SocketAddr, others: &[(&str, &str)]) -> Watched {
    let endpoint = format!("http://{at}");
    let own = [("OTEL_EXPORTER_OTLP_ENDPOINT", endpoint.as_str())];
    Watched::start(&[&own, &SHORT[..], others].concat()).await
}

/// A collector that refuses: play goes on, and what it refuses is counted.
#[tokio::test]
async fn a_collector_that_refuses() {
    // No process listens on port 1.
    let at = "127.0.0.1:1".parse().expect("an address");
    let server = exporting(at, &[]).await;
    let (_, dealer) = open_table(&server.data, &server.anonymous).await;
    drop(dealer.coin_in(&[1]).await.created());
    for signal in ["traces", "metrics", "logs"] {
        eventually("the loss is counted", async || {
            (dropped(&server.page().await, signal) > 0).then_some(())
        })
        .await;
    }
    let (code, _) = server.running.stop(Signal::SIGTERM).await;
    assert_eq!(code, Some(0));
}

/// A collector that accepts and never answers, with exports that would wait for ten minutes.
#[tokio::test]
async fn a_collector_that_stalls() {
    for protocol in ["http/protobuf", "grpc"] {
        let stalled = TcpListener::bind("127.0.0.1:0").expect("a port");
        let at = stalled.local_addr().expect("an address");
        // The system accepts for the listener, which never looks.
        let others = [
            ("OTEL_EXPORTER_OTLP_PROTOCOL", protocol),
            ("OTEL_EXPORTER_OTLP_TIMEOUT", LONG),
        ];
        let server = exporting(at, &others).await;
        let (_, dealer) = open_table(&server.data, &server.anonymous).await;
        eventually("the queue is full", async || {
            drop(server.anonymous.get("/v1/links").await.is(200));
            (dropped(&server.page().await, "traces") > 0).then_some(())
        })
        .await;
        let played = in_time("an answer", dealer.coin_in(&[1])).await;
        drop(played.created());
        let (code, _) = server.running.stop(Signal::SIGTERM).await;
        assert_eq!(code, Some(0), "{protocol}");
        drop(stalled);
    }
}

/// A collector that worked, vanished and came back gets new spans, metrics and logs.
#[tokio::test]
async fn a_collector_that_vanishes_and_returns() {
    let free = TcpListener::bind("127.0.0.1:0").expect("a port");
    let at = free.local_addr().expect("an address");
    drop(free);
    let first = Mortal::start(at);
    let others = [
        ("OTEL_EXPORTER_OTLP_PROTOCOL", "grpc"),
        ("OTEL_EXPORTER_OTLP_TIMEOUT", "1000"),
    ];
    let server = exporting(at, &others).await;
    let (_, dealer) = open_table(&server.data, &server.anonymous).await;
    let received = async |mortal: &Mortal| {
        let collector = &mortal.collector;
        eventually("spans and metrics", async || {
            drop(server.anonymous.get("/v1/links").await.is(200));
            let is_there = collector.has_spans() && collector.has_metric("meterhouse.commands");
            is_there.then_some(())
        })
        .await;
    };
    received(&first).await;
    first.vanish();
    eventually("the loss is counted", async || {
        drop(server.anonymous.get("/v1/links").await.is(200));
        (dropped(&server.page().await, "traces") > 0).then_some(())
    })
    .await;
    drop(dealer.coin_in(&[1]).await.created());
    let second = Mortal::start(at);
    received(&second).await;
    let (code, _) = server.running.stop(Signal::SIGTERM).await;
    assert_eq!(code, Some(0));
    second.vanish();
}
