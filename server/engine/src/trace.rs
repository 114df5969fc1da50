//! Traces from a command to its batch, its statement and the feed.
//!
//! # Shape
//! A caller's span is the active one of OpenTelemetry's context. If it is sampled, the command carries it to the
//! committer. A batch with such a command has a span below that of the first of them, with a link to each other, also of
//! those that came while the batch waited. The statement and the feed's message are spans below the batch's.
//!
//! # Limits
//! A command that is not sampled costs a look at the active context, and a batch a look at each of its commands.
//! [`TRACED_BATCHES_MAX`] batches wait for the feed, of which older ones are forgotten.

use std::collections::VecDeque;
use std::sync::{LazyLock, Mutex, PoisonError};
use std::time::Duration;

use meterhouse_domain::ids::LinkId;
use opentelemetry::global::BoxedTracer;
use opentelemetry::trace::{SpanBuilder, SpanContext, SpanKind, TraceContextExt as _, Tracer as _};
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
pub(crate) struct BatchSpan {
    link: LinkId,
    context: Option<Context>,
}

impl BatchSpan {
    /// Begins the span of a batch, below its traced callers.
    pub(crate) fn begin<'a>(link: LinkId, callers: impl Iterator<Item = &'a SpanContext>) -> Self {
        let mut span = Self::none(link);
        span.add(callers);
        span
    }

    /// Returns no span.
    pub(crate) const fn none(link: LinkId) -> Self {
        Self {
            link,
            context: None,
        }
    }

    /// Links the span to more traced callers. Begins it below the first of them if the batch had none.
    pub(crate) fn add<'a>(&mut self, mut callers: impl Iterator<Item = &'a SpanContext>) {
        let Some(first) = callers.next() else { return };
        let added = first.clone();
        let context = match &self.context {
            Some(context) => {
                context.span().add_link(added, Vec::new());
                context
            }
            None => self.context.insert(self.begin_below(added)),
        };
        for caller in callers {
            context.span().add_link(caller.clone(), Vec::new());
        }
    }

    fn begin_below(&self, caller: SpanContext) -> Context {
        let link = KeyValue::new("meterhouse.link", i64::from(self.link.0));
        let builder = SpanBuilder::from_name("batch")
            .with_kind(SpanKind::Internal)
            .with_attributes([link]);
        let parent = Context::new().with_remote_span_context(caller);
        let span = TRACER.build_with_context(builder, &parent);
        parent.with_span(span)
    }

    /// Records the span of the statement that was to commit this batch, which took this long until now.
    pub(crate) fn record_statement(&self, took: Duration) {
        let Some(batch) = &self.context else { return };
        let builder = SpanBuilder::from_name("commit")
            .with_kind(SpanKind::Client)
            .with_start_time(opentelemetry::time::now() - took)
            .with_attributes([
                KeyValue::new("db.system.name", "postgresql"),
                KeyValue::new("db.operation.name", "commit"),
            ]);
        drop(TRACER.build_with_context(builder, batch));
    }

    /// Ends the span of a committed batch of so many requests, and leaves it for the feed.
    pub(crate) fn committed(self, batch: u64, requests: usize) {
        let Self { link, context } = self;
        let Some(context) = context else { return };
        let span = context.span();
        let number = |number| i64::try_from(number).unwrap_or(i64::MAX);
        span.set_attribute(KeyValue::new("meterhouse.batch", number(batch)));
        span.set_attribute(KeyValue::new(
            "meterhouse.commands",
            number(u64::try_from(requests).unwrap_or(u64::MAX)),
        ));
        let mut traced = TRACED.lock().unwrap_or_else(PoisonError::into_inner);
        if traced.len() == TRACED_BATCHES_MAX {
            traced.pop_front();
        }
        traced.push_back((link, batch, span.span_context().clone()));
        drop(traced);
        span.end();
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

#[cfg(test)]
mod tests {
    use opentelemetry::trace::{SpanId, TraceFlags, TraceId, TraceState};
    use opentelemetry_sdk::trace::{InMemorySpanExporter, SdkTracerProvider, SpanData};

    use super::*;

    const LINK: LinkId = LinkId(1);

    fn caller(trace: u64) -> SpanContext {
        let (trace, span) = (TraceId::from(u128::from(trace)), SpanId::from(trace));
        SpanContext::new(trace, span, TraceFlags::SAMPLED, true, TraceState::NONE)
    }

    /// Returns the batch's span and the statement's, which is below it.
    fn batch_and_statement(exporter: &InMemorySpanExporter) -> (SpanData, SpanData) {
        let mut spans = exporter.get_finished_spans().expect("spans");
        exporter.reset();
        let batch = spans.pop().expect("the batch ends last");
        let statement = spans.pop().expect("the statement");
        assert_eq!((&*batch.name, &*statement.name), ("batch", "commit"));
        assert_eq!(statement.parent_span_id, batch.span_context.span_id());
        assert!(spans.is_empty());
        (batch, statement)
    }

    /// A command that joins a batch while it waits is in the batch's trace, whether an earlier one is traced or not.
    #[test]
    fn a_batch_is_traced_by_commands_that_join_it() {
        let exporter = InMemorySpanExporter::default();
        let provider = SdkTracerProvider::builder().with_simple_exporter(exporter.clone());
        opentelemetry::global::set_tracer_provider(provider.build());
        let (first, joins) = (caller(1), caller(2));

        let mut span = BatchSpan::begin(LINK, std::iter::empty());
        span.add(std::iter::once(&joins));
        let took = Duration::from_millis(3);
        span.record_statement(took);
        span.committed(7, 2);
        let (batch, statement) = batch_and_statement(&exporter);
        assert_eq!(batch.span_context.trace_id(), joins.trace_id());
        assert_eq!(batch.parent_span_id, joins.span_id());
        assert!(batch.links.is_empty());
        let length = statement.end_time.duration_since(statement.start_time);
        assert!(length.expect("an end after the start") >= took);

        let mut span = BatchSpan::begin(LINK, std::iter::once(&first));
        span.add(std::iter::once(&joins));
        span.record_statement(took);
        span.committed(8, 2);
        let (batch, _) = batch_and_statement(&exporter);
        assert_eq!(batch.parent_span_id, first.span_id());
        let links = batch.links.iter().map(|link| &link.span_context);
        assert_eq!(links.collect::<Vec<_>>(), [&joins]);
        let commands = KeyValue::new("meterhouse.commands", 2);
        assert!(batch.attributes.contains(&commands));
    }
}
