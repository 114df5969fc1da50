//! The export to a collector over OTLP, as the standard variables `OTEL_…` ask for it.
//!
//! # Limits
//! Traces that no client began are sampled once in a hundred, unless `OTEL_TRACES_SAMPLER` says otherwise. What waits
//! for the collector is limited by [`Backlog`]. The last items have [`STOP_MAX`].

use std::sync::Arc;
use std::thread;
use std::time::Duration;

use opentelemetry::{KeyValue, global};
use opentelemetry_appender_tracing::layer::OpenTelemetryTracingBridge;
use opentelemetry_otlp::tonic_types::transport::ClientTlsConfig;
use opentelemetry_otlp::{
    ExporterBuildError, LogExporter, MetricExporter, OTEL_EXPORTER_OTLP_ENDPOINT,
    OTEL_EXPORTER_OTLP_LOGS_ENDPOINT, OTEL_EXPORTER_OTLP_LOGS_PROTOCOL,
    OTEL_EXPORTER_OTLP_METRICS_ENDPOINT, OTEL_EXPORTER_OTLP_METRICS_PROTOCOL,
    OTEL_EXPORTER_OTLP_PROTOCOL, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT,
    OTEL_EXPORTER_OTLP_TRACES_PROTOCOL, SpanExporter, WithTonicConfig as _,
};
use opentelemetry_sdk::Resource;
use opentelemetry_sdk::error::OTelSdkResult;
use opentelemetry_sdk::logs::{
    BatchLogProcessor, OTEL_BLRP_MAX_QUEUE_SIZE, SdkLogger, SdkLoggerProvider,
};
use opentelemetry_sdk::metrics::{MeterProviderBuilder, SdkMeterProvider};
use opentelemetry_sdk::trace::{
    BatchSpanProcessor, OTEL_BSP_MAX_QUEUE_SIZE, Sampler, SdkTracerProvider,
};

use super::backlog::{Admitting, Backlog, Delivering};
use crate::failure::Failure;

/// Longest wait at the end for the collector to take what is left, of all signals concurrently. The library waits as
/// long for the metrics.
const STOP_MAX: Duration = Duration::from_secs(5);

/// Share of traces that are sampled, of those that no client began.
const SAMPLED: f64 = 0.01;
/// Variable that turns everything off.
const DISABLED: &str = "OTEL_SDK_DISABLED";
/// Variable that names the sampler.
const SAMPLER: &str = "OTEL_TRACES_SAMPLER";

/// A signal with the names of its own variables.
struct Signal {
    name: &'static str,
    exporter: &'static str,
    endpoint: &'static str,
    protocol: &'static str,
}

const TRACES: Signal = Signal {
    name: "traces",
    exporter: "OTEL_TRACES_EXPORTER",
    endpoint: OTEL_EXPORTER_OTLP_TRACES_ENDPOINT,
    protocol: OTEL_EXPORTER_OTLP_TRACES_PROTOCOL,
};
const METRICS: Signal = Signal {
    name: "metrics",
    exporter: "OTEL_METRICS_EXPORTER",
    endpoint: OTEL_EXPORTER_OTLP_METRICS_ENDPOINT,
    protocol: OTEL_EXPORTER_OTLP_METRICS_PROTOCOL,
};
const LOGS: Signal = Signal {
    name: "logs",
    exporter: "OTEL_LOGS_EXPORTER",
    endpoint: OTEL_EXPORTER_OTLP_LOGS_ENDPOINT,
    protocol: OTEL_EXPORTER_OTLP_LOGS_PROTOCOL,
};

/// The exporters of a process.
pub(super) struct Exporters {
    tracer: Option<SdkTracerProvider>,
    logger: Option<SdkLoggerProvider>,
    has_metrics: bool,
    traces: Arc<Backlog>,
    metrics: Arc<Backlog>,
    logs: Arc<Backlog>,
}

impl Exporters {
    /// Makes the exporters that the environment asks for.
    pub(super) fn of_environment() -> Result<Self, Failure> {
        let traces = Backlog::new(TRACES.name, OTEL_BSP_MAX_QUEUE_SIZE);
        let metrics = Backlog::new(METRICS.name, "");
        let logs = Backlog::new(LOGS.name, OTEL_BLRP_MAX_QUEUE_SIZE);
        let spans = if TRACES.is_wanted()? {
            let exporter = SpanExporter::builder();
            let exporter = match TRACES.grpc_over_tls() {
                Some(tls) => exporter.with_tonic().with_tls_config(tls).build(),
                None => exporter.build(),
            };
            let exporter = exporter.map_err(|error| TRACES.unusable(&error))?;
            Some(tracer(exporter, &traces))
        } else {
            None
        };
        let logger = if LOGS.is_wanted()? {
            let exporter = LogExporter::builder();
            let exporter = match LOGS.grpc_over_tls() {
                Some(tls) => exporter.with_tonic().with_tls_config(tls).build(),
                None => exporter.build(),
            };
            let exporter = exporter.map_err(|error| LOGS.unusable(&error))?;
            Some(logger(exporter, &logs))
        } else {
            None
        };
        Ok(Self {
            tracer: spans,
            logger,
            has_metrics: METRICS.is_wanted()?,
            traces,
            metrics,
            logs,
        })
    }

    /// Adds the export of metrics, if it is asked for.
    pub(super) fn add_metrics(
        &self,
        builder: MeterProviderBuilder,
    ) -> Result<MeterProviderBuilder, Failure> {
        if !self.has_metrics {
            return Ok(builder);
        }
        let exporter = MetricExporter::builder();
        let exporter = match METRICS.grpc_over_tls() {
            Some(tls) => exporter.with_tonic().with_tls_config(tls).build(),
            None => exporter.build(),
        };
        let exporter = exporter.map_err(|error| METRICS.unusable(&error))?;
        let backlog = Arc::clone(&self.metrics);
        Ok(builder.with_periodic_exporter(Delivering { backlog, exporter }))
    }

    /// Makes the tracer the one of this process.
    pub(super) fn set_tracer(&self) {
        if let Some(tracer) = &self.tracer {
            global::set_tracer_provider(tracer.clone());
        }
    }

    /// Returns the layer that sends the log to the collector.
    pub(super) fn log_layer(
        &self,
    ) -> Option<OpenTelemetryTracingBridge<SdkLoggerProvider, SdkLogger>> {
        self.logger.as_ref().map(OpenTelemetryTracingBridge::new)
    }

    /// Registers the number of items that were dropped.
    pub(super) fn register_dropped(&self) {
        let backlogs = [&self.traces, &self.metrics, &self.logs].map(Arc::clone);
        let meter = global::meter("meterhouse");
        let dropped = meter.u64_observable_counter("meterhouse.telemetry.dropped");
        // The provider keeps the instrument.
        let _ = dropped
            .with_unit("{item}")
            .with_description(
                "Spans, log records and exports of metrics that the collector did not take",
            )
            .with_callback(move |counter| {
                for backlog in &backlogs {
                    let signal = KeyValue::new("signal", backlog.signal());
                    counter.observe(backlog.dropped(), &[signal]);
                }
            })
            .build();
    }

    /// Sends what is left, within [`STOP_MAX`], and ends.
    pub(super) fn stop(self, meters: &SdkMeterProvider) {
        // The process ends even if a thread of the library still waits for the collector.
        thread::scope(|scope| {
            if let Some(tracer) = &self.tracer {
                scope.spawn(|| note(tracer.shutdown_with_timeout(STOP_MAX)));
            }
            if let Some(logger) = &self.logger {
                scope.spawn(|| note(logger.shutdown_with_timeout(STOP_MAX)));
            }
            note(meters.shutdown());
        });
    }
}

/// Logs that the last items of a signal were not sent.
fn note(ended: OTelSdkResult) {
    if let Err(error) = ended {
        tracing::debug!(%error, "the collector did not take the last traces, metrics or logs");
    }
}

fn tracer(exporter: SpanExporter, backlog: &Arc<Backlog>) -> SdkTracerProvider {
    let exporter = Delivering {
        backlog: Arc::clone(backlog),
        exporter,
    };
    let processor = Admitting {
        backlog: Arc::clone(backlog),
        next: BatchSpanProcessor::builder(exporter).build(),
    };
    let provider = SdkTracerProvider::builder()
        .with_resource(resource())
        .with_span_processor(processor);
    if std::env::var_os(SAMPLER).is_some() {
        return provider.build();
    }
    let ratio = Sampler::TraceIdRatioBased(SAMPLED);
    let provider = provider.with_sampler(Sampler::ParentBased(Box::new(ratio)));
    provider.build()
}

fn logger(exporter: LogExporter, backlog: &Arc<Backlog>) -> SdkLoggerProvider {
    let exporter = Delivering {
        backlog: Arc::clone(backlog),
        exporter,
    };
    let processor = Admitting {
        backlog: Arc::clone(backlog),
        next: BatchLogProcessor::builder(exporter).build(),
    };
    SdkLoggerProvider::builder()
        .with_resource(resource())
        .with_log_processor(processor)
        .build()
}

/// Returns the description of this process; `OTEL_SERVICE_NAME` and `OTEL_RESOURCE_ATTRIBUTES` change it.
pub(super) fn resource() -> Resource {
    let version = KeyValue::new("service.version", env!("CARGO_PKG_VERSION"));
    let builder = Resource::builder().with_attribute(version);
    if std::env::var_os("OTEL_SERVICE_NAME").is_some() {
        builder.build()
    } else {
        builder.with_service_name("meterhouse").build()
    }
}

impl Signal {
    /// Returns true if the signal is sent to a collector.
    fn is_wanted(&self) -> Result<bool, Failure> {
        let is_disabled =
            variable(DISABLED).is_some_and(|value| value.eq_ignore_ascii_case("true"));
        match variable(self.exporter).as_deref() {
            Some("otlp") | None => Ok(self.endpoint().is_some() && !is_disabled),
            Some("none") => Ok(false),
            Some(other) => Err(Failure::Configuration(format!(
                "{}={other}: write otlp or none; Prometheus reads the page of metrics.listen",
                self.exporter
            ))),
        }
    }

    fn endpoint(&self) -> Option<String> {
        variable(self.endpoint).or_else(|| variable(OTEL_EXPORTER_OTLP_ENDPOINT))
    }

    /// Returns the authorities of the system if the collector is asked over gRPC and TLS, for which the library has none.
    fn grpc_over_tls(&self) -> Option<ClientTlsConfig> {
        let protocol = variable(self.protocol).or_else(|| variable(OTEL_EXPORTER_OTLP_PROTOCOL));
        let is_grpc = protocol.is_some_and(|protocol| protocol.eq_ignore_ascii_case("grpc"));
        let endpoint = self.endpoint()?.to_ascii_lowercase();
        // A system without authorities is enough for plain text.
        let is_plain = endpoint.starts_with("http://");
        (is_grpc && !is_plain).then(|| ClientTlsConfig::new().with_enabled_roots())
    }

    fn unusable(&self, error: &ExporterBuildError) -> Failure {
        Failure::Configuration(format!(
            "{} can't be sent to the collector ({error}): correct the variables OTEL_EXPORTER_OTLP_…",
            self.name
        ))
    }
}

/// Returns the value of a variable; an empty one is as good as none.
fn variable(name: &str) -> Option<String> {
    let value = std::env::var_os(name)?;
    Some(value.to_string_lossy().into_owned()).filter(|value| !value.is_empty())
}
