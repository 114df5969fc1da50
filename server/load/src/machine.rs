//! What the machine did meanwhile: processor time of the generator, of the server, of Postgres; memory of the server.
//!
//! # Where it is known
//! On Linux, for processes of this machine; elsewhere nothing is said.

use std::fs;
use std::time::Instant;

use crate::figures::CpuUsed;

/// What the names of the generator's threads begin with: whoever runs server and generator in one process gives the
/// generator a runtime with threads of this name, so that their processor time is told apart.
pub const GENERATOR_THREADS: &str = "load";
/// Ticks in a second of the kernel's counters, the same on every Linux.
pub const TICKS: u128 = 100;
/// Microseconds of a second.
const MICROS: u128 = 1_000_000;

/// Whose processor time is taken beside the generator's own.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct Processes {
    /// The server; this process itself, where it runs in it.
    pub server: Option<i32>,
    /// The postmaster.
    pub postgres: Option<i32>,
}

/// Since when, and the counters then.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Watch {
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

/// What the kernel says about a process or a thread.
struct Stat {
    name: String,
    parent: i32,
    own: u64,
    ended_children: u64,
}

impl Watch {
    /// Begins to watch.
    pub(crate) fn start(processes: Processes) -> Self {
        Self {
            processes,
            since: Instant::now(),
            ticks: ticks(processes),
        }
    }

    /// What was used since then.
    pub(crate) fn read(&self) -> CpuUsed {
        let now = ticks(self.processes);
        let elapsed = self.since.elapsed().as_micros().max(1);
        let percent = |now: u64, then: u64| {
            let micros = u128::from(now.saturating_sub(then)) * MICROS / TICKS;
            u64::try_from(micros * 100 / elapsed).unwrap_or(u64::MAX)
        };
        let both = |now: Option<u64>, then: Option<u64>| Some(percent(now?, then?));
        CpuUsed {
            generator: percent(now.generator, self.ticks.generator),
            server: both(now.server, self.ticks.server),
            postgres: both(now.postgres, self.ticks.postgres),
            server_memory_kib: self.processes.server.and_then(memory),
        }
    }
}

fn ticks(processes: Processes) -> Ticks {
    let own = stat("/proc/self/stat").map_or(0, |it| it.own);
    let is_together = processes.server == i32::try_from(std::process::id()).ok();
    let generator = if is_together { threads() } else { own };
    let server = match processes.server {
        Some(_) if is_together => Some(own.saturating_sub(generator)),
        Some(process) => stat(&format!("/proc/{process}/stat")).map(|it| it.own),
        None => None,
    };
    Ticks {
        generator,
        server,
        postgres: processes.postgres.and_then(cluster_ticks),
    }
}

/// Processor time of the generator's threads in this process.
fn threads() -> u64 {
    let threads = numbered("/proc/self/task");
    let own = threads.filter_map(|it| stat(&format!("/proc/self/task/{it}/stat")));
    own.filter(|it| it.name.starts_with(GENERATOR_THREADS))
        .map(|it| it.own)
        .sum()
}

/// Processor time of a process and of its children that have ended, in [`TICKS`]; nothing where there is none.
pub fn process_ticks(process: u32) -> Option<u64> {
    let stat = stat(&format!("/proc/{process}/stat"))?;
    Some(stat.own + stat.ended_children)
}

/// Processor time of a postmaster, its children and those that have ended, in [`TICKS`].
pub fn cluster_ticks(postmaster: i32) -> Option<u64> {
    let own = stat(&format!("/proc/{postmaster}/stat"))?;
    let processes = numbered("/proc").filter_map(|it| stat(&format!("/proc/{it}/stat")));
    let children = processes.filter(|it| it.parent == postmaster);
    Some(own.own + own.ended_children + children.map(|it| it.own).sum::<u64>())
}

/// The entries of a folder that are numbers.
fn numbered(folder: &str) -> impl Iterator<Item = u32> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    entries.filter_map(|it| it.file_name().to_str()?.parse().ok())
}

fn stat(file: &str) -> Option<Stat> {
    let stat = fs::read_to_string(file).ok()?;
    // The name in brackets may hold anything; what counts stands behind it.
    let (before, rest) = stat.rsplit_once(')')?;
    let fields: Vec<&str> = rest.split_whitespace().collect();
    let number = |place: usize| fields.get(place)?.parse::<u64>().ok();
    Some(Stat {
        name: before.split_once('(')?.1.to_owned(),
        parent: fields.get(1)?.parse().ok()?,
        own: number(11)? + number(12)?,
        ended_children: number(13)? + number(14)?,
    })
}

/// Memory of a process that is in use, in KiB.
fn memory(process: i32) -> Option<u64> {
    let status = fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = status.lines().find_map(|it| it.strip_prefix("VmRSS:"))?;
    line.split_whitespace().next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use super::{GENERATOR_THREADS, Processes, Watch};

    /// In one process the generator's threads are told apart from everything else.
    #[test]
    fn threads_are_told_apart() {
        let own = i32::try_from(std::process::id()).ok();
        let processes = Processes {
            server: own,
            postgres: None,
        };
        let watch = Watch::start(processes);
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
