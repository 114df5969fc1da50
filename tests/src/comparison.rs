//! Pure parts of the comparison in `tests/compare`: the order of a round, ratios a round, and the output of foreign
//! benchmarks. All figures are integers.

pub mod foreign;
pub mod rounds;
