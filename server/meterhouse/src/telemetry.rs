//! Logs, metrics and traces of the program.
//!
//! # Shape
//! Logs go to stderr. Metrics are always recorded and read by the page of `metrics.listen`. With the standard variables
//! `OTEL_EXPORTER_OTLP_…`, metrics, traces and logs go to a collector as well (`export`). `gauges` has what is a state
//! and no event.
//!
//! # Limits
//! What a collector does not take is dropped and counted (`backlog`).

mod backlog;
mod export;
mod gauges;
mod page;

use std::io::{IsTerminal as _, stderr};

use opentelemetry_sdk::metrics::SdkMeterProvider;
use opentelemetry_sdk::propagation::TraceContextPropagator;
use prometheus::Registry;
use prometheus::process_collector::ProcessCollector;
use tracing_subscriber::layer::SubscriberExt as _;
use tracing_subscriber::util::SubscriberInitExt as _;
use tracing_subscriber::{EnvFilter, Layer as _};

pub(crate) use self::gauges::Gauges;
pub(crate) use self::page::Page;

use self::export::Exporters;
use crate::failure::Failure;
use crate::log_format::LogFormat;

/// Prefix of the library's crates in a filter, and the directive that keeps them quiet: they log each failed export,
/// and `backlog` logs the first one.
const LIBRARY: &str = "opentelemetry";
const QUIET: &str = ",opentelemetry=off";

/// The running telemetry of a process.
pub(crate) struct Telemetry {
    /// Metrics as Prometheus reads them.
    pub(crate) registry: Registry,
    meters: SdkMeterProvider,
    exporters: Exporters,
}

impl Telemetry {
    /// Starts logs with this filter, metrics, and what the environment asks to export.
    pub(crate) fn start(filter: &str, format: LogFormat) -> Result<Self, Failure> {
        let failed = |what: &str, error: String| Failure::Internal {
            what: format!("could not start {what}: {error}"),
            source: None,
        };
        let registry = Registry::new();
        let exporters = Exporters::of_environment()?;
        let reader = opentelemetry_prometheus::exporter()
            .with_registry(registry.clone())
            .build()
            .map_err(|error| failed("the metrics", error.to_string()))?;
        let meters = SdkMeterProvider::builder()
            .with_resource(export::resource())
            .with_reader(reader);
        let meters = exporters.add_metrics(meters)?.build();
        opentelemetry::global::set_meter_provider(meters.clone());
        opentelemetry::global::set_text_map_propagator(TraceContextPropagator::new());
        exporters.set_tracer();
        exporters.register_dropped();
        let process = ProcessCollector::for_self();
        registry
            .register(Box::new(process))
            .map_err(|error| failed("the metrics", error.to_string()))?;
        start_log(filter, format, &exporters)?;
        Ok(Self {
            registry,
            meters,
            exporters,
        })
    }

    /// Sends what is left and ends.
    pub(crate) fn stop(self) {
        self.exporters.stop(&self.meters);
    }
}

/// Starts the log on stderr, and to a collector if there is one.
fn start_log(filter: &str, format: LogFormat, exporters: &Exporters) -> Result<(), Failure> {
    let mut directives = filter.to_owned();
    if !filter.contains(LIBRARY) {
        directives.push_str(QUIET);
    }
    let filter = EnvFilter::try_new(directives)
        .map_err(|error| Failure::internal("could not read the log's filter", error))?;
    let lines = tracing_subscriber::fmt::layer().with_writer(stderr);
    let lines = match format {
        LogFormat::Json => lines.json().boxed(),
        LogFormat::Text => lines
            .with_ansi(stderr().is_terminal())
            .with_target(false)
            .boxed(),
    };
    let started = tracing_subscriber::registry()
        .with(filter)
        .with(lines)
        .with(exporters.log_layer())
        .try_init();
    started.map_err(|error| Failure::Internal {
        what: format!("could not start the log: {error}"),
        source: None,
    })
}
