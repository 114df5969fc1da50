//! What a status means: again, or a person has to look.
//!
//! # Why only the server itself can stop a table
//! Between the table and the server stand networks and proxies, whose word is no verdict. What stops a table is said
//! by Meterhouse itself, in the status's `ErrorInfo`.

use std::time::Duration;

use tonic::{Code, Status};
use tonic_types::StatusExt as _;

use super::Ended;
use crate::error::Stopped;
use crate::status::Offline;

/// Who speaks in an `ErrorInfo` of ours.
const DOMAIN: &str = "meterhouse";
/// Codes that need a person although others with their status don't.
const FOR_A_PERSON: [&str; 2] = ["body_too_large", "sequence_reused"];

/// What a stream's status means.
pub(super) fn of(status: &Status) -> Ended {
    let details = status.get_error_details();
    let Some(ours) = details.error_info().filter(|it| it.domain == DOMAIN) else {
        let said = status.message();
        let what = if said.is_empty() {
            status.code().description()
        } else {
            said
        };
        return Ended::because(Offline::Unreachable {
            what: what.to_owned(),
        });
    };
    let detail = status.message().to_owned();
    if is_mended_by_retries(status.code()) && !FOR_A_PERSON.contains(&ours.reason.as_str()) {
        let asked = details.retry_info().and_then(|it| it.retry_delay);
        return Ended::Again {
            reason: Offline::Told {
                code: ours.reason.clone(),
                detail,
            },
            pause: asked.unwrap_or(Duration::ZERO),
        };
    }
    let fields = ours.metadata.iter();
    Ended::Stopped(Stopped::Refused {
        code: ours.reason.clone(),
        detail,
        fields: fields
            .map(|(name, value)| (name.clone(), value.clone()))
            .collect(),
    })
}

/// Whether the same, sent again, may be answered. What is said of the table, its token or its command stays.
const fn is_mended_by_retries(code: Code) -> bool {
    match code {
        Code::Unauthenticated
        | Code::PermissionDenied
        | Code::NotFound
        | Code::InvalidArgument
        | Code::AlreadyExists
        | Code::FailedPrecondition
        | Code::OutOfRange
        | Code::Unimplemented
        | Code::DataLoss => false,
        Code::Ok
        | Code::Cancelled
        | Code::Unknown
        | Code::DeadlineExceeded
        | Code::ResourceExhausted
        | Code::Aborted
        | Code::Internal
        | Code::Unavailable => true,
    }
}

#[cfg(test)]
mod tests;
