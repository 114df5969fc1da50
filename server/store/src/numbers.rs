//! Conversions of numbers to the database's types.

use meterhouse_journal::position::Position;

/// Returns a limit as the driver takes it, from 1 to `most`.
pub(crate) fn bounded(limit: usize, most: usize) -> i64 {
    i64::try_from(limit.clamp(1, most)).unwrap_or(i64::MAX)
}

/// Returns a number as a `bigint`. A number that the database can't hold becomes the greatest one.
pub(crate) fn to_bigint(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

/// Returns the columns of a position. A number that the database can't hold becomes the greatest one.
pub(crate) fn to_columns(position: Position) -> (i64, i32) {
    let index = i32::try_from(position.index).unwrap_or(i32::MAX);
    (to_bigint(position.batch), index)
}
