//! The server across the wire: real engine, real router, real Postgres, a file a capability.

#![expect(
    clippy::expect_used,
    clippy::panic,
    reason = "a test that can't go on fails"
)]

mod alterations;
mod append_only;
mod attempts;
mod badge;
mod binary_feed;
mod bodies;
mod ceilings;
mod checkpoints;
mod closings;
mod connections;
mod consistency;
mod corrections;
mod counted;
mod csv;
mod displayed;
mod draws;
mod dry_runs;
mod evidence;
mod exceptions;
mod exports;
mod faults;
mod feed;
mod figures;
mod figures_of_amounts;
mod figures_of_voids;
mod four_levels;
mod games;
mod grouped_displays;
mod history;
mod hit_rows;
mod hostile;
mod house_chain;
mod large_wins;
mod late_hits;
mod liability;
mod limits;
mod link_states;
mod lists;
mod lost_tables;
mod moments;
mod nodes;
mod openapi;
mod orders;
mod pages;
mod paths;
mod payments;
mod payoffs;
mod paytables;
mod people;
mod periods;
mod plain_commands;
mod policy;
mod presentation;
mod proof;
mod public_sign;
mod readiness;
mod repeats;
mod report_limits;
mod reports;
mod restored;
mod returns;
mod roles;
mod rolled_settlements;
mod rounds;
mod screens;
mod settle;
mod settlements;
mod setup;
mod slip_amounts;
mod slips;
mod slow_display;
mod states;
mod strangers;
mod table_hits;
mod tables;
mod tampering;
mod themes;
mod two_people;
mod values;
mod witness;
