//! Whole runs against a mock server in this process, correct or misbehaving.

mod mock;
mod runs;
