//! The export to a collector over OTLP, as the standard variables `OTEL_…` ask for it.
//!
//! # Limits
//! Traces that no client began are sampled once in a hundred, unless `OTEL_TRACES_SAMPLER` says otherwise.

use opentelemetry::{KeyValue, global};
use opentelemetry_appender_tracing::layer::OpenTelemetryTracingBridge;
use opentelemetry_otlp::{ExporterBuildError, LogExporter, MetricExporter, SpanExporter};
use opentelemetry_sdk::Resource;
use opentelemetry_sdk::logs::{SdkLogger, SdkLoggerProvider};
use opentelemetry_sdk::metrics::MeterProviderBuilder;
use opentelemetry_sdk::trace::{Sampler, SdkTracerProvider};

use crate::failure::Failure;

/// Share of traces that are sampled, of those that no client began.
const SAMPLED: f64 = 0.01;
/// Variable that turns everything off.
const DISABLED: &str = "OTEL_SDK_DISABLED";
/// Variable that names the sampler.
const SAMPLER: &str = "OTEL_TRACES_SAMPLER";
/// Variables with the address of the collector: of all signals, and of each.
const ENDPOINT: &str = "OTEL_EXPORTER_OTLP_ENDPOINT";
/// The signals: the exporter's variable, and the variable of its own address.
const TRACES: (&str, &str) = ("OTEL_TRACES_EXPORTER", "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT");
const METRICS: (&str, &str) = (
    "OTEL_METRICS_EXPORTER",
    "OTEL_EXPORTER_OTLP_METRICS_ENDPOINT",
);
const LOGS: (&str, &str) = ("OTEL_LOGS_EXPORTER", "OTEL_EXPORTER_OTLP_LOGS_ENDPOINT");

/// The exporters of a process.
pub(super) struct Exporters {
    tracer: Option<SdkTracerProvider>,
    logger: Option<SdkLoggerProvider>,
    has_metrics: bool,
}

impl Exporters {
    /// Makes the exporters that the environment asks for.
    pub(super) fn of_environment() -> Result<Self, Failure> {
        let tracer = if is_wanted(TRACES)? {
            Some(tracer().map_err(|error| unusable("traces", &error))?)
        } else {
            None
        };
        let logger = if is_wanted(LOGS)? {
            let exporter = LogExporter::builder().build();
            let exporter = exporter.map_err(|error| unusable("logs", &error))?;
            let provider = SdkLoggerProvider::builder().with_resource(resource());
            Some(provider.with_batch_exporter(exporter).build())
        } else {
            None
        };
        Ok(Self {
            tracer,
            logger,
            has_metrics: is_wanted(METRICS)?,
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
        let exporter = MetricExporter::builder().build();
        let exporter = exporter.map_err(|error| unusable("metrics", &error))?;
        Ok(builder.with_periodic_exporter(exporter))
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

    /// Sends what is left and ends.
    pub(super) fn stop(self) {
        let traces = self.tracer.map(|tracer| tracer.shutdown());
        let logs = self.logger.map(|logger| logger.shutdown());
        for error in [traces, logs].into_iter().flatten().filter_map(Result::err) {
            tracing::debug!(%error, "the last traces or logs were not sent");
        }
    }
}

fn tracer() -> Result<SdkTracerProvider, ExporterBuildError> {
    let exporter = SpanExporter::builder().build()?;
    let provider = SdkTracerProvider::builder()
        .with_resource(resource())
        .with_batch_exporter(exporter);
    let provider = if std::env::var_os(SAMPLER).is_some() {
        provider
    } else {
        let ratio = Sampler::TraceIdRatioBased(SAMPLED);
        provider.with_sampler(Sampler::ParentBased(Box::new(ratio)))
    };
    Ok(provider.build())
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

/// Returns true if a signal is sent to a collector.
fn is_wanted((exporter, endpoint): (&str, &str)) -> Result<bool, Failure> {
    let is_set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    let is_disabled = std::env::var_os(DISABLED)
        .is_some_and(|value| value.to_string_lossy().eq_ignore_ascii_case("true"));
    let has_endpoint = is_set(ENDPOINT) || is_set(endpoint);
    let exporter_value =
        std::env::var_os(exporter).map(|value| value.to_string_lossy().into_owned());
    match exporter_value.as_deref() {
        Some("" | "otlp") | None => Ok(has_endpoint && !is_disabled),
        Some("none") => Ok(false),
        Some(other) => Err(Failure::Configuration(format!(
            "{exporter}={other}: write otlp or none; Prometheus reads the page of metrics.listen"
        ))),
    }
}

fn unusable(signal: &str, error: &ExporterBuildError) -> Failure {
    Failure::Configuration(format!(
        "{signal} can't be sent to the collector ({error}): correct the variables OTEL_EXPORTER_OTLP_…"
    ))
}
