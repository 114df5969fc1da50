//! Meterhouse: a linked progressive jackpot server for casino table games.
//!
//! This crate is the program: command line, configuration, logs, start and stop. The rules are in
//! `domain`, the database in `store`, and the engine between them in `engine`.
//! `docs/ARCHITECTURE.md` describes them.

mod cli;
mod commands;
mod database;
mod database_url;
mod failure;
mod heads_file;
mod known_heads;
mod listen;
mod open_files;
mod output;
mod privileges;
mod program;
mod running;
mod signal;
mod space;
mod telemetry;

use std::process::ExitCode;

use clap::Parser;
use mimalloc::MiMalloc;

use crate::cli::{Cli, Command};
use crate::failure::Failure;

#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

fn main() -> ExitCode {
    let cli = Cli::parse();
    match try_main(cli) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => failure.report(),
    }
}

fn try_main(cli: Cli) -> Result<(), Failure> {
    telemetry::start(cli.log_filter(), cli.log_format)?;
    open_files::raise_limit();
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
        .map_err(|error| Failure::internal("could not start the runtime", error))?;
    runtime.block_on(run(cli))
}

async fn run(cli: Cli) -> Result<(), Failure> {
    match cli.command {
        Command::Demo(args) => commands::demo::run(&cli.database, args).await,
        Command::Load(args) => commands::load::run(&cli.database, args).await,
        Command::Serve(args) => commands::serve::run(&cli.database, args).await,
        Command::Migrate { check } => commands::migrate::run(&cli.database, check).await,
        Command::Verify {
            link,
            apply_only,
            json,
        } => commands::verify::run(&cli.database, link, apply_only, json).await,
        Command::Token { command } => commands::token::run(&cli.database, command).await,
        Command::Paytable { command, json } => commands::paytable::run(command, json),
        Command::Evaluate(args) => commands::evaluate::run(&args),
        Command::Returns(args) => commands::returns::run(&args),
        Command::Manual(args) => commands::manual::run(&args),
        Command::Openapi => commands::openapi::run(),
        Command::Version { full, json } => commands::version::run(&cli.database, full, json),
    }
}
