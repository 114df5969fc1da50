//! Errors as gRPC statuses, with `google.rpc.ErrorInfo`, and `RetryInfo` if waiting helps.
//!
//! # Shape
//! Code, title and fields are those of HTTP ([`Problem`], `edge::wire_error`). [`End`] contains the
//! additional ends of streams. The reason is stable and for programs. The message is for people and
//! states the remedy.

use std::collections::HashMap;
use std::time::Duration;

use meterhouse_edge::problem::{Problem, merged};
use meterhouse_edge::wire_error::{WireError, row};
use tonic::{Code, Status};
use tonic_types::{ErrorDetails, StatusExt as _};

/// Domain of the reasons.
const DOMAIN: &str = "meterhouse";
/// Time after which a client returns when a server stops. Another node accepts it immediately.
const RETRY_STOPPED: Duration = Duration::from_secs(1);

/// The subject of an error, in addition to its own fields.
#[derive(Copy, Clone, Debug, Default)]
pub(crate) struct About<'a> {
    /// Name of the table.
    pub(crate) table: Option<&'a str>,
    /// Sequence number of the command.
    pub(crate) sequence: Option<u64>,
}

/// The end of a stream without an error in a request.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum End {
    /// The server stops.
    ServerStops,
    /// The client does not read its responses.
    AnswersNotRead,
    /// No table was attached in time.
    NothingAttached,
    /// The server stops, and with it a feed.
    FeedStops,
    /// A display does not read its messages.
    MessagesNotRead,
}

impl End {
    /// Returns the stable code.
    const fn reason(self) -> &'static str {
        match self {
            Self::ServerStops | Self::FeedStops => "server_stops",
            Self::AnswersNotRead => "answers_not_read",
            Self::NothingAttached => "nothing_attached",
            Self::MessagesNotRead => "messages_not_read",
        }
    }

    const fn code(self) -> Code {
        match self {
            Self::ServerStops | Self::FeedStops => Code::Unavailable,
            Self::AnswersNotRead | Self::MessagesNotRead => Code::ResourceExhausted,
            Self::NothingAttached => Code::DeadlineExceeded,
        }
    }

    const fn advice(self) -> &'static str {
        match self {
            Self::ServerStops => {
                "the server stops; open a new stream, attach, and send again what has no outcome"
            }
            Self::AnswersNotRead => {
                "the answers were not read in time; read them while you send, then send again what has no outcome"
            }
            Self::NothingAttached => {
                "no table came onto the stream in time; send an attach as its first request"
            }
            Self::FeedStops => {
                "the server stops; listen again, after the position of the last message"
            }
            Self::MessagesNotRead => {
                "the feed was not read in time; listen again, after the position of the last message"
            }
        }
    }

    const fn retry_after(self) -> Option<Duration> {
        match self {
            Self::ServerStops | Self::FeedStops => Some(RETRY_STOPPED),
            Self::AnswersNotRead | Self::NothingAttached | Self::MessagesNotRead => None,
        }
    }
}

impl From<End> for Status {
    fn from(end: End) -> Self {
        let details = details(end.reason(), HashMap::new(), end.retry_after());
        Self::with_error_details(end.code(), end.advice(), details)
    }
}

/// Returns the status of an error.
pub(crate) fn status(error: impl Into<WireError>, about: About<'_>) -> Status {
    let error = error.into();
    let code = Code::from_i32(row(&error).grpc_code());
    let problem = Problem::from(error);
    let fields = merged(&problem.fields).into_iter();
    let mut metadata: HashMap<String, String> = fields
        .map(|(name, value)| (name.to_owned(), value))
        .collect();
    if let Some(table) = about.table {
        metadata.insert("table".to_owned(), table.to_owned());
    }
    if let Some(sequence) = about.sequence {
        metadata.insert("sequence".to_owned(), sequence.to_string());
    }
    let details = details(problem.code, metadata, problem.retry_after);
    Status::with_error_details(code, problem.detail, details)
}

fn details(
    reason: &str,
    metadata: HashMap<String, String>,
    retry_after: Option<Duration>,
) -> ErrorDetails {
    let mut details = ErrorDetails::new();
    details.set_error_info(reason, DOMAIN, metadata);
    if retry_after.is_some() {
        details.set_retry_info(retry_after);
    }
    details
}

#[cfg(test)]
mod tests;
