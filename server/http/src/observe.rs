//! What is observed of each request: its span, its time, and the line in the log.
//!
//! # Shape
//! The span continues the trace of the header `traceparent`. It is active while the request is handled, so that the
//! engine finds it. Log lines below it carry the request's id.

use std::sync::LazyLock;
use std::time::Instant;

use axum::extract::{MatchedPath, Request};
use axum::http::{HeaderMap, Method};
use axum::middleware::Next;
use axum::response::Response;
use opentelemetry::global::{self, BoxedTracer};
use opentelemetry::metrics::Histogram;
use opentelemetry::propagation::Extractor;
use opentelemetry::trace::{
    FutureExt as _, SpanBuilder, SpanKind, Status, TraceContextExt as _, Tracer as _,
};
use opentelemetry::{Context, KeyValue};
use tower_http::request_id::RequestId;
use tracing::Instrument as _;

/// Bounds of a request's time, in seconds, of the semantic conventions.
const SECONDS: [f64; 14] = [
    0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1.0, 2.5, 5.0, 7.5, 10.0,
];
/// Route of a path that there is not.
const NO_ROUTE: &str = "";

static TRACER: LazyLock<BoxedTracer> = LazyLock::new(|| global::tracer("meterhouse"));
static DURATION: LazyLock<Histogram<f64>> = LazyLock::new(|| {
    let meter = global::meter("meterhouse");
    let histogram = meter.f64_histogram("http.server.request.duration");
    histogram
        .with_unit("s")
        .with_description("Time of HTTP requests")
        .with_boundaries(SECONDS.to_vec())
        .build()
});

/// The headers of a request, as the propagator reads them.
struct Headers<'a>(&'a HeaderMap);

impl Extractor for Headers<'_> {
    fn get(&self, key: &str) -> Option<&str> {
        self.0.get(key)?.to_str().ok()
    }

    fn keys(&self) -> Vec<&str> {
        self.0.keys().map(axum::http::HeaderName::as_str).collect()
    }
}

/// Handles a request inside its span, and records it.
pub(crate) async fn observe(request: Request, next: Next) -> Response {
    let started = Instant::now();
    let id = request.extensions().get::<RequestId>().cloned();
    let id = id.as_ref().and_then(|id| id.header_value().to_str().ok());
    let method = request.method().clone();
    let path = request.uri().path().to_owned();
    let route = request.extensions().get::<MatchedPath>().cloned();
    let route = route.as_ref().map_or(NO_ROUTE, MatchedPath::as_str);
    let context = begin(request.headers(), &method, route, &path);
    let log = tracing::info_span!("request", request.id = id);
    let handled = next.run(request).with_context(context.clone());
    let response = handled.instrument(log).await;
    let status = response.status();
    let code = KeyValue::new("http.response.status_code", i64::from(status.as_u16()));
    let span = context.span();
    span.set_attribute(code.clone());
    if status.is_server_error() {
        span.set_status(Status::error(""));
        tracing::warn!(request.id = id, %method, path, http.status = status.as_u16(), "no answer");
    } else {
        tracing::debug!(request.id = id, %method, path, http.status = status.as_u16(), "answered");
    }
    span.end();
    let labels = [
        KeyValue::new("http.request.method", method.as_str().to_owned()),
        KeyValue::new("http.route", route.to_owned()),
        code,
    ];
    DURATION.record(started.elapsed().as_secs_f64(), &labels);
    response
}

/// Begins the span of a request, below the caller's if it sent one.
fn begin(headers: &HeaderMap, method: &Method, route: &str, path: &str) -> Context {
    let parent = global::get_text_map_propagator(|propagator| {
        propagator.extract_with_context(&Context::new(), &Headers(headers))
    });
    let builder = SpanBuilder::from_name(format!("{method} {route}"))
        .with_kind(SpanKind::Server)
        .with_attributes([
            KeyValue::new("http.request.method", method.as_str().to_owned()),
            KeyValue::new("http.route", route.to_owned()),
            KeyValue::new("url.path", path.to_owned()),
        ]);
    let span = TRACER.build_with_context(builder, &parent);
    parent.with_span(span)
}
