//! `meterhouse version`

use meterhouse_domain::RULE_VERSION;
use meterhouse_engine::chain::Chain;
use meterhouse_journal::chain::CHAIN_VERSION;
use meterhouse_journal::record::RECORD_VERSION;
use meterhouse_journal::snapshot::SNAPSHOT_FORMAT;
use meterhouse_postgres::find_binaries;

use crate::cli::DatabaseArgs;
use crate::failure::Failure;
use crate::program;

pub(crate) fn run(args: &DatabaseArgs, full: bool) -> Result<(), Failure> {
    println!("meterhouse {}", env!("CARGO_PKG_VERSION"));
    if !full {
        return Ok(());
    }
    let (file, hash) = program::running()
        .map_err(|error| Failure::internal("could not read this program's own file", error))?;
    println!("sha256   {hash}");
    println!("file     {}", file.display());
    println!("rules    {RULE_VERSION}");
    println!(
        "journal  chain {CHAIN_VERSION}, records {RECORD_VERSION}, snapshots {SNAPSHOT_FORMAT}"
    );
    match find_binaries(args.pg_bin.as_deref()) {
        Ok(found) => println!("postgres {} in {}", found.major, found.folder.display()),
        Err(error) => println!("postgres none: {}", Chain(&error)),
    }
    Ok(())
}
