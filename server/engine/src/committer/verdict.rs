//! The verdict on one command of a batch.

use meterhouse_domain::ids::{Sequence, TableNo};

use crate::answer::{Denied, Outcome};

/// The verdict on one command of a batch.
#[derive(Debug)]
pub(crate) enum Verdict {
    /// The outcome at this index of the draft, once the draft is committed.
    Committed(usize),
    /// The same outcome, for a repeat of the command within the batch.
    CommittedAgain(usize),
    /// The first answer again, from the replica. A table's last number only grows, so the answer can't be stale.
    Again(Box<Outcome>),
    /// A denial that does not depend on the database.
    Now(Denied),
    /// A denial that holds if the journal's head is still where the replica is.
    Confirmed(Denied),
    /// The same person did it before. Holds under the same condition.
    DoneBefore,
    /// A number so old that the journal has to be read.
    Find(TableNo, Sequence),
}
