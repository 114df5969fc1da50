//! The verdict on one command of a batch.

use meterhouse_domain::ids::{Sequence, TableNo};

use crate::answer::{NotExecuted, Outcome};

/// The verdict on one command of a batch.
#[derive(Debug)]
pub(crate) enum Verdict {
    /// The outcome at this index of the draft, once the draft is committed.
    Committed(usize),
    /// The same outcome, for a replay of the command within the batch.
    CommittedAgain(usize),
    /// The first outcome again, from the replica. A table's sequence numbers only increase, so the outcome can't be
    /// stale.
    Again(Box<Outcome>),
    /// A denial that does not depend on the database.
    Now(NotExecuted),
    /// A denial that holds only if the head has not moved.
    Confirmed(NotExecuted),
    /// The same decision by the same person was made before. Holds only if the head has not moved.
    DoneBefore,
    /// A sequence number so old that the journal has to be read.
    Find(TableNo, Sequence),
}
