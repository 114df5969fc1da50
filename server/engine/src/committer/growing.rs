//! A batch that grows while it waits to be sent.

use meterhouse_store::{NewBatch, OpenBatch};

use super::decided::{DecidedBatch, DecidedRequest};
use super::decider::Decider;
use super::draft::Draft;
use super::replica::Replica;
use super::request::{BATCH_COMMANDS_MAX, Request};
use crate::trace::BatchSpan;

/// A batch that is on its way to the database, and its requests.
pub(crate) struct Growing<'a> {
    pub(crate) open: &'a OpenBatch,
    pub(crate) batch: &'a mut DecidedBatch,
    /// Returns the content of the statement. The draft's rows are moved into it.
    pub(crate) content: &'a (dyn Fn(&mut Draft, &Replica) -> NewBatch + Sync),
    pub(crate) span: &'a mut BatchSpan,
}

impl Growing<'_> {
    /// Decides requests as part of the batch. Returns `false`, and leaves the requests, if the batch does not grow any more.
    pub(crate) fn add(
        &mut self,
        decider: &Decider,
        replica: &Replica,
        requests: &mut Vec<Request>,
    ) -> bool {
        if self.batch.requests.len() + requests.len() > BATCH_COMMANDS_MAX {
            return false;
        }
        self.open.grow(requests.len(), |new| {
            let before = self.batch.requests.len();
            self.batch.draft.take_back(new);
            decider.extend(replica, self.batch, requests.drain(..));
            *new = (self.content)(&mut self.batch.draft, replica);
            let added = self.batch.requests.iter().skip(before);
            self.span.add(added.filter_map(DecidedRequest::caller));
        })
    }
}
