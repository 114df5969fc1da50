//! The report of a load: figures, and checks of the books.

use std::collections::BTreeMap;
use std::fmt::{self, Display, Formatter};
use std::time::Duration;

use serde::Serialize;

use crate::figures::{CpuUsed, Interval, Latency, Millis};
use crate::plan::{Pace, Plan, Transport};

/// The report of a load.
#[derive(Clone, Debug, Serialize)]
pub struct Report {
    /// A description of the plan.
    pub played: String,
    /// Commands with an outcome, including the warm-up and the closing of open rounds.
    pub commands: u64,
    /// Accepted coin-ins among them, one a round.
    pub coin_ins: u64,
    /// Accepted wagers of those coin-ins, one a seat.
    pub wagers: u64,
    /// Commands whose outcome arrived during the measured time.
    pub measured: u64,
    /// The measured time, in microseconds.
    pub measured_micros: u64,
    /// Commands a second during the measured time.
    pub a_second: u64,
    /// Latency of all commands that were due during the measured time.
    pub latency: Latency,
    /// Latency of the hits among those commands.
    pub hits: Latency,
    /// Delay of the generator itself after the scheduled time, only in an open loop. Commands that waited for an
    /// outcome, a connection or the supervisor are left out. Such waits are part of the latency only.
    pub delay: Option<Latency>,
    /// Commands that were scheduled and not sent before the end: the server is slower than the schedule.
    pub unsent: u64,
    /// Refusals by the rules, by code.
    pub refusals: BTreeMap<String, u64>,
    /// Commands that were resent because their reply was lost.
    pub resent: u64,
    /// Connections that were opened again because they were lost.
    pub reconnects: u64,
    /// Connections that were cut on purpose.
    pub cuts: u64,
    /// Commands that were sent twice on purpose.
    pub repeats: u64,
    /// Later numbers that were sent first on purpose.
    pub reorderings: u64,
    /// Processor time during the measured time.
    pub cpu: CpuUsed,
    /// The intervals of the measured time.
    pub intervals: Vec<Interval>,
    /// The checks of the books.
    pub checks: Vec<Check>,
}

/// A figure that both the generator and the server counted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Check {
    /// The name of the figure.
    pub what: String,
    /// The generator's count.
    pub expected: String,
    /// The server's count.
    pub found: String,
}

impl Check {
    /// Creates a check of two values that have a text.
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

    /// Returns `true` if both counts are equal.
    pub fn agrees(&self) -> bool {
        self.expected == self.found
    }
}

impl Report {
    /// Returns `true` if all checks agree: no command is lost or counted twice.
    pub fn agrees(&self) -> bool {
        self.checks.iter().all(Check::agrees)
    }

    /// Returns all figures as JSON, for tools.
    ///
    /// # Errors
    /// Never: every field can be written as JSON.
    pub fn to_json(&self) -> Result<String, serde_json::Error> {
        serde_json::to_string_pretty(self)
    }
}

/// Returns the description of a plan.
pub(crate) fn describe(plan: &Plan) -> String {
    let transport = match plan.transport {
        Transport::Streams {
            commands_a_message, ..
        } => format!(
            "{} streams, at most {commands_a_message} commands a message",
            plan.connections()
        ),
        Transport::Http { connections } => format!("{connections} HTTP connections"),
    };
    let pace = match (plan.pace, plan.transport) {
        (Pace::Rate { a_second, burst }, _) if burst > Duration::ZERO => {
            format!("{a_second} commands/s in bursts of {burst:?}")
        }
        (Pace::Rate { a_second, .. }, _) => format!("{a_second} commands/s, evenly spread"),
        (Pace::InFlight(count), Transport::Streams { .. }) => format!("{count} in flight"),
        (Pace::InFlight(_), Transport::Http { connections }) => format!("{connections} in flight"),
    };
    format!(
        "{} tables on {} links, {transport}, {pace}, seed {}",
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
            writeln!(out, "delay    {delay}: delay of the generator itself")?;
        }
        if self.unsent > 0 {
            let unsent = self.unsent;
            writeln!(
                out,
                "unsent   {unsent} commands were due and not sent before the end"
            )?;
        }
        writeln!(out, "cpu      {}", self.cpu)?;
        writeln!(
            out,
            "faults   {} sent twice, {} out of order, {} connections cut, {} connections lost, {} commands sent again",
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
