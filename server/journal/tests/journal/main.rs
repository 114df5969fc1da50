//! The journal's form: round trips, changed bytes, hostile bytes, fixed bytes, the projection of hits.
#![expect(clippy::unwrap_used, reason = "in tests the panic is the message")]

mod chained;
mod changed_hits;
mod exports;
mod golden;
mod hits;
mod hostile;
mod months;
mod random;
mod random_changes;
mod random_commands;
mod random_state;
mod random_terms;
mod random_wagers;
mod round_trip;
mod sample_changes;
mod sample_commands;
mod sample_terms;
mod sample_wagers;
mod samples;
mod signing_keys;
mod snapshots;
mod tree_heads;
mod trees;
