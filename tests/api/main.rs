//! The server across the wire: real engine, real router, real Postgres, a file a capability.

#![expect(
    clippy::expect_used,
    clippy::panic,
    clippy::tests_outside_test_module,
    reason = "tests"
)]

mod figures;
