//! What is observed of each request: its span, its time, and the line in the log.
//!
//! # Shape
//! The span continues the trace of the header `traceparent`. It is active while the request is handled, so that the
//! engine finds it. Log lines below it carry the request's id.

use std::borrow::Cow;
use std::pin::Pin;
use std::sync::LazyLock;
use std::time::Instant;

use axum::extract::MatchedPath;
use axum::http::{HeaderMap, HeaderValue, Method, Request, StatusCode, Uri};
use axum::response::Response;
use opentelemetry::global::{self, BoxedTracer};
use opentelemetry::metrics::Histogram;
use opentelemetry::propagation::Extractor;
use opentelemetry::trace::{
    FutureExt as _, SpanBuilder, SpanKind, Status, TraceContextExt as _, Tracer as _,
};
use opentelemetry::{Context, KeyValue, StringValue};
use tracing::Instrument as _;

/// Bounds of a request's time, in seconds, of the semantic conventions.
const SECONDS: [f64; 14] = [
    0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1.0, 2.5, 5.0, 7.5, 10.0,
];

/// The route of a table's commands.
const COMMAND: &str = "/v1/tables/{table}/commands/{sequence}";
/// The name of a command's span.
const PUT_COMMAND: &str = "PUT /v1/tables/{table}/commands/{sequence}";

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

/// A request that is being handled: its span, its time and what the log says of it.
pub(crate) struct Observed {
    started: Instant,
    method: Method,
    route: Route,
    uri: Uri,
    context: Context,
}

/// The route of a request, for its span and its time.
#[derive(Clone)]
pub(crate) enum Route {
    /// A path that there is not.
    None,
    /// Route that the router found.
    Matched(MatchedPath),
    /// The one of commands, which is known beforehand.
    Command,
}

impl Route {
    pub(crate) fn as_str(&self) -> &str {
        match self {
            Self::None => "",
            Self::Matched(path) => path.as_str(),
            Self::Command => COMMAND,
        }
    }

    /// Returns the name of a request's span.
    fn name(&self, method: &Method) -> Cow<'static, str> {
        match self {
            Self::Command => PUT_COMMAND.into(),
            Self::None | Self::Matched(_) => format!("{method} {}", self.as_str()).into(),
        }
    }

    fn label(&self) -> StringValue {
        match self {
            Self::None => "".into(),
            Self::Matched(path) => path.as_str().to_owned().into(),
            Self::Command => COMMAND.into(),
        }
    }
}

impl Observed {
    /// Begins the span of a request, below the caller's if it sent one.
    pub(crate) fn begin<B>(request: &Request<B>, route: Route) -> Self {
        let started = Instant::now();
        let (method, path) = (request.method(), request.uri().path());
        let parent = global::get_text_map_propagator(|propagator| {
            propagator.extract_with_context(&Context::new(), &Headers(request.headers()))
        });
        let builder = SpanBuilder::from_name(route.name(method))
            .with_kind(SpanKind::Server)
            .with_attributes([
                KeyValue::new("http.request.method", label(method)),
                KeyValue::new("http.route", route.label()),
                KeyValue::new("url.path", path.to_owned()),
            ]);
        let span = TRACER.build_with_context(builder, &parent);
        Self {
            started,
            method: method.clone(),
            route,
            uri: request.uri().clone(),
            context: parent.with_span(span),
        }
    }

    /// Handles the request inside its span, and records it.
    pub(crate) async fn handled(
        self,
        id: &HeaderValue,
        handling: Pin<&mut impl Future<Output = Response>>,
    ) -> Response {
        let id = id.to_str().ok();
        let log = tracing::info_span!("request", request.id = id);
        let response = handling
            .with_context(self.context.clone())
            .instrument(log)
            .await;
        self.end(id, response.status());
        response
    }

    fn end(&self, id: Option<&str>, status: StatusCode) {
        let (method, path) = (&self.method, self.uri.path());
        let code = KeyValue::new("http.response.status_code", i64::from(status.as_u16()));
        let span = self.context.span();
        span.set_attribute(code.clone());
        if status.is_server_error() {
            span.set_status(Status::error(""));
            tracing::warn!(request.id = id, %method, path, http.status = status.as_u16(), "no answer");
        } else {
            tracing::debug!(request.id = id, %method, path, http.status = status.as_u16(), "answered");
        }
        span.end();
        let labels = [
            KeyValue::new("http.request.method", label(method)),
            KeyValue::new("http.route", self.route.label()),
            code,
        ];
        DURATION.record(self.started.elapsed().as_secs_f64(), &labels);
    }
}

/// Returns the label of a method.
fn label(method: &Method) -> StringValue {
    match *method {
        Method::GET => "GET".into(),
        Method::PUT => "PUT".into(),
        Method::POST => "POST".into(),
        Method::DELETE => "DELETE".into(),
        _ => method.as_str().to_owned().into(),
    }
}
