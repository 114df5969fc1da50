//! Runs the program, to its end or as a server that is stopped later.
//!
//! # Limits
//! [`END_MAX`] for each program that ends by itself or by a signal. A server is killed at the end of its test.

use std::ffi::OsStr;
use std::fs::{self, Permissions};
use std::net::{SocketAddr, TcpListener};
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::{Output, Stdio};
use std::sync::atomic::{AtomicU16, Ordering};
use std::time::Duration;

use nix::sys::signal::{Signal, kill};
use nix::unistd::{Pid, User, chown, geteuid};
use tempfile::TempDir;
use tokio::io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader, Lines};
use tokio::process::{Child, ChildStdout, Command};
use tokio::time::timeout;

/// The program under test.
pub(crate) const PROGRAM: &str = env!("CARGO_BIN_EXE_meterhouse");
/// Maximum time until a program ends. A private Postgres is created within a few seconds, on a busy machine in more.
pub(crate) const END_MAX: Duration = Duration::from_mins(1);

/// Returns an address that is free, and stays free until it is used: the system gives no program a port below 32768 unless
/// it asks for it.
pub(crate) fn own_address() -> SocketAddr {
    static TAKEN: AtomicU16 = AtomicU16::new(0);
    const FIRST: u16 = 20_000;
    const COUNT: u16 = 12_000;
    let of_process = u16::try_from(std::process::id() % u32::from(COUNT)).expect("a small number");
    let mut ports = (0..COUNT).map(|_| {
        let next = of_process + TAKEN.fetch_add(1, Ordering::Relaxed) % COUNT;
        SocketAddr::from(([127, 0, 0, 1], FIRST + next % COUNT))
    });
    ports
        .find(|address| TcpListener::bind(address).is_ok())
        .expect("a free port")
}

/// Creates a temporary folder that the user of Postgres can walk through.
pub(crate) fn folder() -> TempDir {
    let folder = tempfile::Builder::new()
        .prefix("mh-")
        .tempdir()
        .expect("a folder");
    fs::set_permissions(folder.path(), Permissions::from_mode(0o755)).expect("its rights");
    folder
}

/// Gives a file to the user as whom a server goes on that was started by root.
pub(crate) fn give_to_server(path: &Path) {
    let user = ["postgres", "nobody"].into_iter();
    let mut users = user.filter_map(|name| User::from_name(name).ok().flatten());
    if geteuid().is_root()
        && let Some(user) = users.next()
    {
        chown(path, Some(user.uid), Some(user.gid)).expect("root may");
    }
}

/// The exit code and the output of a program.
#[derive(Debug)]
pub(crate) struct ProgramOutput {
    /// The exit code, or `None` after a signal.
    pub(crate) code: Option<i32>,
    /// The results.
    pub(crate) stdout: String,
    /// The logs and errors.
    pub(crate) stderr: String,
}

impl ProgramOutput {
    /// Asserts the exit code.
    #[track_caller]
    pub(crate) fn with_code(self, code: i32) -> Self {
        assert_eq!(self.code, Some(code), "{}\n{}", self.stdout, self.stderr);
        self
    }

    /// Asserts that a line of errors contains a sentence.
    #[track_caller]
    pub(crate) fn with_error(self, sentence: &str) -> Self {
        let mut lines = self.stderr.lines();
        let found = lines.any(|line| line.starts_with("meterhouse: ") && line.contains(sentence));
        assert!(found, "no error {sentence}\n{}", self.stderr);
        self
    }
}

impl From<Output> for ProgramOutput {
    fn from(output: Output) -> Self {
        Self {
            code: output.status.code(),
            stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
            stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
        }
    }
}

/// Returns a command whose environment has no `DATABASE_URL`.
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
pub(crate) async fn run_to_end(mut command: Command) -> ProgramOutput {
    let output = timeout(END_MAX, command.output()).await;
    output.expect("an end in time").expect("a process").into()
}

/// Runs a command to its end, with a text on its standard input.
pub(crate) async fn run_to_end_with(mut command: Command, text: &str) -> ProgramOutput {
    command.stdin(Stdio::piped());
    let mut child = command.spawn().expect("a process");
    let mut input = child.stdin.take().expect("a pipe");
    // A command that needs less closes the pipe.
    drop(input.write_all(text.as_bytes()).await);
    drop(input);
    let output = timeout(END_MAX, child.wait_with_output()).await;
    output.expect("an end in time").expect("a process").into()
}

/// Runs the program to its end.
pub(crate) async fn run(arguments: &[&str]) -> ProgramOutput {
    let mut program = command(PROGRAM);
    program.args(arguments);
    run_to_end(program).await
}

/// Runs the program on a private database.
pub(crate) async fn run_on(data: &Path, arguments: &[&str]) -> ProgramOutput {
    let mut program = command(PROGRAM);
    program.args(arguments).arg("--data-dir").arg(data);
    run_to_end(program).await
}

/// Returns the command that serves on free ports.
pub(crate) fn serve_command() -> Command {
    let mut program = command(PROGRAM);
    program.args([
        "serve",
        "--listen",
        "127.0.0.1:0",
        "--grpc-listen",
        "127.0.0.1:0",
    ]);
    program
}

/// A running program.
pub(crate) struct Running {
    child: Child,
    lines: Lines<BufReader<ChildStdout>>,
}

impl Running {
    /// Starts the program on a private database and on free ports.
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
        // No test reads the log, and a full pipe would block the program.
        program.stderr(Stdio::null());
        let mut child = program.spawn().expect("a process");
        let stdout = child.stdout.take().expect("a pipe");
        Self {
            child,
            lines: BufReader::new(stdout).lines(),
        }
    }

    /// Waits for the first line with this beginning. Returns the rest of the line.
    pub(crate) async fn line_after(&mut self, beginning: &str) -> String {
        let reading = async {
            while let Some(line) = self.lines.next_line().await.expect("lines") {
                if let Some(rest) = line.strip_prefix(beginning) {
                    return rest.trim().to_owned();
                }
            }
            panic!("the program ended without {beginning:?}")
        };
        timeout(END_MAX, reading).await.expect("a line in time")
    }

    /// Returns the process id.
    pub(crate) fn pid(&self) -> i32 {
        let pid = self.child.id().and_then(|id| i32::try_from(id).ok());
        pid.expect("a process")
    }

    /// Sends a signal and waits for the end. Returns the exit code and the remaining lines.
    pub(crate) async fn stop(mut self, signal: Signal) -> (Option<i32>, Vec<String>) {
        kill(Pid::from_raw(self.pid()), signal).expect("a signal");
        let ending = async {
            let mut rest = Vec::new();
            while let Some(line) = self.lines.next_line().await.expect("lines") {
                rest.push(line);
            }
            (self.child.wait().await.expect("an end").code(), rest)
        };
        timeout(END_MAX, ending).await.expect("an end in time")
    }
}
