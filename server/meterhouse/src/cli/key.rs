//! The command line of `meterhouse key`.

use std::path::PathBuf;

use clap::Subcommand;

/// `meterhouse key`
#[derive(Debug, Subcommand)]
pub(crate) enum KeyCommand {
    /// Create a key in a new file and print its public key
    Create {
        /// File to write; it must not exist
        #[arg(long, value_name = "FILE")]
        to: PathBuf,
    },
    /// List the keys that the database knows
    List,
    /// Introduce a key, with which the nodes sign once they are restarted with it
    Introduce {
        /// File of the new key, or of the public key of a device as PEM
        #[arg(value_name = "FILE")]
        key_file: PathBuf,
        /// File of the key that signs until now, which vouches for the new one
        #[arg(long, value_name = "FILE")]
        old: Option<PathBuf>,
        /// The key that signs until now is in the device of the settings, and vouches for the new one
        #[arg(long, conflicts_with = "old")]
        old_device: bool,
    },
    /// End a key: nothing later is signed with it
    End {
        /// Public key, as `meterhouse key list` shows it
        key: String,
        /// Time from which others may have had the key, as in 2026-11-24T12:00:00Z
        #[arg(long, value_name = "TIME")]
        compromised_since: Option<String>,
    },
}
