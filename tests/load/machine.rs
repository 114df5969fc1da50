//! Usage of the machine: processor time of this process, of Postgres and of all others, and memory.

use std::fs;
use std::time::{Duration, Instant};

use meterhouse_load::{TICKS, cluster_ticks, process_ticks};
use tokio::time::sleep;

use crate::Failure;

/// Hundredths of a core that other processes may use on a quiet machine.
const QUIET: u64 = 20;
/// Length of one check for a quiet machine.
const CHECK_DURATION: Duration = Duration::from_millis(500);

/// Processor time so far, in ticks.
#[derive(Copy, Clone, Debug)]
struct Ticks {
    all: u64,
    own: u64,
    server: u64,
    postgres: u64,
    stolen: u64,
}

/// A measurement in progress: its start, and the counters at the start.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Watch {
    postgres: i32,
    server: Option<u32>,
    since: Instant,
    ticks: Ticks,
}

/// Hundredths of a core in use.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Load {
    pub(crate) others: u64,
    /// This process, and the programs that it started and that have ended.
    pub(crate) own: u64,
    /// The server, if it is a separate process.
    pub(crate) server: u64,
    pub(crate) postgres: u64,
}

impl Watch {
    /// Starts the measurement. `postgres` is the postmaster, `server` the server's process if it is a separate one.
    pub(crate) fn start(postgres: i32, server: Option<u32>) -> Result<Self, Failure> {
        Ok(Self {
            postgres,
            server,
            since: Instant::now(),
            ticks: ticks(postgres, server)?,
        })
    }

    /// Returns the usage since the start.
    pub(crate) fn read(&self) -> Result<Load, Failure> {
        let now = ticks(self.postgres, self.server)?;
        let elapsed = self.since.elapsed().as_micros().max(1);
        let percent = |ticks: u64| {
            let micros = u128::from(ticks) * 1_000_000 / TICKS;
            u64::try_from(micros * 100 / elapsed).unwrap_or(u64::MAX)
        };
        let own = now.own.saturating_sub(self.ticks.own);
        let server = now.server.saturating_sub(self.ticks.server);
        let postgres = now.postgres.saturating_sub(self.ticks.postgres);
        let all = now.all.saturating_sub(self.ticks.all);
        let stolen = now.stolen.saturating_sub(self.ticks.stolen);
        let others = all.saturating_sub(own + server + postgres) + stolen;
        Ok(Load {
            others: percent(others),
            own: percent(own),
            server: percent(server),
            postgres: percent(postgres),
        })
    }
}

/// Waits until other processes leave the machine quiet, for at most this time.
pub(crate) async fn quiet(postgres: i32, most: Duration) -> Result<(), Failure> {
    let start = Instant::now();
    while start.elapsed() < most {
        let watch = Watch::start(postgres, None)?;
        sleep(CHECK_DURATION).await;
        if watch.read()?.others <= QUIET {
            break;
        }
    }
    Ok(())
}

fn ticks(postgres: i32, server: Option<u32>) -> Result<Ticks, Failure> {
    let stat = fs::read_to_string("/proc/stat")?;
    let line = stat.lines().next().ok_or("/proc/stat is empty")?;
    let fields: Vec<u64> = line
        .split_whitespace()
        .skip(1)
        .filter_map(|field| field.parse().ok())
        .collect();
    let field = |index: usize| fields.get(index).copied().unwrap_or_default();
    // user, nice, system, idle, iowait, irq, softirq, steal
    let all = field(0) + field(1) + field(2) + field(5) + field(6);
    Ok(Ticks {
        all,
        own: process_ticks(std::process::id()).unwrap_or_default(),
        server: server.and_then(process_ticks).unwrap_or_default(),
        postgres: cluster_ticks(postgres).unwrap_or_default(),
        stolen: field(7),
    })
}

/// Returns the resident memory of this process and its maximum, in KiB.
pub(crate) fn memory() -> Result<(u64, u64), Failure> {
    memory_of(std::process::id())
}

/// Returns the resident memory of a process and its maximum, in KiB.
pub(crate) fn memory_of(process: u32) -> Result<(u64, u64), Failure> {
    let status = fs::read_to_string(format!("/proc/{process}/status"))?;
    let of = |name: &str| {
        let line = status.lines().find_map(|line| line.strip_prefix(name))?;
        line.split_whitespace().next()?.parse::<u64>().ok()
    };
    let now = of("VmRSS:").ok_or("no VmRSS")?;
    Ok((now, of("VmHWM:").ok_or("no VmHWM")?))
}

/// Returns a description of the machine and its settings.
pub(crate) fn describe() -> Result<String, Failure> {
    let cpuinfo = fs::read_to_string("/proc/cpuinfo")?;
    let of = |name: &str| {
        let line = cpuinfo.lines().find(|line| line.starts_with(name));
        line.and_then(|line| line.split_once(':'))
            .map_or("?", |(_, value)| value.trim())
            .to_owned()
    };
    let cores = std::thread::available_parallelism()?;
    let kernel = fs::read_to_string("/proc/sys/kernel/osrelease")?;
    let load = fs::read_to_string("/proc/loadavg")?;
    let model = of("model name");
    Ok(format!(
        "{cores} cores ({model}), Linux {}, load before {}",
        kernel.trim(),
        load.trim()
    ))
}
