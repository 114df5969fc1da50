//! The reasons of faults that several modules of the engine use.

/// Prefix of the reason of a link that was restored to an older state. Until the fault is cleared, two people may
/// adjust the link's meters.
pub(crate) const RESTORED_FAULT: &str = "the journal is not the one that was acknowledged";

/// Reason of a link whose batch the database refused to store. The log has the cause.
pub(crate) const BATCH_REFUSED: &str =
    "a change would have broken the books; the database did not store it";

/// Reason of a link that has no row for its head.
pub(crate) const HEAD_MISSING: &str = "the link's head is missing";
