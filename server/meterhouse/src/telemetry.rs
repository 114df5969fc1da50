//! Logs on stderr, as lines for people or as JSON.

use std::io::{IsTerminal as _, stderr};

use tracing_subscriber::EnvFilter;

use crate::failure::Failure;

/// The form of the log.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LogFormat {
    /// Lines for people.
    Text,
    /// JSON, one object per line.
    Json,
}

impl LogFormat {
    /// Reads the name of a form. The error says what to write.
    pub(crate) fn read(text: &str) -> Result<Self, String> {
        match text {
            "text" => Ok(Self::Text),
            "json" => Ok(Self::Json),
            _ => Err(format!(
                "{text:?} is no form of the log: write text or json"
            )),
        }
    }
}

/// Checks a filter of the log. The error says what to write.
pub(crate) fn check_filter(text: &str) -> Result<String, String> {
    match EnvFilter::try_new(text) {
        Ok(_) => Ok(text.to_owned()),
        Err(error) => Err(format!(
            "{text:?} is no filter ({error}): write a level, as in info, or filters, as in meterhouse_engine=debug,info"
        )),
    }
}

/// Starts logging with this filter.
pub(crate) fn start(filter: &str, format: LogFormat) -> Result<(), Failure> {
    let filter = EnvFilter::try_new(filter)
        .map_err(|error| Failure::internal("could not read the log's filter", error))?;
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
