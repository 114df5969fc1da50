//! The reaction to a status that ends a stream: retry, or stop for a person to intervene.
//!
//! # Only the server itself can stop a table
//! Networks and proxies stand between the table and the server, and their statuses are not authoritative. A status
//! stops a table only if Meterhouse itself sent it, with an `ErrorInfo`.

use std::time::Duration;

use tonic::{Code, Status};
use tonic_types::StatusExt as _;

use super::StreamEnd;
use crate::error::Stopped;
use crate::status::Offline;

/// The domain in the `ErrorInfo` of Meterhouse.
const DOMAIN: &str = "meterhouse";
/// Codes that no retry resolves, although other codes with their status may be retried.
const FATAL_CODES: [&str; 2] = ["body_too_large", "sequence_reused"];

/// Classifies the status that ended a stream.
pub(super) fn classify(status: &Status) -> StreamEnd {
    let details = status.get_error_details();
    let Some(info) = details.error_info().filter(|info| info.domain == DOMAIN) else {
        let message = status.message();
        let what = if message.is_empty() {
            status.code().description()
        } else {
            message
        };
        return StreamEnd::retry(Offline::Unreachable {
            what: what.to_owned(),
        });
    };
    let detail = status.message().to_owned();
    if is_retryable(status.code()) && !FATAL_CODES.contains(&info.reason.as_str()) {
        let pause = details.retry_info().and_then(|retry| retry.retry_delay);
        return StreamEnd::Retry {
            reason: Offline::Unavailable {
                code: info.reason.clone(),
                detail,
            },
            pause: pause.unwrap_or(Duration::ZERO),
        };
    }
    let fields = info.metadata.iter();
    StreamEnd::Stopped(Stopped::Refused {
        code: info.reason.clone(),
        detail,
        fields: fields
            .map(|(name, value)| (name.clone(), value.clone()))
            .collect(),
    })
}

/// Returns `true` if a retry may succeed. A status about the table, its token or its command does not change.
const fn is_retryable(code: Code) -> bool {
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
