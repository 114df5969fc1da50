//! Why a connection ended, and what follows from it.
//!
//! # What follows
//! A gap that was provoked is what should come. Whatever may be over when it is tried again is waited for. Everything
//! else breaks a promise and ends the run.

use std::time::Duration;

use tokio::time::{Instant, sleep};
use tonic::{Code, Status};
use tonic_types::StatusExt as _;

use crate::error::LoadError;

/// The first pause before a connection is opened again; each is twice the one before.
const PAUSE_FIRST: Duration = Duration::from_millis(10);
/// The longest pause.
const PAUSE_MAX: Duration = Duration::from_secs(1);
/// A number is missing before this one.
pub(crate) const SEQUENCE_GAP: &str = "sequence_gap";
/// What may be otherwise when it is tried again.
const NOT_NOW: [&str; 11] = [
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

/// Why a connection ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Ended {
    /// Everything was played.
    Over,
    /// A later number went first, and the server said which one it expects.
    Gap,
    /// It was cut on purpose.
    Cut,
    /// It was lost, or the server can't answer now.
    Away(String),
}

/// What the server said.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Said {
    /// A table's number is missing.
    Gap {
        /// The table.
        table: String,
        /// The number.
        expected: u64,
    },
    /// Not now.
    Away(String),
    /// Never.
    Broken(String),
}

/// What a code of ours means.
pub(crate) fn of_code(
    code: &str,
    table: Option<&str>,
    expected: Option<&str>,
    whole: String,
) -> Said {
    if NOT_NOW.contains(&code) {
        return Said::Away(whole);
    }
    let expected = expected.and_then(|it| it.parse().ok());
    match (code, table, expected) {
        (SEQUENCE_GAP, Some(table), Some(expected)) => Said::Gap {
            table: table.to_owned(),
            expected,
        },
        _ => Said::Broken(whole),
    }
}

/// What the status means that ended a stream.
pub(crate) fn of_stream(status: &Status) -> Said {
    let whole = format!("{:?}: {}", status.code(), status.message());
    if let Some(info) = status.get_details_error_info() {
        let field = |name: &str| info.metadata.get(name).map(String::as_str);
        let whole = format!("{} {:?}: {}", info.reason, info.metadata, status.message());
        return of_code(&info.reason, field("table"), field("expected"), whole);
    }
    match status.code() {
        Code::Unavailable
        | Code::Unknown
        | Code::Internal
        | Code::Cancelled
        | Code::Aborted
        | Code::DeadlineExceeded
        | Code::ResourceExhausted => Said::Away(whole),
        _ => Said::Broken(whole),
    }
}

/// How long a connection goes on without progress.
#[derive(Debug)]
pub(crate) struct Patience {
    what: String,
    limit: Duration,
    since: Instant,
    seen: u64,
    pause: Duration,
}

impl Patience {
    /// Begins now.
    pub(crate) fn new(what: String, limit: Duration) -> Self {
        Self {
            what,
            limit,
            since: Instant::now(),
            seen: 0,
            pause: PAUSE_FIRST,
        }
    }

    /// Pauses before the next attempt; `progress` grows with whatever was answered.
    pub(crate) async fn pause(&mut self, last: String, progress: u64) -> Result<(), LoadError> {
        if progress != self.seen {
            self.seen = progress;
            self.since = Instant::now();
            self.pause = PAUSE_FIRST;
        }
        let waited = self.since.elapsed();
        if waited > self.limit {
            return Err(LoadError::Patience {
                what: self.what.clone(),
                waited,
                last,
            });
        }
        tracing::debug!(load.connection = self.what, last, "connecting again");
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

    use super::{Patience, Said, of_stream};
    use crate::error::LoadError;

    fn ours(reason: &str, fields: &[(&str, &str)]) -> Status {
        let fields = fields
            .iter()
            .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
        let fields: HashMap<String, String> = fields.collect();
        let details = ErrorDetails::with_error_info(reason, "meterhouse", fields);
        Status::with_error_details(Code::FailedPrecondition, "send it", details)
    }

    /// The expected number is read; what may pass is waited for; everything else ends the run.
    #[test]
    fn statuses_are_told_apart() {
        let gap = of_stream(&ours("sequence_gap", &[("table", "T1"), ("expected", "7")]));
        let table = "T1".to_owned();
        assert_eq!(gap, Said::Gap { table, expected: 7 });
        for away in [
            ours("busy", &[]),
            ours("server_stops", &[]),
            Status::unavailable("the server stops"),
        ] {
            assert!(matches!(of_stream(&away), Said::Away(_)), "{away:?}");
        }
        for broken in [
            ours("sequence_reused", &[("table", "T1")]),
            ours("link_faulted", &[]),
            Status::unauthenticated("no token"),
        ] {
            assert!(matches!(of_stream(&broken), Said::Broken(_)), "{broken:?}");
        }
    }

    /// A server that stays away ends the run; one that answers now and then doesn't.
    #[tokio::test]
    async fn patience_ends_without_progress() {
        let away = || "away".to_owned();
        let mut patience = Patience::new("a stream".to_owned(), Duration::from_mins(1));
        for progress in 1..5 {
            let paused = patience.pause(away(), progress).await;
            assert!(paused.is_ok(), "{paused:?}");
        }
        patience.limit = Duration::ZERO;
        let ended = patience.pause(away(), 4).await;
        assert!(
            matches!(ended, Err(LoadError::Patience { .. })),
            "{ended:?}"
        );
    }
}
