//! Traces from a command to its batch, its statement and the feed.
//!
//! # Shape
//! A caller's span is the active one of OpenTelemetry's context. If it is sampled, the command carries it to the
//! committer. A batch with such a command has a span below that of the first of them, with a link to each other. The
//! statement and the feed's message are spans below the batch's.
//!
//! # Limits
//! A command that is not sampled costs a look at the active context, and a batch a look at each of its commands.
//! [`TRACED_BATCHES_MAX`] batches wait for the feed, of which older ones are forgotten.

use std::collections::VecDeque;
use std::sync::{LazyLock, Mutex, PoisonError};

use meterhouse_domain::ids::LinkId;
use opentelemetry::global::BoxedTracer;
use opentelemetry::trace::{
    Link, SpanBuilder, SpanContext, SpanKind, TraceContextExt as _, Tracer as _,
};
use opentelemetry::{Context, KeyValue};

/// Maximum number of batches that wait for the feed.
const TRACED_BATCHES_MAX: usize = 256;

static TRACER: LazyLock<BoxedTracer> =
    LazyLock::new(|| opentelemetry::global::tracer("meterhouse"));

/// The batches that the feed has not published yet.
static TRACED: Mutex<VecDeque<(LinkId, u64, SpanContext)>> = Mutex::new(VecDeque::new());

/// The span of a command's caller, if it is sampled.
pub(crate) type CallerSpan = Option<Box<SpanContext>>;

/// Returns the active span of the caller, if it is sampled.
pub(crate) fn caller() -> CallerSpan {
    Context::map_current(|context| {
        if !context.has_active_span() {
            return None;
        }
        let span = context.span();
        let context = span.span_context();
        context.is_sampled().then(|| Box::new(context.clone()))
    })
}

/// The span of a batch, if one of its commands is traced.
pub(crate) struct BatchSpan(Option<Context>);

impl BatchSpan {
    /// Begins the span of a batch with so many requests, below its traced callers.
    pub(crate) fn begin<'a>(
        link: LinkId,
        requests: usize,
        mut callers: impl Iterator<Item = &'a SpanContext>,
    ) -> Self {
        let Some(first) = callers.next() else {
            return Self(None);
        };
        let links = callers.map(|caller| Link::new(caller.clone(), Vec::new(), 0));
        let builder = SpanBuilder::from_name("batch")
            .with_kind(SpanKind::Internal)
            .with_links(links.collect())
            .with_attributes([
                KeyValue::new("meterhouse.link", i64::from(link.0)),
                KeyValue::new(
                    "meterhouse.commands",
                    i64::try_from(requests).unwrap_or(i64::MAX),
                ),
            ]);
        let parent = Context::new().with_remote_span_context(first.clone());
        let span = TRACER.build_with_context(builder, &parent);
        Self(Some(parent.with_span(span)))
    }

    /// Returns no span.
    pub(crate) const fn none() -> Self {
        Self(None)
    }

    /// Begins the span of the statement that commits this batch.
    pub(crate) fn statement(&self) -> StatementSpan {
        let context = self.0.as_ref().map(|batch| {
            let builder = SpanBuilder::from_name("commit")
                .with_kind(SpanKind::Client)
                .with_attributes([
                    KeyValue::new("db.system.name", "postgresql"),
                    KeyValue::new("db.operation.name", "commit"),
                ]);
            let span = TRACER.build_with_context(builder, batch);
            batch.with_span(span)
        });
        StatementSpan(context)
    }

    /// Ends the span of a committed batch, and leaves it for the feed.
    pub(crate) fn committed(self, link: LinkId, batch: u64) {
        let Some(context) = self.0 else { return };
        let span = context.span();
        let number = i64::try_from(batch).unwrap_or(i64::MAX);
        span.set_attribute(KeyValue::new("meterhouse.batch", number));
        let mut traced = TRACED.lock().unwrap_or_else(PoisonError::into_inner);
        if traced.len() == TRACED_BATCHES_MAX {
            traced.pop_front();
        }
        traced.push_back((link, batch, span.span_context().clone()));
        drop(traced);
        span.end();
    }
}

/// The span of a statement.
pub(crate) struct StatementSpan(Option<Context>);

impl StatementSpan {
    /// Ends the span.
    pub(crate) fn end(self) {
        if let Some(context) = self.0 {
            context.span().end();
        }
    }
}

/// Records that the feed has published a link up to this batch.
pub(crate) fn published(link: LinkId, batch: u64) {
    let mut traced = TRACED.lock().unwrap_or_else(PoisonError::into_inner);
    if traced.is_empty() {
        return;
    }
    traced.retain(|(of, number, context)| {
        let is_published = *of == link && *number <= batch;
        if is_published {
            let parent = Context::new().with_remote_span_context(context.clone());
            let builder = SpanBuilder::from_name("publish").with_kind(SpanKind::Producer);
            drop(TRACER.build_with_context(builder, &parent));
        }
        !is_published
    });
}
