//! A collector that is gone costs a limited memory and no time.

use std::fs;
use std::net::{SocketAddr, TcpListener};
use std::sync::Mutex;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::Instant;

use opentelemetry::trace::{Span as _, Tracer as _, TracerProvider as _};
use opentelemetry_otlp::{SpanExporter as Otlp, WithExportConfig as _};
use opentelemetry_sdk::error::OTelSdkError;
use opentelemetry_sdk::trace::{BatchConfigBuilder, BatchSpanProcessor, SdkTracerProvider};

use super::*;

/// Spans that a day without the collector offers in the test.
const OFFERED: u64 = 300_000;
/// Bytes by which the process may grow meanwhile: a tenth of what all these spans would take.
const GROWTH_MAX: u64 = 32 << 20;
/// Longest time for one span, on a busy machine.
const SPAN_MAX: Duration = Duration::from_millis(1);
/// Bound of a stop in the tests.
const STOP: Duration = Duration::from_millis(100);
/// Longer than any test.
const NEVER: Duration = Duration::from_hours(1);
/// Maximum wait for a step of another thread.
const PATIENCE: Duration = Duration::from_mins(1);

/// Returns the bytes of memory that this process uses.
fn memory() -> u64 {
    let status = fs::read_to_string("/proc/self/status").expect("the process");
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    let words = line.expect("a line").split_whitespace().next();
    words.expect("a number").parse::<u64>().expect("a number") * 1_024
}

/// Accepts connections and answers nothing.
fn stalled() -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let at = listener.local_addr().expect("an address");
    std::thread::spawn(move || {
        let mut held = Vec::new();
        for stream in listener.incoming() {
            held.push(stream);
        }
    });
    at
}

fn provider<E: SpanExporter + 'static>(backlog: &Arc<Backlog>, exporter: E) -> SdkTracerProvider {
    let exporter = Delivering {
        backlog: Arc::clone(backlog),
        exporter,
    };
    // Exports begin with a full batch, a flush or the end, and not by the time.
    let config = BatchConfigBuilder::default().with_scheduled_delay(NEVER);
    let next = BatchSpanProcessor::builder(exporter).with_batch_config(config.build());
    let processor = Admitting {
        backlog: Arc::clone(backlog),
        next: next.build(),
    };
    SdkTracerProvider::builder()
        .with_span_processor(processor)
        .build()
}

/// Ends this many spans.
fn offer(provider: &SdkTracerProvider, spans: u64) {
    let tracer = provider.tracer("test");
    for _ in 0..spans {
        let mut span = tracer.start("batch");
        for key in ["link", "batch", "node", "commands"] {
            span.set_attribute(opentelemetry::KeyValue::new(
                key,
                format!("{key} of a span"),
            ));
        }
        span.end();
    }
}

/// A collector that accepts and never answers: all spans but the queue's are dropped and counted, memory is bounded,
/// nothing waits, and the end neither.
#[test]
fn a_day_without_the_collector_costs_a_queue() {
    meterhouse_tls::install_provider();
    let backlog = Backlog::with_limit("traces", QUEUE_MAX);
    let exporter = Otlp::builder()
        .with_http()
        .with_endpoint(format!("http://{}/v1/traces", stalled()))
        .with_timeout(NEVER)
        .build()
        .expect("an exporter");
    let provider = provider(&backlog, exporter);
    // The queue and the allocator have their size before the memory is measured.
    offer(&provider, 2 * QUEUE_MAX as u64);
    let (before, began) = (memory(), Instant::now());
    offer(&provider, OFFERED);
    let (took, after) = (began.elapsed(), memory());
    assert_eq!(backlog.dropped(), OFFERED + QUEUE_MAX as u64);
    let most = SPAN_MAX * u32::try_from(OFFERED).expect("a number");
    assert!(took < most, "{took:?} for {OFFERED} spans");
    let growth = after.saturating_sub(before);
    assert!(growth < GROWTH_MAX, "{growth} bytes more");
    let began = Instant::now();
    provider
        .shutdown_with_timeout(STOP)
        .expect_err("a stalled export");
    assert!(
        began.elapsed() < PATIENCE,
        "the end waits for the collector"
    );
}

/// An exporter whose exports end when the test says so.
#[derive(Debug)]
struct Scripted {
    results: Mutex<Receiver<OTelSdkResult>>,
    exported: Sender<usize>,
}

impl SpanExporter for Scripted {
    async fn export(&self, batch: Vec<SpanData>) -> OTelSdkResult {
        self.exported.send(batch.len()).expect("the test goes on");
        let results = self.results.lock().expect("no panic");
        results.recv_timeout(PATIENCE).expect("a result in time")
    }
}

/// What waits is bounded, a failed export is counted, and after the collector's return everything is taken again.
#[test]
fn a_collector_that_returns_gets_what_is_new() {
    let (script, results) = channel();
    let (exported, exports) = channel();
    let backlog = Backlog::with_limit("traces", 8);
    let scripted = Scripted {
        results: Mutex::new(results),
        exported,
    };
    let provider = provider(&backlog, scripted);
    let next = || exports.recv_timeout(PATIENCE).expect("an export in time");
    let flush = |spans: u64, result: OTelSdkResult| {
        offer(&provider, spans);
        script.send(result).expect("the exporter goes on");
        let flushed = provider.force_flush();
        (next(), flushed.is_ok(), backlog.dropped())
    };
    assert_eq!(flush(5, Ok(())), (5, true, 0));
    let gone = || Err(OTelSdkError::InternalFailure("refused".to_owned()));
    // Eight of eleven fit, and all eight are lost with their export.
    assert_eq!(flush(11, gone()), (8, false, 11));
    assert!(backlog.is_losing.load(Ordering::Acquire));
    assert_eq!(flush(3, Ok(())), (3, true, 11));
    assert!(!backlog.is_losing.load(Ordering::Acquire));
    assert_eq!(backlog.waiting.load(Ordering::Acquire), 0);
    script.send(Ok(())).expect("the exporter goes on");
    provider.shutdown().expect("it ends");
}

/// A line is logged when the first item is dropped and when the collector is back, and not at each drop. A slow
/// collector that leaves the queue full has not returned.
#[test]
fn a_loss_is_logged_once() {
    let lines = Lines::default();
    let _logged = tracing::subscriber::set_default(
        tracing_subscriber::fmt()
            .with_ansi(false)
            .with_writer(lines.clone())
            .finish(),
    );
    let backlog = Backlog::with_limit("logs", 4);
    let admitted = |count: usize| (0..count).filter(|_| backlog.admit()).count();
    assert_eq!(admitted(10), 4);
    assert!(backlog.take(1, Ok(())).is_ok());
    assert_eq!(admitted(10), 1);
    let text = lines.text();
    assert_eq!(text.matches("does not take").count(), 1, "{text}");
    assert!(
        text.contains("signal=\"logs\" why=the queue is full"),
        "{text}"
    );
    assert_eq!(
        text.matches("takes what is sent again").count(),
        0,
        "{text}"
    );
    assert!(backlog.take(3, Ok(())).is_ok());
    let text = lines.text();
    assert!(text.contains("takes what is sent again"), "{text}");
    assert!(text.contains("dropped=15"), "{text}");
}

/// The lines of a log.
#[derive(Clone, Default)]
struct Lines(Arc<Mutex<Vec<u8>>>);

impl Lines {
    fn text(&self) -> String {
        let lines = self.0.lock().expect("no panic");
        String::from_utf8_lossy(&lines).into_owned()
    }
}

impl std::io::Write for Lines {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().expect("no panic").extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

impl tracing_subscriber::fmt::MakeWriter<'_> for Lines {
    type Writer = Self;

    fn make_writer(&self) -> Self {
        self.clone()
    }
}
