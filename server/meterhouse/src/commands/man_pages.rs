//! `meterhouse man-pages`

use std::fs;
use std::path::Path;

use clap::CommandFactory as _;

use crate::cli::Cli;
use crate::failure::Failure;

pub(crate) fn run(folder: &Path) -> Result<(), Failure> {
    let failed = |error| Failure::internal(format!("can't write into {}", folder.display()), error);
    fs::create_dir_all(folder).map_err(failed)?;
    clap_mangen::generate_to(Cli::command(), folder).map_err(failed)
}
