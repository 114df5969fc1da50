//! Which statuses stop a table, and which don't.

use std::time::Duration;

use tonic::{Code, Status};
use tonic_types::{ErrorDetails, StatusExt as _};

use super::{DOMAIN, of};
use crate::error::Stopped;
use crate::session::Ended;
use crate::status::Offline;

/// What the server says, with its codes as they are.
const AGAIN: [(Code, &str); 11] = [
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
const STOPS: [(Code, &str); 6] = [
    (Code::Unauthenticated, "unauthenticated"),
    (Code::PermissionDenied, "forbidden"),
    (Code::NotFound, "unknown_table"),
    (Code::Aborted, "sequence_reused"),
    (Code::InvalidArgument, "malformed_body"),
    (Code::ResourceExhausted, "body_too_large"),
];

fn said(domain: &str, (status, code): (Code, &str), pause: Option<Duration>) -> Ended {
    let mut details = ErrorDetails::new();
    details.set_error_info(code, domain, [("table".to_owned(), "T-1".to_owned())]);
    if let Some(pause) = pause {
        details.set_retry_info(Some(pause));
    }
    of(&Status::with_error_details(status, "what it says", details))
}

/// What waiting can mend, with the pause that the server asks for.
#[test]
fn what_waiting_mends_is_tried_again() {
    let two = Duration::from_secs(2);
    for said_so in AGAIN {
        let Ended::Again { reason, pause } = said(DOMAIN, said_so, Some(two)) else {
            panic!("{said_so:?} stops");
        };
        let expected = Offline::Told {
            code: said_so.1.to_owned(),
            detail: "what it says".to_owned(),
        };
        assert_eq!((reason, pause), (expected, two));
    }
}

/// What is said of the table, its token or its command, with its fields.
#[test]
fn what_no_retry_mends_stops() {
    for said_so in STOPS {
        let ended = said(DOMAIN, said_so, None);
        let Ended::Stopped(Stopped::Refused { code, fields, .. }) = ended else {
            panic!("{said_so:?} does not stop");
        };
        assert_eq!(
            (code.as_str(), fields["table"].as_str()),
            (said_so.1, "T-1")
        );
    }
}

/// A proxy's word is no verdict.
#[test]
fn others_stop_nothing() {
    let foreign = said("example.com", (Code::PermissionDenied, "forbidden"), None);
    let bare = of(&Status::unauthenticated("log in to the proxy"));
    for ended in [foreign, bare] {
        let Ended::Again { reason, .. } = ended else {
            panic!("{ended:?}");
        };
        assert!(matches!(reason, Offline::Unreachable { .. }), "{reason:?}");
    }
}
