//! The decider: decides requests on a draft, by the rules, the clock and the random source.

use std::sync::Arc;

use super::clock::Clock;
use super::decided::{DecidedBatch, DecidedRequest};
use super::draft::{Base, Draft};
use super::entropy::{self, EntropySource};
use super::published_state::PublishedState;
use super::refusal_limit::RefusalLimit;
use super::replica::Replica;
use super::request::Request;
use crate::clock::now;

/// The clock and the random source of a committer.
pub(crate) struct Sources {
    pub(crate) clock: Clock,
    pub(crate) entropy: EntropySource,
}

impl Sources {
    /// Returns the clock and the random source of the operating system.
    pub(crate) fn system() -> Self {
        Self {
            clock: Arc::new(now),
            entropy: Arc::new(entropy::system),
        }
    }
}

/// The decider of one link.
pub(crate) struct Decider {
    sources: Sources,
    limit: RefusalLimit,
    /// Contains the result of the books' check. No coin-in is accepted before the books passed.
    published: Arc<PublishedState>,
}

impl Decider {
    pub(crate) fn new(sources: Sources, published: Arc<PublishedState>) -> Self {
        Self {
            sources,
            limit: RefusalLimit::new(),
            published,
        }
    }

    /// Returns the base of the batch that follows the replica's.
    pub(crate) fn base<'a>(&'a self, replica: &'a Replica) -> Base<'a> {
        Base {
            state: replica.state(),
            before: None,
            recent: replica.recent(),
            hits: replica.hits(),
            entropy: &self.sources.entropy,
            batch: replica.head().batch + 1,
            at: (self.sources.clock)(),
            books_passed: self.published.books_passed(),
        }
    }

    /// Returns the base of the batch that follows a draft while the draft is committed as this batch.
    pub(crate) fn base_after<'a>(
        &'a self,
        replica: &'a Replica,
        draft: &'a Draft,
        batch: u64,
    ) -> Base<'a> {
        Base {
            state: &draft.state,
            before: Some(draft),
            batch: batch + 1,
            ..self.base(replica)
        }
    }

    /// Decides requests as one batch.
    pub(crate) fn decide(&self, replica: &Replica, requests: Vec<Request>) -> DecidedBatch {
        let base = self.base(replica);
        let mut draft = Draft::new(&base, requests.len());
        let decide = |request| self.decide_one(&mut draft, &base, request);
        let requests = requests.into_iter().map(decide).collect();
        DecidedBatch { draft, requests }
    }

    /// Adds requests to a batch that was decided on the replica's head, at the batch's own time.
    pub(crate) fn extend(
        &self,
        replica: &Replica,
        batch: &mut DecidedBatch,
        more: impl IntoIterator<Item = Request>,
    ) {
        let base = Base {
            at: batch.draft.at,
            ..self.base(replica)
        };
        let DecidedBatch { draft, requests } = batch;
        requests.extend(
            more.into_iter()
                .map(|request| self.decide_one(draft, &base, request)),
        );
    }

    /// Decides one request on a draft.
    pub(crate) fn decide_one(
        &self,
        draft: &mut Draft,
        base: &Base<'_>,
        request: Request,
    ) -> DecidedRequest {
        match request {
            Request::Command(request) => {
                let verdict = draft.decide(base, &self.limit, &request.envelope);
                DecidedRequest::Command(request, verdict)
            }
            Request::State(request) => DecidedRequest::State(request),
        }
    }
}
