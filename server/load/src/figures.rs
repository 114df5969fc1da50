//! Measured figures: latencies, processor time, memory.

use std::fmt::{self, Display, Formatter};

use serde::Serialize;

/// Percentiles of a latency, in microseconds.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Latency {
    /// The number of latencies.
    pub count: u64,
    /// The median.
    pub p50: u64,
    /// The 90th percentile.
    pub p90: u64,
    /// The 99th percentile.
    pub p99: u64,
    /// The 99.9th percentile.
    pub p999: u64,
    /// The maximum.
    pub max: u64,
}

/// A part of the measured time.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Interval {
    /// The number of the interval, from 0.
    pub number: u64,
    /// Latency of the commands that were answered in the interval.
    pub latency: Latency,
}

/// Processor time, in hundredths of a core, and memory.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct CpuUsed {
    /// Processor time of the generator itself.
    pub generator: u64,
    /// Processor time of the server, if it runs on this machine.
    pub server: Option<u64>,
    /// Processor time of all Postgres processes, if Postgres runs on this machine.
    pub postgres: Option<u64>,
    /// Memory of the server's process at the end. It includes the generator if both run in one process.
    pub server_memory_kib: Option<u64>,
}

/// Microseconds, displayed as milliseconds.
pub(crate) struct Millis(pub(crate) u64);

impl Display for Millis {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        write!(out, "{}.{:03}", self.0 / 1_000, self.0 % 1_000)
    }
}

/// Hundredths of a core, displayed as cores.
struct Cores(u64);

impl Display for Cores {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        write!(out, "{}.{:02}", self.0 / 100, self.0 % 100)
    }
}

impl Display for Latency {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        write!(
            out,
            "p50 {} ms, p90 {}, p99 {}, p99.9 {}, max {}",
            Millis(self.p50),
            Millis(self.p90),
            Millis(self.p99),
            Millis(self.p999),
            Millis(self.max)
        )
    }
}

impl Display for CpuUsed {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        write!(out, "generator {} cores", Cores(self.generator))?;
        if let Some(server) = self.server {
            write!(out, ", server {}", Cores(server))?;
        }
        if let Some(postgres) = self.postgres {
            write!(out, ", postgres {}", Cores(postgres))?;
        }
        match self.server_memory_kib {
            Some(memory) => write!(
                out,
                "; memory of the server's process {} MiB",
                memory / 1_024
            ),
            None => Ok(()),
        }
    }
}
