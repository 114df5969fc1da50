//! Logs on stderr, as lines for people or as JSON.

use std::io::{IsTerminal as _, stderr};

use tracing_subscriber::EnvFilter;

use crate::cli::LogFormat;
use crate::failure::Failure;

/// Starts logging with this filter.
pub(crate) fn start(filter: &str, format: LogFormat) -> Result<(), Failure> {
    let filter = EnvFilter::try_new(filter)
        .map_err(|error| Failure::Usage(format!("--log {filter:?} is no filter: {error}")))?;
    let builder = tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(stderr);
    let started = match format {
        LogFormat::Json => builder.json().try_init(),
        LogFormat::Text => builder
            .with_ansi(stderr().is_terminal())
            .with_target(false)
            .try_init(),
    };
    started.map_err(|error| Failure::Internal {
        what: format!("could not start the log: {error}"),
        source: None,
    })
}
