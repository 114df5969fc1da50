//! The identity of this program: the SHA-256 of its file, compared with the approved one before
//! anything else.
//!
//! # Limits
//! The file is read in pieces of [`PIECE_BYTES`].

use std::fmt::{self, Display, Formatter};
use std::fs::File;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};
use std::str::FromStr;

use sha2::{Digest as _, Sha256};

use crate::failure::Failure;

/// Number of bytes of the program's file in memory.
const PIECE_BYTES: u64 = 64 * 1_024;
/// Bytes of a SHA-256.
const HASH_BYTES: usize = 32;

/// The SHA-256 of a program's file, written as 64 hexadecimal digits.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) struct ProgramHash([u8; HASH_BYTES]);

/// An error: a text that is not a SHA-256.
#[derive(Copy, Clone, Debug, thiserror::Error)]
#[error("a SHA-256 has 64 hexadecimal digits, as `sha256sum` prints it")]
pub(crate) struct NotAHash;

impl Display for ProgramHash {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(&hex::encode(self.0))
    }
}

impl FromStr for ProgramHash {
    type Err = NotAHash;

    fn from_str(text: &str) -> Result<Self, NotAHash> {
        let mut hash = [0; HASH_BYTES];
        let read = hex::decode_to_slice(text, &mut hash);
        read.map(|()| Self(hash)).map_err(|_| NotAHash)
    }
}

/// Returns the path of the running file and its hash.
pub(crate) fn running() -> io::Result<(PathBuf, ProgramHash)> {
    let file = std::env::current_exe()?;
    let hash = hash_of(&file)?;
    Ok((file, hash))
}

fn hash_of(file: &Path) -> io::Result<ProgramHash> {
    let mut file = File::open(file)?;
    let mut hasher = Sha256::new();
    let mut piece = Vec::new();
    while file.by_ref().take(PIECE_BYTES).read_to_end(&mut piece)? > 0 {
        hasher.update(&piece);
        piece.clear();
    }
    Ok(ProgramHash(hasher.finalize().into()))
}

/// Logs the program's hash, and refuses to run if another one was approved.
pub(crate) fn check(approved: Option<ProgramHash>) -> Result<(), Failure> {
    match (running(), approved) {
        (Ok((file, hash)), Some(approved)) if hash != approved => {
            let file = file.display();
            Err(Failure::Configuration(format!(
                "this program is not the approved one: {file} has the SHA-256 {hash}, and --program-hash (METERHOUSE_PROGRAM_HASH) says {approved}; start the approved program"
            )))
        }
        (Ok((file, hash)), _) => {
            let version = env!("CARGO_PKG_VERSION");
            tracing::info!(program.version = version, program.sha256 = %hash, program.file = %file.display(), "this program starts");
            Ok(())
        }
        (Err(error), Some(_)) => Err(Failure::Configuration(format!(
            "this program's own file can't be read ({error}), so that it can't be compared with --program-hash: let the server read it"
        ))),
        (Err(error), None) => {
            tracing::warn!(%error, "this program's own file can't be read: its hash is unknown");
            Ok(())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{PIECE_BYTES, ProgramHash, hash_of};

    /// A file of no piece, of a whole piece, and of a little more.
    #[test]
    fn every_byte_of_a_file_changes_its_hash() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("program");
        let mut seen = Vec::new();
        for bytes in [0, PIECE_BYTES - 1, PIECE_BYTES, PIECE_BYTES + 1] {
            std::fs::write(&file, vec![b'a'; usize::try_from(bytes).unwrap()]).unwrap();
            let hash = hash_of(&file).unwrap();
            assert!(!seen.contains(&hash), "{bytes}");
            seen.push(hash);
        }
        let of_nothing = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
        assert_eq!(seen[0].to_string(), of_nothing);
    }

    #[test]
    fn a_program_hash_is_64_hexadecimal_digits() {
        let written = "ab".repeat(32);
        let read: ProgramHash = written.to_uppercase().parse().unwrap();
        assert_eq!(read.to_string(), written);
        for wrong in [
            "",
            "ab",
            &"ab".repeat(33),
            &"zz".repeat(32),
            &"é".repeat(32),
        ] {
            assert!(wrong.parse::<ProgramHash>().is_err(), "{wrong}");
        }
    }
}
