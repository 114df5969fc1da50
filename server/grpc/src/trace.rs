//! The span of a table's command, below the controller's.

use std::sync::LazyLock;

use opentelemetry::global::{self, BoxedTracer};
use opentelemetry::propagation::Extractor;
use opentelemetry::trace::{SpanBuilder, SpanKind, TraceContextExt as _, Tracer as _};
use opentelemetry::{Context, KeyValue};

/// Name of the header that a command carries.
const TRACEPARENT: &str = "traceparent";

static TRACER: LazyLock<BoxedTracer> = LazyLock::new(|| global::tracer("meterhouse"));

/// The trace of a command, as the propagator reads it.
struct Traceparent<'a>(&'a str);

impl Extractor for Traceparent<'_> {
    fn get(&self, key: &str) -> Option<&str> {
        (key == TRACEPARENT).then_some(self.0)
    }

    fn keys(&self) -> Vec<&str> {
        vec![TRACEPARENT]
    }
}

/// Begins the span of a command that carries a trace. It ends when the context is dropped.
pub(crate) fn begin(traceparent: &str, table: &str, sequence: u64) -> Option<Context> {
    if traceparent.is_empty() {
        return None;
    }
    let parent = global::get_text_map_propagator(|propagator| {
        propagator.extract_with_context(&Context::new(), &Traceparent(traceparent))
    });
    let builder = SpanBuilder::from_name("command")
        .with_kind(SpanKind::Server)
        .with_attributes([
            KeyValue::new("meterhouse.table", table.to_owned()),
            KeyValue::new(
                "meterhouse.sequence",
                i64::try_from(sequence).unwrap_or(i64::MAX),
            ),
        ]);
    let span = TRACER.build_with_context(builder, &parent);
    Some(parent.with_span(span))
}
