//! What a load found: figures, and checks of the books.

use std::collections::BTreeMap;
use std::fmt::{self, Display, Formatter};
use std::time::Duration;

use serde::Serialize;

use crate::figures::{CpuUsed, Interval, Latency, Millis};
use crate::plan::{Pace, Plan, Way};

/// What a load found.
#[derive(Clone, Debug, Serialize)]
pub struct Report {
    /// How it was played, in words.
    pub played: String,
    /// Commands with an outcome, warm-up and the closing of open rounds among them.
    pub commands: u64,
    /// Commands whose outcome came while it was measured.
    pub measured: u64,
    /// For how long it was measured, in microseconds.
    pub measured_micros: u64,
    /// Commands a second while it was measured.
    pub a_second: u64,
    /// Of all commands that were due while it was measured.
    pub latency: Latency,
    /// Of the hits among them.
    pub hits: Latency,
    /// How late the generator itself sent what was planned; only in an open loop. What was due while it had to wait,
    /// for an answer, a connection or the floor, is not among it: that is in the latency alone.
    pub delay: Option<Latency>,
    /// Commands that were planned and not sent before the end: the server is slower than the plan.
    pub unsent: u64,
    /// Refusals by the rules, by their code.
    pub refusals: BTreeMap<String, u64>,
    /// Commands that were sent again because their answer was lost.
    pub resent: u64,
    /// Connections that were opened again because they were lost.
    pub reconnects: u64,
    /// Connections that were cut on purpose.
    pub cuts: u64,
    /// Commands that were sent twice on purpose.
    pub repeats: u64,
    /// Later numbers that were sent first on purpose.
    pub reorderings: u64,
    /// Processor time while it was measured.
    pub cpu: CpuUsed,
    /// The measured time, interval by interval.
    pub intervals: Vec<Interval>,
    /// The books.
    pub checks: Vec<Check>,
}

/// One figure that was counted by the generator and by the server.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Check {
    /// What.
    pub what: String,
    /// What the generator counted.
    pub expected: String,
    /// What the server says.
    pub found: String,
}

impl Check {
    /// A check of something that people can read.
    pub(crate) fn new(
        what: impl Into<String>,
        expected: &impl ToString,
        found: &impl ToString,
    ) -> Self {
        Self {
            what: what.into(),
            expected: expected.to_string(),
            found: found.to_string(),
        }
    }

    /// Whether both agree.
    pub fn agrees(&self) -> bool {
        self.expected == self.found
    }
}

impl Report {
    /// Whether the books agree: nothing lost, nothing twice.
    pub fn agrees(&self) -> bool {
        self.checks.iter().all(Check::agrees)
    }

    /// All figures, for tools.
    ///
    /// # Errors
    /// Never: there is nothing in it that has no JSON.
    pub fn to_json(&self) -> Result<String, serde_json::Error> {
        serde_json::to_string_pretty(self)
    }
}

/// How a plan is played, in words.
pub(crate) fn played(plan: &Plan) -> String {
    let way = match plan.way {
        Way::Streams {
            commands_a_message, ..
        } => format!(
            "{} streams, at most {commands_a_message} commands a message",
            plan.pits()
        ),
        Way::Http { connections } => format!("{connections} HTTP connections"),
    };
    let pace = match (plan.pace, plan.way) {
        (Pace::Rate { a_second, burst }, _) if burst > Duration::ZERO => {
            format!("{a_second} commands/s in bursts of {burst:?}")
        }
        (Pace::Rate { a_second, .. }, _) => format!("{a_second} commands/s, evenly spread"),
        (Pace::InFlight(count), Way::Streams { .. }) => format!("{count} in flight"),
        (Pace::InFlight(_), Way::Http { connections }) => format!("{connections} in flight"),
    };
    format!(
        "{} tables on {} links, {way}, {pace}, seed {}",
        plan.tables, plan.links, plan.seed
    )
}

impl Display for Check {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        if self.agrees() {
            write!(out, "agrees   {}: {}", self.what, self.found)
        } else {
            let (expected, found) = (&self.expected, &self.found);
            write!(
                out,
                "DIFFERS  {}: expected {expected}, found {found}",
                self.what
            )
        }
    }
}

impl Display for Report {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        writeln!(out, "{}", self.played)?;
        writeln!(
            out,
            "rate     {} commands/s: {} in {} ms ({} with warm-up and end)",
            self.a_second,
            self.measured,
            Millis(self.measured_micros),
            self.commands
        )?;
        writeln!(out, "latency  {}", self.latency)?;
        if self.hits.count > 0 {
            writeln!(out, "hits     {} of {}", self.hits, self.hits.count)?;
        }
        if let Some(delay) = &self.delay {
            writeln!(out, "delay    {delay}: how late the generator itself sent")?;
        }
        if self.unsent > 0 {
            let unsent = self.unsent;
            writeln!(
                out,
                "unsent   {unsent} commands were due and not sent when it ended"
            )?;
        }
        writeln!(out, "cpu      {}", self.cpu)?;
        writeln!(
            out,
            "happened {} sent twice, {} out of order, {} connections cut, {} lost, {} commands sent again",
            self.repeats, self.reorderings, self.cuts, self.reconnects, self.resent
        )?;
        let refusals: Vec<String> = self
            .refusals
            .iter()
            .map(|(code, count)| format!("{count} {code}"))
            .collect();
        if refusals.is_empty() {
            writeln!(out, "refused  none")?;
        } else {
            writeln!(out, "refused  {}", refusals.join(", "))?;
        }
        for check in &self.checks {
            writeln!(out, "{check}")?;
        }
        Ok(())
    }
}
