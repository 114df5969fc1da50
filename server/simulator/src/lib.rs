//! Simulated tables for `meterhouse demo`: the first program that uses the API as any maker of controllers would.
//!
//! # Shape
//! [`prepare()`] opens links and tables, and [`run()`] plays. A physical table is one task (`physical_table`). The task
//! draws a whole round from its own seeded generator (`script`), and its tables play the round concurrently (`play`).
//! Each table has a controller of `meterhouse-client` (`table_controller`) behind a network proxy that fails on purpose
//! (`proxy`). Supervisors and managers use HTTP. Each supervisor is one task (`supervisor`).
//!
//! Tasks share the server, the calls for a supervisor, and the counters for the [`Summary`]. A longer demo has staged
//! incidents: `incident_schedule` decides the round of each, and `incident` plays them.
//!
//! # Limits
//! One command in flight for each table. Each request, each wait for an outcome or a supervisor, and each attempt to
//! reach the server has a named limit. A wait beyond its limit ends the run. An unexpected response does too, with the
//! request and the response in the error.
//!
//! # Reproducibility
//! The seed decides the cards, wagers, folds and mistakes at each physical table, the round of each incident, and the
//! rejected hits. The seed also decides which commands of a round are sent twice or lose their response, until the
//! server draws a bonus or makes a table wait. The order in which tables reach the server is not reproducible, and
//! neither are the amounts.

mod bonus;
mod coin_in;
mod commands;
mod context;
mod counters;
mod deal;
mod defaults;
mod error;
mod game;
mod incident;
mod incident_schedule;
mod limits;
mod manager;
mod physical_table;
mod plan;
mod play;
mod prepare;
mod probabilities;
mod proxy;
mod reconciliation;
mod run;
mod script;
mod seating;
mod settle;
mod simulated_table;
mod stage;
mod stop;
mod supervisor;
mod table_controller;
#[cfg(test)]
mod tests;

pub use counters::ComparedSum;
pub use defaults::default_links;
pub use error::SimulatorError;
pub use game::GamePlan;
pub use plan::{
    Gateway, LevelPlan, LinePlan, LinkPlan, PaysPlan, Plan, PlanImpossible, SettingsPlan,
    TablePlan, Tokens,
};
pub use prepare::{prepare, prepare_with};
pub use reconciliation::{is_balanced, render_reconciliation};
pub use run::{Progress, Summary, keep_alive, run};
pub use stage::{Stage, StageUnreadable};
