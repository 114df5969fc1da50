//! Simulated tables: what `meterhouse demo` plays, and the first program that uses the API as any maker of controllers
//! would.
//!
//! # Shape
//! [`prepare()`] opens links and tables, [`run()`] plays. A felt is one task: it draws a whole round from its own
//! seeded generator (`script`), and its one or two tables carry it out side by side (`play`). Each table has a
//! controller of `meterhouse-client` (`table`) behind a cable that fails on purpose (`cable`). People speak HTTP
//! (`client`): the floor is one task a supervisor (`floor`). They share nothing but the server, as in a casino, a bell
//! to call the floor with, and the [`Summary`]'s books. Once in a longer demo things go wrong on purpose (`shift` says
//! when, `incident` what).
//!
//! # What bounds it
//! One command in flight a table. Every request, every wait for an outcome or for the floor and every attempt to reach a
//! server that went away has a named limit; what exceeds it, and every answer that is not expected, ends the run with
//! the request and the answer in the error.
//!
//! # What is reproducible
//! What is dealt, wagered, folded and pressed by mistake at each felt, which incident comes when, and which hits are
//! rejected: all of it follows from the seed; which messages of a round are sent twice or lose their answer does too,
//! up to where the server draws a bonus or makes a table wait. In which order the tables reach the server, and so the
//! amounts, does not.

mod amount;
mod bonus;
mod books;
mod cable;
mod chances;
mod client;
mod coin_in;
mod deal;
mod defaults;
mod error;
mod felt;
mod floor;
mod game;
mod incident;
mod limits;
mod office;
mod plan;
mod play;
mod prepare;
mod report;
mod requests;
mod run;
mod script;
mod seating;
mod settle;
mod shift;
mod stage;
mod stop;
mod table;
mod table_seat;
#[cfg(test)]
mod tests;
mod wire;
mod world;

pub use amount::{parse as parse_amount, show as show_amount};
pub use books::BookLine;
pub use client::{Client, Reply, Request};
pub use defaults::default_links;
pub use error::SimulatorError;
pub use game::GamePlan;
pub use plan::{
    Gateway, LevelPlan, LinePlan, LinkPlan, PaysPlan, Plan, PlanImpossible, SettingsPlan,
    TablePlan, Tokens,
};
pub use prepare::prepare;
pub use report::{is_balanced, render_reconciliation};
pub use run::{Progress, Summary, keep_alive, run};
pub use stage::{Stage, StageUnreadable};
