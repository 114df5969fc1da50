//! Rates and latencies of the committer on a private Postgres with the sizes of production, run by hand:
//! `cargo bench -p meterhouse-tests --bench committer -- [options]`, see `--help`.
//!
//! # Shape
//! Start and memory are measured first, which also warms the server up. The cases follow in turn, round after round.
//! The resulting journal is then checked, verified and loaded. No assertion is about time; all are about
//! the books.

mod load;
mod machine;
mod naive;
mod options;
mod sections;
mod setup;
mod table;

use std::error::Error;
use std::process::ExitCode;

use crate::options::Options;

/// Any error that prevents a measurement.
pub(crate) type Failure = Box<dyn Error + Send + Sync>;

fn main() -> ExitCode {
    let options = match Options::read(std::env::args().skip(1)) {
        Ok(Some(options)) => options,
        Ok(None) => return ExitCode::SUCCESS,
        Err(failure) => return refuse(&failure),
    };
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build();
    let ran = match runtime {
        Ok(runtime) => runtime.block_on(sections::run(&options)),
        Err(error) => Err(error.into()),
    };
    match ran {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => refuse(&failure),
    }
}

fn refuse(failure: &Failure) -> ExitCode {
    eprintln!("committer: {failure}");
    ExitCode::FAILURE
}
