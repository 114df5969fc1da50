//! The limits of a dealer's waits.

use std::time::Duration;

use tokio::time::timeout;

use crate::error::SimulatorError;

/// Maximum wait of a dealer for a supervisor or for the link, a restart of the server included.
pub(crate) const WAIT_MAX: Duration = Duration::from_mins(2);
/// Pause before the second poll of a hit's state.
pub(crate) const POLL_FIRST: Duration = Duration::from_millis(2);

/// Waits for a result for at most [`WAIT_MAX`].
///
/// # Errors
/// [`SimulatorError::NotInTime`] with the text of `what`.
pub(crate) async fn within_wait_max<T>(
    what: impl FnOnce() -> String,
    awaited: impl Future<Output = T>,
) -> Result<T, SimulatorError> {
    let result = timeout(WAIT_MAX, awaited).await;
    result.map_err(|_| SimulatorError::NotInTime {
        what: what(),
        waited: WAIT_MAX,
    })
}
