//! The program as users run it: its exit codes, its output, and its restart after any end.

#![expect(
    clippy::expect_used,
    clippy::panic,
    reason = "a test that can't go on fails"
)]

mod access;
mod announced;
mod archive;
mod bad_machine;
mod bad_settings;
mod charge;
mod checkpoints;
mod config;
mod demo;
mod evidence;
mod export;
mod failures;
mod first_steps;
mod fixed_wagers;
mod jurisdiction;
mod keys;
mod load;
mod manual;
mod monitoring;
mod openapi;
mod outage;
mod output;
mod pages;
mod paytables;
mod people;
mod pkcs11;
mod policy;
mod postgres_killed;
mod program;
mod ready;
mod restored;
mod rights;
mod self_check;
mod serve;
mod settle;
mod telemetry;
mod tls;
mod upgrade;
mod verify;
mod without_postgres;
mod witness;
