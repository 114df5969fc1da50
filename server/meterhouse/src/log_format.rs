//! The form and the filter of the log, as settings name them.

use tracing_subscriber::EnvFilter;

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
