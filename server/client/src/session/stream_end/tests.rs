//! The statuses that stop a table, and those that are retried.

use std::time::Duration;

use tonic::{Code, Status};
use tonic_types::{ErrorDetails, StatusExt as _};

use super::{DOMAIN, classify};
use crate::error::Stopped;
use crate::session::StreamEnd;
use crate::status::Offline;

/// The server's statuses with their codes.
const RETRIED: [(Code, &str); 11] = [
    (Code::Unavailable, "busy"),
    (Code::Unavailable, "database_unavailable"),
    (Code::Unavailable, "database_not_writable"),
    (Code::Unavailable, "outcome_unknown"),
    (Code::Unavailable, "link_faulted"),
    (Code::Unavailable, "server_stops"),
    (Code::Internal, "internal"),
    (Code::Aborted, "sequence_gap"),
    (Code::ResourceExhausted, "too_many_requests"),
    (Code::ResourceExhausted, "answers_not_read"),
    (Code::DeadlineExceeded, "nothing_attached"),
];
const STOPPING: [(Code, &str); 7] = [
    (Code::Unauthenticated, "unauthenticated"),
    (Code::PermissionDenied, "forbidden"),
    (Code::NotFound, "unknown_table"),
    (Code::Aborted, "sequence_reused"),
    (Code::OutOfRange, "sequence_archived"),
    (Code::InvalidArgument, "malformed_body"),
    (Code::ResourceExhausted, "body_too_large"),
];

fn end_of(domain: &str, (status, code): (Code, &str), pause: Option<Duration>) -> StreamEnd {
    let mut details = ErrorDetails::new();
    details.set_error_info(code, domain, [("table".to_owned(), "T-1".to_owned())]);
    if let Some(pause) = pause {
        details.set_retry_info(Some(pause));
    }
    classify(&Status::with_error_details(status, "what it says", details))
}

#[test]
fn a_retryable_status_is_retried_after_the_pause_asked_for() {
    let two = Duration::from_secs(2);
    for case in RETRIED {
        let StreamEnd::Retry { reason, pause } = end_of(DOMAIN, case, Some(two)) else {
            panic!("{case:?} stops");
        };
        let expected = Offline::Unavailable {
            code: case.1.to_owned(),
            detail: "what it says".to_owned(),
        };
        assert_eq!((reason, pause), (expected, two));
    }
}

/// The reason has the status's code and fields.
#[test]
fn a_status_about_the_table_stops_it() {
    for case in STOPPING {
        let ended = end_of(DOMAIN, case, None);
        let StreamEnd::Stopped(Stopped::Refused { code, fields, .. }) = ended else {
            panic!("{case:?} does not stop");
        };
        assert_eq!((code.as_str(), fields["table"].as_str()), (case.1, "T-1"));
    }
}

/// A proxy's status never stops a table.
#[test]
fn a_status_of_another_sender_stops_nothing() {
    let foreign = end_of("example.com", (Code::PermissionDenied, "forbidden"), None);
    let bare = classify(&Status::unauthenticated("log in to the proxy"));
    for ended in [foreign, bare] {
        let StreamEnd::Retry { reason, .. } = ended else {
            panic!("{ended:?}");
        };
        assert!(matches!(reason, Offline::Unreachable { .. }), "{reason:?}");
    }
}
