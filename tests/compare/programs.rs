//! The programs of others and our own, found before anything is started.

use std::env;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use meterhouse_postgres::find_binaries;

use crate::Failure;
use crate::options::Options;
use crate::pgledger;

/// The folder of the workspace.
const WORKSPACE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/..");
/// The name of the server's program.
const SERVER: &str = "meterhouse";

/// The programs that play or are measured.
#[derive(Clone, Debug)]
pub(crate) struct Programs {
    /// The server's program.
    pub(crate) server: PathBuf,
    /// `pgbench`. It is there if it is needed.
    pub(crate) pgbench: PathBuf,
    /// The folder of pgledger's SQL, if it is played.
    pub(crate) pgledger: Option<PathBuf>,
    /// The program of `TigerBeetle`, if it is played.
    pub(crate) tigerbeetle: Option<PathBuf>,
    /// The versions of what is measured, for the head of the output.
    pub(crate) versions: String,
}

impl Programs {
    /// Finds all programs, and builds the server's if none is named.
    pub(crate) fn find(options: &Options) -> Result<Self, Failure> {
        let pgbench = find_binaries(None)?.folder.join("pgbench");
        if options.needs_pgbench() {
            check(
                &pgbench,
                "install the whole package of Postgres' server, or leave out the ways of SQL",
            )?;
        }
        if let Some(folder) = &options.pgledger {
            for file in pgledger::FILES {
                check_sql(&folder.join(file))?;
            }
        }
        let absolute = |file: &PathBuf| file.canonicalize().unwrap_or_else(|_| file.clone());
        let tigerbeetle = options.tigerbeetle.as_ref().map(absolute);
        let mut versions = Vec::new();
        if let Some(program) = &tigerbeetle {
            let remedy = "name the program with --tigerbeetle FILE";
            check(program, remedy)?;
            versions.push(version(program, "version", remedy)?);
        }
        let server = match &options.program {
            Some(program) => absolute(program),
            None => build()?,
        };
        let remedy = "name the server's program with --program FILE";
        check(&server, remedy)?;
        versions.insert(0, version(&server, "--version", remedy)?);
        Ok(Self {
            server,
            pgbench,
            pgledger: options.pgledger.clone(),
            tigerbeetle,
            versions: versions.join("\n"),
        })
    }
}

/// Returns the version that a program prints, with its path.
fn version(program: &Path, word: &str, remedy: &str) -> Result<String, Failure> {
    let name = program.display();
    let asked = Command::new(program).arg(word).output();
    let asked = asked.map_err(|error| format!("{name} does not run, {error}: {remedy}"))?;
    if !asked.status.success() {
        return Err(format!("{name} {word} ended with {}: {remedy}", asked.status).into());
    }
    let version = String::from_utf8_lossy(&asked.stdout);
    Ok(format!("{}: {name}", version.trim()))
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

fn check_sql(file: &Path) -> Result<(), Failure> {
    if file.is_file() {
        return Ok(());
    }
    let name = file.display();
    Err(format!(
        "there is no {name}: name a checkout of github.com/pgr0ss/pgledger with --pgledger FOLDER"
    )
    .into())
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
