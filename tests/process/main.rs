//! The program as people run it: its exit codes, what it prints, and that it goes on after every end.

#![expect(
    clippy::expect_used,
    clippy::panic,
    reason = "a test that can't go on fails"
)]

mod access;
mod charge;
mod checkpoints;
mod demo;
mod failures;
mod first_steps;
mod load;
mod manual;
mod output;
mod paytables;
mod postgres_killed;
mod printed;
mod program;
mod restored;
mod rights;
mod self_check;
mod serve;
mod verify;
