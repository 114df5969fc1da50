//! Running the program: to its end, or as a server that is stopped later.
//!
//! # What bounds it
//! [`END_MAX`] for everything that ends by itself or is told to; a server whose test ends before is killed.

use std::ffi::OsStr;
use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::{Output, Stdio};
use std::time::Duration;

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use tempfile::TempDir;
use tokio::io::{AsyncBufReadExt as _, BufReader, Lines};
use tokio::process::{Child, ChildStdout, Command};
use tokio::time::timeout;

/// The program under test.
pub(crate) const PROGRAM: &str = env!("CARGO_BIN_EXE_meterhouse");
/// How long anything may take that ends: a private Postgres is made within a few seconds, on a busy machine more.
pub(crate) const END_MAX: Duration = Duration::from_mins(1);

/// A temporary folder that the user Postgres runs as can walk through.
pub(crate) fn folder() -> TempDir {
    let folder = tempfile::Builder::new()
        .prefix("mh-")
        .tempdir()
        .expect("a folder");
    fs::set_permissions(folder.path(), Permissions::from_mode(0o755)).expect("its rights");
    folder
}

/// How the program ended.
#[derive(Debug)]
pub(crate) struct Ended {
    /// The exit code; nothing for a signal.
    pub(crate) code: Option<i32>,
    /// Results.
    pub(crate) stdout: String,
    /// Logs and errors.
    pub(crate) stderr: String,
}

impl Ended {
    /// The same, if it ended so.
    #[track_caller]
    pub(crate) fn with(self, code: i32) -> Self {
        assert_eq!(self.code, Some(code), "{}\n{}", self.stdout, self.stderr);
        self
    }

    /// The same, if the errors say so, in a line of their own.
    #[track_caller]
    pub(crate) fn saying(self, sentence: &str) -> Self {
        let mut lines = self.stderr.lines();
        let said = lines.any(|it| it.starts_with("meterhouse: ") && it.contains(sentence));
        assert!(said, "not said: {sentence}\n{}", self.stderr);
        self
    }
}

impl From<Output> for Ended {
    fn from(output: Output) -> Self {
        Self {
            code: output.status.code(),
            stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
            stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
        }
    }
}

/// A command in an environment that says nothing of databases.
pub(crate) fn command(program: impl AsRef<OsStr>) -> Command {
    let mut command = Command::new(program);
    command
        .env_remove("DATABASE_URL")
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .kill_on_drop(true);
    command
}

/// Runs a command to its end.
pub(crate) async fn ended(mut command: Command) -> Ended {
    let output = timeout(END_MAX, command.output()).await;
    output.expect("it ends").expect("it runs").into()
}

/// Runs the program to its end.
pub(crate) async fn run(arguments: &[&str]) -> Ended {
    let mut program = command(PROGRAM);
    program.args(arguments);
    ended(program).await
}

/// Runs the program on a private database.
pub(crate) async fn run_on(data: &Path, arguments: &[&str]) -> Ended {
    let mut program = command(PROGRAM);
    program.args(arguments).arg("--data-dir").arg(data);
    ended(program).await
}

/// A program that runs until it is stopped.
pub(crate) struct Running {
    child: Child,
    lines: Lines<BufReader<ChildStdout>>,
}

impl Running {
    /// Starts it on a private database, with its ports left to the system.
    pub(crate) fn start(data: &Path, arguments: &[&str]) -> Self {
        let mut program = command(PROGRAM);
        program.args(arguments).args(["--listen", "127.0.0.1:0"]);
        if arguments.contains(&"serve") {
            program.args(["--grpc-listen", "127.0.0.1:0"]);
        }
        program.arg("--data-dir").arg(data);
        Self::spawn(program)
    }

    /// Starts a command.
    pub(crate) fn spawn(mut program: Command) -> Self {
        // Nobody reads its log: a full pipe would stop it.
        program.stderr(Stdio::null());
        let mut child = program.spawn().expect("it runs");
        let stdout = child.stdout.take().expect("its output");
        Self {
            child,
            lines: BufReader::new(stdout).lines(),
        }
    }

    /// The rest of the first line that begins so.
    pub(crate) async fn says(&mut self, beginning: &str) -> String {
        let reading = async {
            while let Some(line) = self.lines.next_line().await.expect("lines") {
                if let Some(rest) = line.strip_prefix(beginning) {
                    return rest.trim().to_owned();
                }
            }
            panic!("it ended before it said {beginning:?}")
        };
        timeout(END_MAX, reading).await.expect("it says so in time")
    }

    /// Its process.
    pub(crate) fn pid(&self) -> i32 {
        let pid = self.child.id().and_then(|it| i32::try_from(it).ok());
        pid.expect("it runs")
    }

    /// Sends a signal and waits for the end: the exit code, and what was still printed.
    pub(crate) async fn stop(mut self, signal: Signal) -> (Option<i32>, Vec<String>) {
        kill(Pid::from_raw(self.pid()), signal).expect("it can be told");
        let ending = async {
            let mut rest = Vec::new();
            while let Some(line) = self.lines.next_line().await.expect("lines") {
                rest.push(line);
            }
            (self.child.wait().await.expect("it ends").code(), rest)
        };
        timeout(END_MAX, ending).await.expect("it ends in time")
    }
}
