//! The server under measurement: the program as people run it, as a process of its own on one database.

use std::fs::File;
use std::path::PathBuf;
use std::process::Stdio;
use std::time::Duration;

use meterhouse_load::Node;
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use tokio::io::{AsyncBufReadExt as _, BufReader, Lines};
use tokio::process::{Child, ChildStdout, Command};
use tokio::time::timeout;

use crate::Failure;

/// The role of the application.
pub(crate) const ROLE: &str = "meterhouse_app";
/// The time that a start and an end may take.
const WAIT_MAX: Duration = Duration::from_mins(5);

/// The program and its database.
#[derive(Clone, Debug)]
pub(crate) struct Launch {
    pub(crate) program: PathBuf,
    /// The folder of the socket of Postgres.
    pub(crate) socket: String,
    pub(crate) database: String,
    /// The file of its log.
    pub(crate) log: PathBuf,
}

/// A running server. Dropped, it is killed.
pub(crate) struct Running {
    child: Child,
    lines: Lines<BufReader<ChildStdout>>,
    log: PathBuf,
    /// The address of its HTTP API.
    pub(crate) http: String,
    /// The address of its gRPC API.
    pub(crate) grpc: String,
}

impl Running {
    /// Starts a server on free ports, and waits until it listens.
    pub(crate) async fn start(launch: &Launch) -> Result<Self, Failure> {
        let (socket, database) = (&launch.socket, &launch.database);
        let url = format!("postgres://{ROLE}@localhost/{database}?host={socket}");
        let log = File::options()
            .append(true)
            .create(true)
            .open(&launch.log)?;
        let mut child = Command::new(&launch.program)
            .args(["serve", "--database-url", &url])
            .args(["--listen", "127.0.0.1:0", "--grpc-listen", "127.0.0.1:0"])
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(log)
            .kill_on_drop(true)
            .spawn()?;
        let output = child.stdout.take().ok_or("the server has no output")?;
        let mut running = Self {
            child,
            lines: BufReader::new(output).lines(),
            log: launch.log.clone(),
            http: String::new(),
            grpc: String::new(),
        };
        running.http = running.line_after("listening on ").await?;
        running.grpc = running.line_after("gRPC on ").await?;
        Ok(running)
    }

    /// Waits for the line with this beginning. Returns the rest of it.
    async fn line_after(&mut self, beginning: &str) -> Result<String, Failure> {
        let reading = async {
            while let Some(line) = self.lines.next_line().await? {
                if let Some(rest) = line.strip_prefix(beginning) {
                    return Ok::<_, Failure>(rest.trim().to_owned());
                }
            }
            let log = std::fs::read_to_string(&self.log)?;
            Err(format!("the server ended before {beginning:?}; its log:\n{log}").into())
        };
        timeout(WAIT_MAX, reading).await?
    }

    /// Returns its addresses, for a load.
    pub(crate) fn node(&self) -> Node {
        Node {
            base: self.http.clone(),
            grpc: Some(self.grpc.clone()),
        }
    }

    /// Returns its process.
    pub(crate) fn pid(&self) -> Option<u32> {
        self.child.id()
    }

    /// Ends it without asking, as a failing machine would, and waits.
    pub(crate) async fn kill(&mut self) -> Result<(), Failure> {
        Ok(self.child.kill().await?)
    }

    /// Asks it to stop, and waits.
    pub(crate) async fn stop(&mut self) -> Result<(), Failure> {
        let pid = i32::try_from(self.pid().ok_or("the server is gone")?)?;
        kill(Pid::from_raw(pid), Signal::SIGTERM)?;
        let status = timeout(WAIT_MAX, self.child.wait()).await??;
        if status.success() {
            Ok(())
        } else {
            let log = std::fs::read_to_string(&self.log)?;
            Err(format!("the server ended with {status}; its log:\n{log}").into())
        }
    }
}
