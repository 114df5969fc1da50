//! `meterhouse completions`

use clap::CommandFactory as _;
use clap_complete::{Shell, generate};

use crate::cli::Cli;
use crate::failure::Failure;
use crate::output;

pub(crate) fn run(shell: Shell) -> Result<(), Failure> {
    let mut text = Vec::new();
    generate(shell, &mut Cli::command(), "meterhouse", &mut text);
    let text = String::from_utf8(text)
        .map_err(|error| Failure::internal("the completions are no text", error))?;
    output::write(&text);
    Ok(())
}
