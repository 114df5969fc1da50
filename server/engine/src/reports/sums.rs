//! The line for pays without a level, and the denial for a sum beyond the range of money.

use crate::answer::NotExecuted;

/// The name of the line for pays that touch no meter.
pub(crate) const FIXED: &str = "fixed";

/// Returns the denial for a sum beyond the range of money.
pub(crate) fn too_much() -> NotExecuted {
    NotExecuted::LinkFaulted {
        reason: "a sum of the report leaves the range of money".to_owned(),
    }
}
