//! Measured figures: latencies, processor time, memory.

use std::fmt::{self, Display, Formatter};

use serde::Serialize;

/// Microseconds: what so many of a hundred stayed below.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Latency {
    /// How many there were.
    pub count: u64,
    /// Half of them.
    pub p50: u64,
    /// 90%.
    pub p90: u64,
    /// 99%.
    pub p99: u64,
    /// 99.9%.
    pub p999: u64,
    /// The slowest.
    pub max: u64,
}

/// A part of the measured time.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Interval {
    /// Its number, from 0.
    pub number: u64,
    /// Of what was answered in it.
    pub latency: Latency,
}

/// Processor time, in hundredths of a core, and memory.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct CpuUsed {
    /// The generator itself.
    pub generator: u64,
    /// The server, where it runs on this machine.
    pub server: Option<u64>,
    /// All processes of Postgres, where it runs on this machine.
    pub postgres: Option<u64>,
    /// Memory of the server's process at the end, the generator's included where it runs in it.
    pub server_memory_kib: Option<u64>,
}

/// Microseconds as milliseconds.
pub(crate) struct Millis(pub(crate) u64);

impl Display for Millis {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        write!(out, "{}.{:03}", self.0 / 1_000, self.0 % 1_000)
    }
}

/// Hundredths of a core as cores.
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
