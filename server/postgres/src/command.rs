//! Running the programs of Postgres: as the right user, with an empty environment, in a process group of their own,
//! and never outliving this process.
//!
//! # Order
//! After fork: groups, group id, user id, working directory, process group, then the parent-death signal. The kernel
//! clears that signal on a change of user, so it comes last. The signal follows the *thread* that spawned, see
//! [`process`](crate::process). A caller therefore stays on its thread until the command has ended.

use std::io::{self, Read as _};
use std::os::unix::process::CommandExt as _;
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use crate::account::Account;
use crate::error::PostgresError;

/// Search path for the programs' own helpers (`pg_config` is a script on Debian).
const CHILD_PATH: &str = "/usr/bin:/bin";
/// Interval at which an ending program is polled: the shortest programs take about 5 ms.
const EXIT_POLL: Duration = Duration::from_millis(2);
/// The longest answer read from a program, bytes: a version or a folder.
const ANSWER_BYTES_MAX: u64 = 4096;

/// Creates a command that runs as `account`, without input or output, and ends when this thread does.
pub(crate) fn command(program: &Path, account: &Account) -> Command {
    let mut command = Command::new(program);
    command
        .env_clear()
        .env("PATH", CHILD_PATH)
        .env("LC_ALL", "C")
        .current_dir("/")
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        // Ctrl-C reaches the service, which stops Postgres in order.
        .process_group(0);
    if account.is_dropped_to {
        // The standard library also drops the supplementary groups.
        command.uid(account.uid).gid(account.gid);
    }
    end_with_parent(&mut command);
    command
}

/// Runs to the end and returns the program's standard output.
pub(crate) fn answer(
    mut command: Command,
    limit: Duration,
) -> io::Result<Option<(ExitStatus, String)>> {
    let mut child = command.stdout(Stdio::piped()).spawn()?;
    let Some(status) = wait(&mut child, limit)? else {
        return Ok(None);
    };
    let mut text = Vec::new();
    if let Some(output) = child.stdout.take() {
        output.take(ANSWER_BYTES_MAX).read_to_end(&mut text)?;
    }
    Ok(Some((
        status,
        String::from_utf8_lossy(&text).trim().to_owned(),
    )))
}

/// Runs to the end. A program that exceeds its time is killed.
pub(crate) fn run(
    command: &mut Command,
    account: &Account,
    limit: Duration,
) -> Result<ExitStatus, PostgresError> {
    let program = Path::new(command.get_program()).to_owned();
    let status = command
        .spawn()
        .and_then(|mut child| wait(&mut child, limit));
    match status {
        Ok(Some(status)) => Ok(status),
        Ok(None) => Err(PostgresError::TooSlow {
            program,
            limit_seconds: limit.as_secs(),
        }),
        Err(source) => Err(PostgresError::Run {
            program,
            user: account.name.clone(),
            source,
        }),
    }
}

/// Waits for the end; after `limit` kills, reaps and returns `None`.
fn wait(child: &mut Child, limit: Duration) -> io::Result<Option<ExitStatus>> {
    let deadline = Instant::now() + limit;
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(Some(status));
        }
        if Instant::now() >= deadline {
            child.kill()?;
            child.wait()?;
            return Ok(None);
        }
        thread::sleep(EXIT_POLL);
    }
}

#[cfg(target_os = "linux")]
#[expect(
    unsafe_code,
    reason = "PR_SET_PDEATHSIG can only be set in the child, between fork and exec"
)]
fn end_with_parent(command: &mut Command) {
    use nix::sys::prctl::set_pdeathsig;
    use nix::sys::signal::Signal;
    use nix::unistd::{Pid, getpid, getppid};

    let parent: Pid = getpid();
    let hook = move || {
        set_pdeathsig(Signal::SIGINT)?;
        // The parent may have died before the line above; the signal would then never come.
        if getppid() == parent {
            Ok(())
        } else {
            Err(io::ErrorKind::Interrupted.into())
        }
    };
    // SAFETY: between fork and exec of a threaded process only async-signal-safe calls are allowed. The hook makes
    // two system calls, allocates nothing, takes no lock and touches no memory but its own copy of `parent`.
    unsafe {
        command.pre_exec(hook);
    }
}

/// Does nothing: on other systems the next start finds and adopts an orphaned server.
#[cfg(not(target_os = "linux"))]
fn end_with_parent(_command: &mut Command) {}
