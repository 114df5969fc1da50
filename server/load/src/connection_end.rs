//! The end of a connection, and the reaction to it.
//!
//! # Reaction
//! A provoked gap is the expected reply. After a failure that a retry may resolve, the connection is opened again.
//! Every other failure breaks the server's contract and ends the run.

use std::time::Duration;

use tokio::time::{Instant, sleep};
use tonic::{Code, Status};
use tonic_types::StatusExt as _;

use crate::error::LoadError;

/// The first pause before a connection is opened again. Each later pause is twice as long.
const PAUSE_FIRST: Duration = Duration::from_millis(10);
/// The longest pause.
const PAUSE_MAX: Duration = Duration::from_secs(1);
/// The server's code for a missing sequence number.
pub(crate) const SEQUENCE_GAP: &str = "sequence_gap";
/// The server's codes for failures that a retry may resolve.
const RETRYABLE_CODES: [&str; 11] = [
    "books_not_checked",
    "busy",
    "database_unavailable",
    "database_not_writable",
    "outcome_unknown",
    "too_many_requests",
    "body_too_slow",
    "server_stops",
    "answers_not_read",
    "nothing_attached",
    "internal",
];

/// The reason that a connection ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum ConnectionEnd {
    /// All commands have an outcome, and all rounds are closed.
    Finished,
    /// A later number was sent first on purpose, and the server replied with the expected one.
    SequenceGap,
    /// The connection was cut on purpose.
    Cut,
    /// The connection was lost, or the server can't reply at present.
    Disconnected(String),
}

/// A failure that the server reported.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Failure {
    /// A sequence number of a table is missing.
    SequenceGap {
        /// The name of the table.
        table: String,
        /// The sequence number that the server expects.
        expected: u64,
    },
    /// A failure that a retry may resolve.
    Retryable(String),
    /// A failure that no retry resolves.
    Fatal(String),
}

/// Classifies a code of Meterhouse.
pub(crate) fn classify_code(
    code: &str,
    table: Option<&str>,
    expected: Option<&str>,
    message: String,
) -> Failure {
    if RETRYABLE_CODES.contains(&code) {
        return Failure::Retryable(message);
    }
    let expected = expected.and_then(|number| number.parse().ok());
    match (code, table, expected) {
        (SEQUENCE_GAP, Some(table), Some(expected)) => Failure::SequenceGap {
            table: table.to_owned(),
            expected,
        },
        _ => Failure::Fatal(message),
    }
}

/// Classifies the status that ended a stream.
pub(crate) fn classify_status(status: &Status) -> Failure {
    let message = format!("{:?}: {}", status.code(), status.message());
    if let Some(info) = status.get_details_error_info() {
        let field = |name: &str| info.metadata.get(name).map(String::as_str);
        let message = format!("{} {:?}: {}", info.reason, info.metadata, status.message());
        return classify_code(&info.reason, field("table"), field("expected"), message);
    }
    match status.code() {
        Code::Unavailable
        | Code::Unknown
        | Code::Internal
        | Code::Cancelled
        | Code::Aborted
        | Code::DeadlineExceeded
        | Code::ResourceExhausted => Failure::Retryable(message),
        _ => Failure::Fatal(message),
    }
}

/// Exponential backoff of one connection, with a limit on the time without progress.
#[derive(Debug)]
pub(crate) struct Backoff {
    connection: String,
    limit: Duration,
    since: Instant,
    last_progress: u64,
    pause: Duration,
}

impl Backoff {
    /// Starts the time without progress now.
    pub(crate) fn new(connection: String, limit: Duration) -> Self {
        Self {
            connection,
            limit,
            since: Instant::now(),
            last_progress: 0,
            pause: PAUSE_FIRST,
        }
    }

    /// Pauses before the next attempt. `progress` is a counter that grows with each reply.
    pub(crate) async fn wait(&mut self, last: String, progress: u64) -> Result<(), LoadError> {
        if progress != self.last_progress {
            self.last_progress = progress;
            self.since = Instant::now();
            self.pause = PAUSE_FIRST;
        }
        let waited = self.since.elapsed();
        if waited > self.limit {
            return Err(LoadError::NoProgress {
                what: self.connection.clone(),
                waited,
                last,
            });
        }
        tracing::debug!(load.connection = self.connection, last, "connecting again");
        sleep(self.pause).await;
        self.pause = (self.pause * 2).min(PAUSE_MAX);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;
    use std::time::Duration;

    use tonic::{Code, Status};
    use tonic_types::{ErrorDetails, StatusExt as _};

    use super::{Backoff, Failure, classify_status};
    use crate::error::LoadError;

    fn with_code(reason: &str, fields: &[(&str, &str)]) -> Status {
        let fields = fields
            .iter()
            .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
        let fields: HashMap<String, String> = fields.collect();
        let details = ErrorDetails::with_error_info(reason, "meterhouse", fields);
        Status::with_error_details(Code::FailedPrecondition, "send it", details)
    }

    /// A gap contains the expected number. Failures are retryable or fatal.
    #[test]
    fn statuses_are_classified() {
        let gap = classify_status(&with_code(
            "sequence_gap",
            &[("table", "T1"), ("expected", "7")],
        ));
        let table = "T1".to_owned();
        assert_eq!(gap, Failure::SequenceGap { table, expected: 7 });
        for retryable in [
            with_code("busy", &[]),
            with_code("server_stops", &[]),
            Status::unavailable("the server stops"),
        ] {
            assert!(
                matches!(classify_status(&retryable), Failure::Retryable(_)),
                "{retryable:?}"
            );
        }
        for fatal in [
            with_code("sequence_reused", &[("table", "T1")]),
            with_code("link_faulted", &[]),
            Status::unauthenticated("no token"),
        ] {
            assert!(
                matches!(classify_status(&fatal), Failure::Fatal(_)),
                "{fatal:?}"
            );
        }
    }

    /// A server that stays away ends the run. A server that replies now and then does not.
    #[tokio::test]
    async fn backoff_ends_without_progress() {
        let lost = || "lost".to_owned();
        let mut backoff = Backoff::new("a stream".to_owned(), Duration::from_mins(1));
        for progress in 1..5 {
            let paused = backoff.wait(lost(), progress).await;
            assert!(paused.is_ok(), "{paused:?}");
        }
        backoff.limit = Duration::ZERO;
        let ended = backoff.wait(lost(), 4).await;
        assert!(
            matches!(ended, Err(LoadError::NoProgress { .. })),
            "{ended:?}"
        );
    }
}
