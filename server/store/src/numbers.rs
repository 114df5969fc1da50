//! Numbers as the database holds them.

/// A limit as the driver takes it: from 1 to `most`.
pub(crate) fn bounded(limit: usize, most: usize) -> i64 {
    i64::try_from(limit.clamp(1, most)).unwrap_or(i64::MAX)
}

/// A number as the database holds it; one that it can't hold is behind all that it does.
pub(crate) fn stored(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}
