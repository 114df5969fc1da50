//! The limits of a dealer's waits.

use std::time::Duration;

/// How long a dealer waits for the floor or for the link, a restart of the server included.
pub(crate) const WAIT_MAX: Duration = Duration::from_mins(2);
/// The first pause before a dealer looks again whether the floor is done.
pub(crate) const LOOK_FIRST: Duration = Duration::from_millis(2);
