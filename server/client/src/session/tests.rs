//! The pauses between failures.

use std::time::Duration;

use super::{PAUSE_MAX, PAUSE_MIN, backoff};

#[test]
fn pauses_double_up_to_the_maximum_with_jitter() {
    /// The loss by rounding when a pause is doubled.
    const ROUNDING: Duration = Duration::from_millis(1);
    let mut least = PAUSE_MIN;
    for pause in backoff().take(12) {
        assert!(pause + ROUNDING >= least, "{pause:?}, not {least:?}");
        assert!(pause <= least * 2 + ROUNDING, "{pause:?}, not {least:?}");
        least = PAUSE_MAX.min(least * 2);
    }
    assert_eq!(least, PAUSE_MAX);
}
