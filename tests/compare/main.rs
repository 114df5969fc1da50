//! Meterhouse beside the ways without a group commit, on one private Postgres, by hand:
//! `cargo bench -p meterhouse-tests --bench compare -- [options]`, see `--help`.
//!
//! # Shape
//! The server runs as a process of its own (this program again, [`server`]), `pgbench` plays the SQL ways ([`sql`]),
//! the load generator plays ours ([`ours`]). The cells of the table are measured in turn, round after round; the
//! books are checked after each; what is printed are medians. Nothing is asserted about time.

mod options;
mod ours;
mod rounds;
mod server;
mod sql;

#[path = "../load/machine.rs"]
#[expect(dead_code, reason = "the committer's benchmark needs more of it")]
mod machine;
#[path = "../load/table.rs"]
#[expect(dead_code, reason = "the committer's benchmark needs more of it")]
mod table;

use std::error::Error;
use std::process::ExitCode;

use mimalloc::MiMalloc;

use crate::options::{Asked, Options};

/// Anything that keeps a figure from being taken.
pub(crate) type Failure = Box<dyn Error + Send + Sync>;

// As the program has.
#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

fn main() -> ExitCode {
    let asked = match Options::read(std::env::args().skip(1)) {
        Ok(asked) => asked,
        Err(failure) => return refuse(&failure),
    };
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build();
    let ran = match (runtime, asked) {
        (Err(error), _) => Err(error.into()),
        (Ok(_), Asked::Help) => Ok(()),
        (Ok(runtime), Asked::Compare(options)) => runtime.block_on(rounds::run(&options)),
        (Ok(runtime), Asked::Serve { socket, database }) => {
            runtime.block_on(server::serve(&socket, &database))
        }
    };
    match ran {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => refuse(&failure),
    }
}

fn refuse(failure: &Failure) -> ExitCode {
    eprintln!("compare: {failure}");
    ExitCode::FAILURE
}
