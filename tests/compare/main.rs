//! Meterhouse beside the ways without a group commit, and the figures to reach, on one private Postgres, by hand:
//! `cargo bench -p meterhouse-tests --bench compare -- [options]`, see `--help`.
//!
//! # Shape
//! The server is the release program ([`programs`], [`server`]). `pgbench` plays the SQL ways ([`sql`], [`pgledger`]),
//! `TigerBeetle` its own benchmark ([`tigerbeetle`]), and the load generator ours ([`ours`]). The cells of the comparison
//! ([`way`]) are measured in turn, round after round ([`rounds`]), and printed with the ratios of each round ([`rows`]).
//! The sections of figures follow, one after the other ([`figures`]). The books are checked after each measurement.
//! Nothing is asserted about time.

mod abuse;
mod displays;
mod figure;
mod figures;
mod ground;
mod line;
mod options;
mod ours;
mod pgbench;
mod pgledger;
mod programs;
mod rounds;
mod rows;
mod server;
mod sql;
mod tigerbeetle;
mod way;

#[path = "../load/machine.rs"]
#[expect(dead_code, reason = "the committer's benchmark needs more of it")]
mod machine;
#[path = "../load/table.rs"]
#[expect(dead_code, reason = "the committer's benchmark needs more of it")]
mod table;

use std::error::Error;
use std::iter::successors;
use std::process::ExitCode;

use mimalloc::MiMalloc;

use crate::figure::Stage;
use crate::options::{Asked, Options};
use crate::programs::Programs;

/// Anything that keeps a figure from being taken.
pub(crate) type Failure = Box<dyn Error + Send + Sync>;

/// The database of the figures.
const FIGURES: &str = "figures";

// As the program has.
#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

fn main() -> ExitCode {
    let asked = match Options::read(std::env::args().skip(1)) {
        Ok(asked) => asked,
        Err(failure) => return refuse(&failure),
    };
    // The server has as many, which is started from here.
    meterhouse_tests::raise_open_files();
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build();
    let ran = match (asked, runtime) {
        (_, Err(error)) => Err(error.into()),
        (Asked::Help, Ok(_)) => Ok(()),
        (Asked::WriteLoop(bytes), Ok(_)) => displays::write_loop(bytes),
        (Asked::Compare(options), Ok(runtime)) => match Programs::find(&options) {
            Ok(programs) => runtime.block_on(compare(*options, programs)),
            Err(failure) => Err(failure),
        },
    };
    match ran {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => refuse(&failure),
    }
}

/// Measures everything that was asked for.
async fn compare(options: Options, programs: Programs) -> Result<(), Failure> {
    let folder = tempfile::Builder::new().prefix("mh-compare-").tempdir()?;
    let postgres = ground::start(folder.path()).await?;
    println!("{}", ground::describe(&postgres).await?);
    println!("{}\n", programs.versions);
    let needed = figures::needed(&options);
    let cells = rounds::run(&postgres, folder.path(), &programs, &options, &needed).await?;
    if options.sections().next().is_none() {
        return Ok(postgres.stop().await?);
    }
    let stage = Stage {
        ours: ground::ours(&postgres, &programs.server, FIGURES).await?,
        postgres,
        options,
        program: programs.server,
    };
    let measured = figures::run(&stage, &cells).await;
    stage.ours.stop().await?;
    stage.postgres.stop().await?;
    measured
}

fn refuse(failure: &Failure) -> ExitCode {
    let causes = successors(failure.source(), |&it| it.source());
    let causes: Vec<String> = causes.map(|it| format!(": {it}")).collect();
    eprintln!("compare: {failure}{}", causes.concat());
    ExitCode::FAILURE
}
