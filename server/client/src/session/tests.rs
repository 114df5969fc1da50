//! How long is waited from one failure to the next.

use std::time::Duration;

use super::{PAUSE_MAX, PAUSE_MIN, pauses};

/// Doubled up to the longest, each with as much again at most by chance.
#[test]
fn pauses_grow() {
    /// What is lost where the doubling is rounded.
    const ROUNDED: Duration = Duration::from_millis(1);
    let mut least = PAUSE_MIN;
    for pause in pauses().take(12) {
        assert!(pause + ROUNDED >= least, "{pause:?}, not {least:?}");
        assert!(pause <= least * 2 + ROUNDED, "{pause:?}, not {least:?}");
        least = PAUSE_MAX.min(least * 2);
    }
    assert_eq!(least, PAUSE_MAX);
}
