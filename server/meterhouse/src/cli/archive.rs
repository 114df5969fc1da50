//! The arguments of `meterhouse archive`.

use std::path::PathBuf;

use clap::Subcommand;
use meterhouse_store::Month;

/// Reads a month of the command line.
fn month(text: &str) -> Result<Month, String> {
    text.parse().map_err(str::to_owned)
}

/// `meterhouse archive`
#[derive(Debug, Subcommand)]
pub(crate) enum ArchiveCommand {
    /// List the months with their places, and say which may be archived
    List {
        /// Print the result as JSON
        #[arg(long)]
        json: bool,
    },
    /// Write the file of a month, read it back, prove every batch, and record the month
    Write {
        /// Month, as in 2026-08
        #[arg(long, value_name = "MONTH", value_parser = month)]
        month: Month,
        /// Folder to write the file into
        #[arg(long, value_name = "DIR")]
        to: PathBuf,
    },
    /// Prove the file again, then detach the month's events while tables play
    Detach {
        /// Month, as in 2026-08
        #[arg(long, value_name = "MONTH", value_parser = month)]
        month: Month,
        /// Folder with the file
        #[arg(long, value_name = "DIR")]
        from: PathBuf,
    },
    /// Attach the events of a detached month again
    Attach {
        /// Month, as in 2026-08
        #[arg(long, value_name = "MONTH", value_parser = month)]
        month: Month,
    },
    /// Prove the file once more, then drop the detached table: the file is all that is left
    Drop {
        /// Month, as in 2026-08
        #[arg(long, value_name = "MONTH", value_parser = month)]
        month: Month,
        /// Folder with the file
        #[arg(long, value_name = "DIR")]
        from: PathBuf,
    },
}
