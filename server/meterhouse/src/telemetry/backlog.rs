//! The way of one signal to the collector: bounded, counted, and never waited for.
//!
//! # Shape
//! [`Admitting`] stands before the library's queue and [`Delivering`] behind it. Both share the [`Backlog`] of their
//! signal. An item that finds the queue full, or whose export fails, is dropped and counted.
//!
//! # Limits
//! [`QUEUE_MAX`] items wait, those of an export under way among them, unless `OTEL_BSP_MAX_QUEUE_SIZE` or
//! `OTEL_BLRP_MAX_QUEUE_SIZE` says otherwise. One line is logged when the first item is dropped, and one when the
//! collector takes items again.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::time::Duration;

use opentelemetry::logs::Severity;
use opentelemetry::{Context, InstrumentationScope};
use opentelemetry_sdk::Resource;
use opentelemetry_sdk::error::OTelSdkResult;
use opentelemetry_sdk::logs::{LogBatch, LogExporter, LogProcessor, SdkLogRecord};
use opentelemetry_sdk::metrics::Temporality;
use opentelemetry_sdk::metrics::data::ResourceMetrics;
use opentelemetry_sdk::metrics::exporter::PushMetricExporter;
use opentelemetry_sdk::trace::{Span, SpanData, SpanExporter, SpanProcessor};

/// Number of spans or log records that may wait for the collector.
const QUEUE_MAX: usize = 2_048;

/// The items of one signal that wait for the collector, and the number that was dropped.
#[derive(Debug)]
pub(super) struct Backlog {
    signal: &'static str,
    limit: usize,
    waiting: AtomicUsize,
    dropped: AtomicU64,
    /// Set while items are dropped.
    is_losing: AtomicBool,
}

impl Backlog {
    /// Returns an empty backlog. `variable` names the library's variable for the length of its queue.
    pub(super) fn new(signal: &'static str, variable: &str) -> Arc<Self> {
        let limit = std::env::var_os(variable);
        let limit = limit.and_then(|value| value.to_str()?.parse().ok());
        Self::with_limit(signal, limit.unwrap_or(QUEUE_MAX))
    }

    fn with_limit(signal: &'static str, limit: usize) -> Arc<Self> {
        Arc::new(Self {
            signal,
            limit,
            waiting: AtomicUsize::new(0),
            dropped: AtomicU64::new(0),
            is_losing: AtomicBool::new(false),
        })
    }

    /// Returns the name of the signal.
    pub(super) const fn signal(&self) -> &'static str {
        self.signal
    }

    /// Returns the number of dropped items.
    pub(super) fn dropped(&self) -> u64 {
        self.dropped.load(Ordering::Relaxed)
    }

    /// Counts an item among those that wait. Returns `false`, and counts it as dropped, if too many do.
    fn admit(&self) -> bool {
        if self.waiting.fetch_add(1, Ordering::AcqRel) < self.limit {
            return true;
        }
        self.waiting.fetch_sub(1, Ordering::AcqRel);
        self.lose(1, &"the queue is full");
        false
    }

    /// Records the end of an export of items that waited.
    fn take(&self, items: usize, result: OTelSdkResult) -> OTelSdkResult {
        self.waiting.fetch_sub(items, Ordering::AcqRel);
        self.ended(items, result)
    }

    /// Records the end of an export.
    fn ended(&self, items: usize, result: OTelSdkResult) -> OTelSdkResult {
        match &result {
            Err(error) => self.lose(items, error),
            // A collector that takes a batch now and then, and leaves the queue full, has not returned.
            Ok(()) if self.waiting.load(Ordering::Acquire) > self.limit / 2 => {}
            Ok(()) => self.recover(),
        }
        result
    }

    fn lose(&self, items: usize, why: &dyn std::fmt::Display) {
        self.dropped.fetch_add(items as u64, Ordering::Relaxed);
        if !self.is_losing.swap(true, Ordering::AcqRel) {
            // This line must not wait for the collector itself.
            let _suppressed = Context::enter_telemetry_suppressed_scope();
            let signal = self.signal;
            tracing::warn!(signal, %why, "the collector does not take what is sent: it is dropped and counted");
        }
    }

    fn recover(&self) {
        if self.is_losing.swap(false, Ordering::AcqRel) {
            let _suppressed = Context::enter_telemetry_suppressed_scope();
            let (signal, dropped) = (self.signal, self.dropped());
            tracing::info!(signal, dropped, "the collector takes what is sent again");
        }
    }
}

/// A processor that lets a limited number of items into the queue of the next one.
#[derive(Debug)]
pub(super) struct Admitting<P> {
    pub(super) backlog: Arc<Backlog>,
    pub(super) next: P,
}

impl<P: SpanProcessor> SpanProcessor for Admitting<P> {
    fn on_start(&self, span: &mut Span, context: &Context) {
        self.next.on_start(span, context);
    }

    fn on_end(&self, span: SpanData) {
        if self.backlog.admit() {
            self.next.on_end(span);
        }
    }

    fn force_flush(&self) -> OTelSdkResult {
        self.next.force_flush()
    }

    fn shutdown_with_timeout(&self, most: Duration) -> OTelSdkResult {
        self.next.shutdown_with_timeout(most)
    }

    fn set_resource(&mut self, resource: &Resource) {
        self.next.set_resource(resource);
    }
}

impl<P: LogProcessor> LogProcessor for Admitting<P> {
    fn emit(&self, record: &mut SdkLogRecord, scope: &InstrumentationScope) {
        if self.backlog.admit() {
            self.next.emit(record, scope);
        }
    }

    fn event_enabled(&self, level: Severity, target: &str, name: Option<&str>) -> bool {
        self.next.event_enabled(level, target, name)
    }

    fn force_flush(&self) -> OTelSdkResult {
        self.next.force_flush()
    }

    fn shutdown_with_timeout(&self, most: Duration) -> OTelSdkResult {
        self.next.shutdown_with_timeout(most)
    }

    fn set_resource(&mut self, resource: &Resource) {
        self.next.set_resource(resource);
    }
}

/// An exporter that counts what it could not deliver.
#[derive(Debug)]
pub(super) struct Delivering<E> {
    pub(super) backlog: Arc<Backlog>,
    pub(super) exporter: E,
}

impl<E: SpanExporter> SpanExporter for Delivering<E> {
    async fn export(&self, batch: Vec<SpanData>) -> OTelSdkResult {
        let items = batch.len();
        self.backlog.take(items, self.exporter.export(batch).await)
    }

    fn shutdown_with_timeout(&self, most: Duration) -> OTelSdkResult {
        self.exporter.shutdown_with_timeout(most)
    }

    fn force_flush(&self) -> OTelSdkResult {
        self.exporter.force_flush()
    }

    fn set_resource(&mut self, resource: &Resource) {
        self.exporter.set_resource(resource);
    }
}

impl<E: LogExporter> LogExporter for Delivering<E> {
    async fn export(&self, batch: LogBatch<'_>) -> OTelSdkResult {
        let items = batch.iter().count();
        self.backlog.take(items, self.exporter.export(batch).await)
    }

    fn shutdown_with_timeout(&self, most: Duration) -> OTelSdkResult {
        self.exporter.shutdown_with_timeout(most)
    }

    fn event_enabled(&self, level: Severity, target: &str, name: Option<&str>) -> bool {
        self.exporter.event_enabled(level, target, name)
    }

    fn set_resource(&mut self, resource: &Resource) {
        self.exporter.set_resource(resource);
    }
}

impl<E: PushMetricExporter> PushMetricExporter for Delivering<E> {
    async fn export(&self, metrics: &ResourceMetrics) -> OTelSdkResult {
        // Nothing waits: the next export has the newest values.
        self.backlog.ended(1, self.exporter.export(metrics).await)
    }

    fn force_flush(&self) -> OTelSdkResult {
        self.exporter.force_flush()
    }

    fn shutdown_with_timeout(&self, most: Duration) -> OTelSdkResult {
        self.exporter.shutdown_with_timeout(most)
    }

    fn temporality(&self) -> Temporality {
        self.exporter.temporality()
    }
}

#[cfg(test)]
mod tests;
