//! The limits of a dealer's waits.

use std::time::Duration;

use tokio::time::timeout;

use crate::error::SimulatorError;

/// How long a dealer waits for the floor or for the link, a restart of the server included.
pub(crate) const WAIT_MAX: Duration = Duration::from_mins(2);
/// The first pause before a dealer looks again whether the floor is done.
pub(crate) const LOOK_FIRST: Duration = Duration::from_millis(2);

/// Waits for something for [`WAIT_MAX`].
pub(crate) async fn in_time<T>(
    what: impl FnOnce() -> String,
    coming: impl Future<Output = T>,
) -> Result<T, SimulatorError> {
    let came = timeout(WAIT_MAX, coming).await;
    came.map_err(|_| SimulatorError::NotInTime {
        what: what(),
        waited: WAIT_MAX,
    })
}
