//! A decided batch: the draft, and each request with its verdict.

use opentelemetry::trace::SpanContext;

use super::draft::{Base, Draft};
use super::request::{CommandRequest, Request, StateRequest};
use super::verdict::Verdict;

/// A request with its verdict. A query of the state has none.
pub(crate) enum DecidedRequest {
    /// A command and its verdict.
    Command(CommandRequest, Verdict),
    /// A query of the state.
    State(StateRequest),
}

/// A decided batch that is not committed yet.
pub(crate) struct DecidedBatch {
    pub(crate) draft: Draft,
    pub(crate) requests: Vec<DecidedRequest>,
}

impl DecidedBatch {
    /// Returns an empty batch on this base, with capacity for this number of commands.
    pub(crate) fn new(base: &Base<'_>, commands: usize) -> Self {
        Self {
            draft: Draft::new(base, commands),
            requests: Vec::with_capacity(commands),
        }
    }
}

impl DecidedRequest {
    /// Returns `true` if the reply comes from the replica and holds only while the head has not moved.
    pub(crate) const fn needs_confirmation(&self) -> bool {
        match self {
            Self::State(_) | Self::Command(_, Verdict::Confirmed(_) | Verdict::DoneBefore) => true,
            Self::Command(
                _,
                Verdict::Committed(_)
                | Verdict::CommittedAgain(_)
                | Verdict::Again(_)
                | Verdict::Now(_)
                | Verdict::Find(..),
            ) => false,
        }
    }

    /// Returns the caller's span, if the command is traced.
    pub(crate) fn caller(&self) -> Option<&SpanContext> {
        match self {
            Self::Command(request, _) => request.caller.as_deref(),
            Self::State(_) => None,
        }
    }

    /// Drops the verdict.
    pub(crate) fn undecided(self) -> Request {
        match self {
            Self::Command(request, _) => Request::Command(request),
            Self::State(request) => Request::State(request),
        }
    }
}

/// Drops the verdicts of all requests.
pub(crate) fn undecided(requests: Vec<DecidedRequest>) -> Vec<Request> {
    requests
        .into_iter()
        .map(DecidedRequest::undecided)
        .collect()
}
