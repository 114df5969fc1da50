//! The count of errors by their codes, as clients receive them over HTTP and gRPC.

use std::sync::LazyLock;

use opentelemetry::KeyValue;
use opentelemetry::metrics::Counter;

static ERRORS: LazyLock<Counter<u64>> = LazyLock::new(|| {
    let meter = opentelemetry::global::meter("meterhouse");
    let counter = meter.u64_counter("meterhouse.errors");
    counter
        .with_unit("{response}")
        .with_description("Errors that clients received, by code")
        .build()
});

/// Records an error with this code.
pub(crate) fn record(code: &'static str) {
    ERRORS.add(1, &[KeyValue::new("code", code)]);
}
