//! The command lines of `meterhouse verify` and `meterhouse export`.

use std::path::PathBuf;

use clap::Args;

/// The exit codes, and what is decided again.
pub(super) const VERIFY_HELP: &str = "\
Events that this program's rules decided are decided again; those of another rule version are only carried out, and the
result names their batches.

Exit codes: 0 everything agrees, 1 something differs or is missing, 2 no such link, 4 the database or a table of it is
not there, 6 the database has no links, 7 the file of an archived month is missing";

/// `meterhouse verify`
#[derive(Debug, Args)]
pub(crate) struct VerifyArgs {
    /// File of an export, or evidence of a hit
    #[arg(value_name = "FILE", conflicts_with_all = ["link", "archive", "apply_only"])]
    pub(crate) file: Option<PathBuf>,
    /// With FILE: a public key that you have from the house, as 64 digits or in a file (repeatable)
    #[arg(long = "key", value_name = "KEY", requires = "file")]
    pub(crate) keys: Vec<String>,
    /// With FILE: a file with the signed heads that a witness kept, a line each
    #[arg(long, value_name = "FILE", requires = "file")]
    pub(crate) witness: Option<PathBuf>,
    /// Verify this link only
    #[arg(long, value_name = "NAME")]
    pub(crate) link: Option<String>,
    /// Folder with the files of archived months
    #[arg(long, value_name = "DIR")]
    pub(crate) archive: Option<PathBuf>,
    /// Only apply the events; don't decide the commands again
    #[arg(long)]
    pub(crate) apply_only: bool,
    /// Print the result as JSON
    #[arg(long)]
    pub(crate) json: bool,
}

/// `meterhouse export`
#[derive(Debug, Args)]
pub(crate) struct ExportArgs {
    /// Link to export
    #[arg(long, value_name = "NAME")]
    pub(crate) link: String,
    /// Day to export, as in 2026-11-24, in UTC [default: the whole journal]
    #[arg(long, value_name = "DAY")]
    pub(crate) day: Option<String>,
    /// File to write; it must not exist
    #[arg(long, value_name = "FILE")]
    pub(crate) to: PathBuf,
    /// Folder with the files of archived months
    #[arg(long, value_name = "DIR")]
    pub(crate) archive: Option<PathBuf>,
}
