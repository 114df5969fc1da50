//! Logs: to stderr, as lines for people or as JSON.

use std::io::{IsTerminal as _, stderr};

use tracing_subscriber::EnvFilter;

use crate::failure::Failure;

/// Starts logging with this filter.
pub(crate) fn start(filter: &str, json: bool) -> Result<(), Failure> {
    let filter = EnvFilter::try_new(filter)
        .map_err(|error| Failure::Usage(format!("--log {filter:?} is no filter: {error}")))?;
    let builder = tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(stderr);
    let started = if json {
        builder.json().try_init()
    } else {
        builder
            .with_ansi(stderr().is_terminal())
            .with_target(false)
            .try_init()
    };
    started.map_err(|error| Failure::Internal {
        what: format!("could not start the log: {error}"),
        source: None,
    })
}
