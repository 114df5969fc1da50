//! `meterhouse version`

use meterhouse_domain::RULE_VERSION;
use meterhouse_engine::error_chain::ErrorChain;
use meterhouse_journal::chain::CHAIN_VERSION;
use meterhouse_journal::record::RECORD_VERSION;
use meterhouse_journal::snapshot::SNAPSHOT_FORMAT;
use meterhouse_postgres::find_binaries;
use serde::Serialize;

use crate::failure::Failure;
use crate::output::{self, outln};
use crate::program;
use crate::settings::DatabaseSettings;

/// The version of the program, printed as JSON with `--json`.
#[derive(Serialize)]
struct Version {
    /// Version of the program.
    version: &'static str,
    /// Details; absent without `--full`.
    #[serde(flatten)]
    full: Option<Full>,
}

/// The details of the program and its environment.
#[derive(Serialize)]
struct Full {
    /// SHA-256 of the file, in hexadecimal digits.
    sha256: String,
    /// Path of the file.
    file: String,
    /// Version of the rules.
    rules: u16,
    /// Versions of the journal's formats.
    journal: Journal,
    /// Postgres that would be started; null if none is found.
    postgres: Option<Postgres>,
}

/// The versions of the journal's formats.
#[derive(Serialize)]
struct Journal {
    chain: u8,
    records: u8,
    snapshots: u16,
}

/// The programs of a Postgres.
#[derive(Serialize)]
struct Postgres {
    major: u32,
    folder: String,
}

pub(crate) fn run(args: &DatabaseSettings, full: bool, json: bool) -> Result<(), Failure> {
    let found = if full { Some(read(args)?) } else { None };
    let version = env!("CARGO_PKG_VERSION");
    if json {
        return output::json(&Version {
            version,
            full: found,
        });
    }
    outln!("meterhouse {version}");
    let Some(full) = found else { return Ok(()) };
    outln!("sha256   {}", full.sha256);
    outln!("file     {}", full.file);
    outln!("rules    {}", full.rules);
    let Journal {
        chain,
        records,
        snapshots,
    } = full.journal;
    outln!("journal  chain {chain}, records {records}, snapshots {snapshots}");
    match full.postgres {
        Some(found) => outln!("postgres {} in {}", found.major, found.folder),
        None => outln!("postgres none"),
    }
    Ok(())
}

/// Reads the details of the program and its environment.
fn read(args: &DatabaseSettings) -> Result<Full, Failure> {
    let (file, hash) = program::running()
        .map_err(|error| Failure::internal("could not read this program's own file", error))?;
    let postgres = find_binaries(args.programs.as_deref());
    if let Err(error) = &postgres {
        tracing::warn!(error = %ErrorChain(error), "no Postgres was found");
    }
    Ok(Full {
        sha256: hash.to_string(),
        file: file.display().to_string(),
        rules: RULE_VERSION,
        journal: Journal {
            chain: CHAIN_VERSION,
            records: RECORD_VERSION,
            snapshots: SNAPSHOT_FORMAT,
        },
        postgres: postgres.ok().map(|found| Postgres {
            major: found.major,
            folder: found.folder.display().to_string(),
        }),
    })
}
