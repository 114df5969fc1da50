//! Usage of the machine: processor time of the generator, of the server and of Postgres, and memory of the server.
//!
//! # Limits
//! Linux only, and only for processes of this machine. Elsewhere no figures are reported.

use std::fs;
use std::time::Instant;

use crate::figures::CpuUsed;

/// Prefix of the names of the generator's threads. A program that runs server and generator in one process gives the
/// generator a runtime with threads of this name. Their processor time is then counted apart.
pub const GENERATOR_THREADS: &str = "load";
/// Ticks in a second of the kernel's counters, the same on every Linux.
pub const TICKS: u128 = 100;
/// Microseconds of a second.
const MICROS: u128 = 1_000_000;

/// The processes whose processor time is measured in addition to the generator's own.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct Processes {
    /// The server. This process itself, if the server runs in it.
    pub server: Option<i32>,
    /// The postmaster.
    pub postgres: Option<i32>,
}

/// A measurement in progress: its start, and the counters at the start.
#[derive(Copy, Clone, Debug)]
pub(crate) struct UsageWatch {
    processes: Processes,
    since: Instant,
    ticks: Ticks,
}

/// Processor time so far, in ticks.
#[derive(Copy, Clone, Debug)]
struct Ticks {
    generator: u64,
    server: Option<u64>,
    postgres: Option<u64>,
}

/// The kernel's statistics of a process or a thread.
struct ProcessStat {
    name: String,
    parent: i32,
    own: u64,
    ended_children: u64,
}

impl UsageWatch {
    /// Starts the measurement.
    pub(crate) fn start(processes: Processes) -> Self {
        Self {
            processes,
            since: Instant::now(),
            ticks: ticks(processes),
        }
    }

    /// Returns the usage since the start.
    pub(crate) fn read(&self) -> CpuUsed {
        let now = ticks(self.processes);
        let elapsed = self.since.elapsed().as_micros().max(1);
        let percent = |now: u64, then: u64| {
            let micros = u128::from(now.saturating_sub(then)) * MICROS / TICKS;
            u64::try_from(micros * 100 / elapsed).unwrap_or(u64::MAX)
        };
        let percent_of = |now: Option<u64>, then: Option<u64>| Some(percent(now?, then?));
        CpuUsed {
            generator: percent(now.generator, self.ticks.generator),
            server: percent_of(now.server, self.ticks.server),
            postgres: percent_of(now.postgres, self.ticks.postgres),
            server_memory_kib: self.processes.server.and_then(memory),
        }
    }
}

fn ticks(processes: Processes) -> Ticks {
    let own = stat("/proc/self/stat").map_or(0, |stat| stat.own);
    let is_same_process = processes.server == i32::try_from(std::process::id()).ok();
    let generator = if is_same_process { threads() } else { own };
    let server = match processes.server {
        Some(_) if is_same_process => Some(own.saturating_sub(generator)),
        Some(process) => stat(&format!("/proc/{process}/stat")).map(|stat| stat.own),
        None => None,
    };
    Ticks {
        generator,
        server,
        postgres: processes.postgres.and_then(cluster_ticks),
    }
}

/// Returns the processor time of the generator's threads in this process.
fn threads() -> u64 {
    let threads = numbered("/proc/self/task");
    let own = threads.filter_map(|thread| stat(&format!("/proc/self/task/{thread}/stat")));
    own.filter(|stat| stat.name.starts_with(GENERATOR_THREADS))
        .map(|stat| stat.own)
        .sum()
}

/// Returns the processor time of a process and of its ended children, in [`TICKS`]. Returns `None` if there is no such
/// process.
pub fn process_ticks(process: u32) -> Option<u64> {
    let stat = stat(&format!("/proc/{process}/stat"))?;
    Some(stat.own + stat.ended_children)
}

/// Returns the processor time of a postmaster, its children and its ended children, in [`TICKS`].
pub fn cluster_ticks(postmaster: i32) -> Option<u64> {
    let own = stat(&format!("/proc/{postmaster}/stat"))?;
    let processes = numbered("/proc").filter_map(|process| stat(&format!("/proc/{process}/stat")));
    let children = processes.filter(|stat| stat.parent == postmaster);
    Some(own.own + own.ended_children + children.map(|stat| stat.own).sum::<u64>())
}

/// Returns the entries of a folder that are numbers.
fn numbered(folder: &str) -> impl Iterator<Item = u32> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    entries.filter_map(|entry| entry.file_name().to_str()?.parse().ok())
}

fn stat(file: &str) -> Option<ProcessStat> {
    let stat = fs::read_to_string(file).ok()?;
    // The name in brackets may contain any character, so the fields are read after its end.
    let (before, rest) = stat.rsplit_once(')')?;
    let fields: Vec<&str> = rest.split_whitespace().collect();
    let number = |index: usize| fields.get(index)?.parse::<u64>().ok();
    Some(ProcessStat {
        name: before.split_once('(')?.1.to_owned(),
        parent: fields.get(1)?.parse().ok()?,
        own: number(11)? + number(12)?,
        ended_children: number(13)? + number(14)?,
    })
}

/// Returns the resident memory of a process, in KiB.
fn memory(process: i32) -> Option<u64> {
    let status = fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix("VmRSS:"))?;
    line.split_whitespace().next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use super::{GENERATOR_THREADS, Processes, UsageWatch};

    /// In one process, the generator's threads are counted apart from all others.
    #[test]
    fn generator_threads_are_counted_apart() {
        let own = i32::try_from(std::process::id()).ok();
        let processes = Processes {
            server: own,
            postgres: None,
        };
        let watch = UsageWatch::start(processes);
        let busy = std::thread::Builder::new().name(format!("{GENERATOR_THREADS}-1"));
        let read = busy.spawn(move || {
            let start = Instant::now();
            while start.elapsed() < Duration::from_millis(300) {
                std::hint::spin_loop();
            }
            watch.read()
        });
        let used = read.expect("a thread").join().expect("it ends");
        assert!(used.generator > 10, "{used:?}");
        assert!(
            used.server.is_some() && used.server_memory_kib > Some(0),
            "{used:?}"
        );
        assert_eq!(used.postgres, None);
    }
}
