//! Meterhouse: a linked progressive jackpot server for casino table games.
//!
//! This crate is the program: command line, configuration, logs, start and stop. The rules are in
//! `domain`, the database in `store`, and the engine between them in `engine`.
//! `docs/ARCHITECTURE.md` describes them.

mod administrator;
mod announcer;
mod archive_files;
mod call_thread;
mod certificates;
mod cli;
mod commands;
mod database;
mod database_url;
mod failure;
mod heads_file;
mod known_heads;
mod listen;
mod log_format;
mod open_files;
mod output;
mod privileges;
mod program;
mod pusher;
mod running;
mod schema;
mod secret_file;
mod service_manager;
mod settings;
mod signal;
mod signing_key;
mod space;
mod telemetry;
mod witness;
mod witness_lines;

use std::process::ExitCode;
use std::time::Duration;

use clap::Parser;
use mimalloc::MiMalloc;

use crate::cli::{Cli, Command};
use crate::commands::migrate::Action;
use crate::failure::Failure;
use crate::settings::Settings;
use crate::telemetry::Telemetry;

/// Longest wait at the end for what blocks a thread, such as the lookup of the collector's name.
const LEFT_MAX: Duration = Duration::from_secs(1);

#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

fn main() -> ExitCode {
    meterhouse_tls::install_provider();
    let cli = Cli::parse();
    match try_main(cli) {
        Ok(()) => output::failed().unwrap_or(ExitCode::SUCCESS),
        Err(failure) => failure.report(),
    }
}

fn try_main(cli: Cli) -> Result<(), Failure> {
    let sources = cli.sources()?;
    if let Command::Config { command } = cli.command {
        return commands::config::run(&sources, command);
    }
    let settings = sources.settings()?;
    if matches!(cli.command, Command::Ready) {
        return commands::ready::run(&settings);
    }
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
        .map_err(|error| Failure::internal("could not start the runtime", error))?;
    let filter = settings.log_filter.clone();
    let filter = filter.unwrap_or_else(|| cli.log_filter().to_owned());
    let telemetry = {
        // The export over gRPC needs the runtime.
        let _entered = runtime.enter();
        Telemetry::start(&filter, settings.log_format)?
    };
    open_files::raise_limit();
    let ended = runtime.block_on(run(cli.command, &settings, &telemetry));
    telemetry.stop();
    runtime.shutdown_timeout(LEFT_MAX);
    ended
}

async fn run(command: Command, settings: &Settings, telemetry: &Telemetry) -> Result<(), Failure> {
    let database = &settings.database;
    match command {
        Command::Demo(args) => commands::demo::run(database, args).await,
        Command::Load(args) => commands::load::run(settings, args).await,
        Command::Serve(args) => commands::serve::run(settings, telemetry, args.restored).await,
        Command::Migrate {
            check,
            plan,
            json,
            compact,
        } => {
            let action = match (check, plan, compact) {
                (true, _, _) => Action::Check,
                (_, true, _) => Action::Plan { json },
                (_, _, true) => Action::Compact,
                _ => Action::Apply,
            };
            commands::migrate::run(database, action).await
        }
        Command::Export(args) => commands::export::run(database, &args).await,
        Command::Key { command } => commands::key::run(settings, command).await,
        Command::Verify(args) => commands::verify::run(database, &args).await,
        Command::Archive { command } => commands::archive::run(database, command).await,
        Command::Token { command } => commands::token::run(settings, command).await,
        Command::User { command } => commands::user::run(settings, command).await,
        Command::Paytable { command, json } => commands::paytable::run(command, json),
        Command::Evaluate(args) => commands::evaluate::run(&args),
        Command::Settle(args) => commands::settle::run(&args),
        Command::Returns(args) => commands::returns::run(&args),
        Command::Manual(args) => commands::manual::run(&args),
        Command::Config { .. } | Command::Ready => Ok(()),
        Command::Policy { json } => commands::policy::run(json),
        Command::Openapi => commands::openapi::run(),
        Command::Completions { shell } => commands::completions::run(shell),
        Command::ManPages { folder } => commands::man_pages::run(&folder),
        Command::Version { full, json } => commands::version::run(database, full, json),
    }
}
