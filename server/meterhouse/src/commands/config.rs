//! `meterhouse config check | print | example`

use crate::cli::ConfigCommand;
use crate::failure::Failure;
use crate::output::{out, outln};
use crate::settings::{Sources, default_file, example};

pub(crate) fn run(sources: &Sources, command: ConfigCommand) -> Result<(), Failure> {
    match command {
        ConfigCommand::Check => {
            sources.settings()?;
            outln!("{}: every setting is valid", file(sources));
        }
        ConfigCommand::Print => {
            sources.settings()?;
            out!("# {}\n{}", file(sources), sources.print());
        }
        ConfigCommand::Example => out!("{}", example()),
    }
    Ok(())
}

/// Returns the path of the file that was read, or says that there is none.
fn file(sources: &Sources) -> String {
    match (&sources.path, default_file()) {
        (Some(path), _) => path.display().to_string(),
        (None, Some(path)) => format!("no file ({} does not exist)", path.display()),
        (None, None) => "no file".to_owned(),
    }
}
