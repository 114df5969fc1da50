//! The programs of others and our own, found before anything is started.

use std::env;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use meterhouse_postgres::find_binaries;

use crate::Failure;
use crate::options::Options;

/// The folder of the workspace.
const WORKSPACE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/..");
/// The name of the server's program.
const SERVER: &str = "meterhouse";

/// The programs that play or are measured.
#[derive(Clone, Debug)]
pub(crate) struct Programs {
    /// The server's program.
    pub(crate) server: PathBuf,
    /// `pgbench`.
    pub(crate) pgbench: PathBuf,
}

impl Programs {
    /// Finds all programs, and builds the server's if none is named.
    pub(crate) fn find(options: &Options) -> Result<Self, Failure> {
        let pgbench = find_binaries(None)?.folder.join("pgbench");
        check(&pgbench, "install the whole package of Postgres' server")?;
        let server = match &options.program {
            Some(program) => program.canonicalize().unwrap_or_else(|_| program.clone()),
            None => build()?,
        };
        check(&server, "name the server's program with --program FILE")?;
        Ok(Self { server, pgbench })
    }

    /// Returns the server's program with its version, for the head of the output.
    pub(crate) fn describe(&self) -> Result<String, Failure> {
        let asked = Command::new(&self.server).arg("--version").output()?;
        let version = String::from_utf8_lossy(&asked.stdout);
        Ok(format!(
            "program: {}, {}",
            version.trim(),
            self.server.display()
        ))
    }
}

/// Checks that a program can be run; `remedy` says what to do otherwise.
fn check(program: &Path, remedy: &str) -> Result<(), Failure> {
    let name = program.display();
    let Ok(meta) = program.metadata() else {
        return Err(format!("there is no {name}: {remedy}").into());
    };
    if !meta.is_file() || meta.permissions().mode() & 0o111 == 0 {
        return Err(format!("{name} is no executable program: {remedy}").into());
    }
    Ok(())
}

/// Builds the release program as the README does, in the target folder of this benchmark.
fn build() -> Result<PathBuf, Failure> {
    let cargo = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(cargo);
    command
        .args(["build", "--release", "--locked"])
        .current_dir(WORKSPACE);
    let built = command.status()?;
    if !built.success() {
        return Err(
            "the release program is not built: see cargo's output, or name one with --program FILE"
                .into(),
        );
    }
    // The benchmark is target/release/deps/compare-….
    let own = env::current_exe()?;
    let folder = own.parent().and_then(Path::parent);
    Ok(folder.ok_or("no folder of programs")?.join(SERVER))
}
