//! A figure to reach, and the stage on which it is taken.
//!
//! # Shape
//! A section of figures is a function `measure(&Stage) -> Result<Vec<Figure>, Failure>`. The [`Stage`] has a private
//! Postgres (`stage.postgres`), what the caller chose (`stage.options`: `rounds`, `length` of one measurement, `quiet`), and
//! a server as a process of its own on a fresh database (`stage.ours`, see [`Ours`]):
//!
//! - `ours.http()`, `ours.grpc()`: its addresses, `http://127.0.0.1:…`; `ours.pid()`: its process
//! - `ours.memory()`: KiB of its process in use, and the most it was
//! - `ours.plan(prefix, length)`: a load of 512 tables on one link `<prefix>-1`, to be changed; `ours.play(plan).await`
//!   plays it and fails where the books differ
//! - `ours.seated(&plan).await`: opens the links and tables of a plan and answers the `Tokens` of all who take part,
//!   those of controllers by the names of their tables, `<prefix>-1-1` and so on
//! - `ours.node().await`: another server on the same database: `http`, `grpc`, `pid()`, `stop()`
//! - `stage.on_fresh("name", async |ours| …).await`: the same on another [`Ours`] with a database of its own, which is
//!   stopped afterwards
//! - `stage.settle().await`: a `CHECKPOINT`, then a wait for a quiet machine; before each measurement

use std::path::PathBuf;

use meterhouse_postgres::Server;

use crate::options::Options;
use crate::ours::Ours;
use crate::{Failure, ground, machine};

/// One row of the table.
#[derive(Clone, Debug)]
pub(crate) struct Figure {
    /// What, and under which conditions.
    pub(crate) what: String,
    /// What was measured, in words, with its unit.
    pub(crate) measured: String,
    /// What the project asks for; empty where it asks for nothing.
    pub(crate) asked: String,
    /// Whether it is reached; nothing where nothing is asked, or where it can't be told.
    pub(crate) met: Option<bool>,
}

/// Where figures are taken.
pub(crate) struct Stage {
    /// The private Postgres of all.
    pub(crate) postgres: Server,
    /// What the caller chose.
    pub(crate) options: Options,
    /// The server that most sections play against.
    pub(crate) ours: Ours,
    /// The server's program.
    pub(crate) program: PathBuf,
}

impl Figure {
    /// A row.
    pub(crate) fn new(
        what: impl Into<String>,
        measured: impl Into<String>,
        asked: impl Into<String>,
        met: Option<bool>,
    ) -> Self {
        Self {
            what: what.into(),
            measured: measured.into(),
            asked: asked.into(),
            met,
        }
    }

    /// The row as it is printed.
    pub(crate) fn row(&self) -> String {
        let met = match self.met {
            Some(true) => "met",
            Some(false) => "**missed**",
            None => "",
        };
        let (what, measured, asked) = (&self.what, &self.measured, &self.asked);
        format!("| {what} | {measured} | {asked} | {met} |")
    }
}

impl Stage {
    /// What is measured on a server of its own, with a new database of this name.
    pub(crate) async fn on_fresh<T>(
        &self,
        database: &str,
        measured: impl AsyncFnOnce(&mut Ours) -> Result<T, Failure>,
    ) -> Result<T, Failure> {
        let mut ours = ground::ours(&self.postgres, &self.program, database).await?;
        let measured = measured(&mut ours).await;
        ours.stop().await?;
        measured
    }

    /// A checkpoint, and a quiet machine.
    pub(crate) async fn settle(&self) -> Result<(), Failure> {
        ground::execute(&self.postgres.connect_options(), "CHECKPOINT").await?;
        machine::quiet(self.postgres.pid(), self.options.quiet).await
    }
}
