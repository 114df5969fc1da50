//! Small file and folder functions that the standard library lacks.
//!
//! # Bounds
//! At most [`TAIL_BYTES_MAX`] of a log are read back, and about two times [`LOG_BYTES_MAX`] are kept.

use std::fs::{self, DirBuilder, File, OpenOptions};
use std::io::{self, Read as _, Seek as _, SeekFrom};
use std::os::unix::fs::{DirBuilderExt as _, MetadataExt as _, OpenOptionsExt as _};
use std::path::Path;

use nix::fcntl::OFlag;

use crate::error::PostgresError;

/// Bytes read from the log's end to quote it: a failing start prints its reason in its last lines.
const TAIL_BYTES_MAX: u64 = 8 * 1024;
/// Size from which the next start sets a log aside, bytes: a log would fill the disk unnoticed.
const LOG_BYTES_MAX: u64 = 16 * 1024 * 1024;

/// Creates a folder with exactly this mode. `Ok(false)`: something of that name exists already.
pub(crate) fn create_folder(path: &Path, mode: u32) -> Result<bool, PostgresError> {
    match DirBuilder::new().mode(mode).create(path) {
        Ok(()) => {
            // The umask may have taken bits away.
            fs::set_permissions(path, std::os::unix::fs::PermissionsExt::from_mode(mode))
                .map_err(PostgresError::io("set the mode of", path))?;
            Ok(true)
        }
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(false),
        Err(error) => Err(PostgresError::io("create the folder", path)(error)),
    }
}

/// Opens for reading and writing; creates if missing, empties nothing, follows no link.
pub(crate) fn open_kept(path: &Path) -> Result<File, PostgresError> {
    OpenOptions::new()
        .read(true)
        .append(true)
        .create(true)
        .mode(0o644)
        .custom_flags(OFlag::O_NOFOLLOW.bits())
        .open(path)
        .map_err(PostgresError::io("open", path))
}

/// Opens the log for appending after setting a long one aside. Also returns the offset of the new part.
pub(crate) fn open_log(path: &Path) -> Result<(File, u64), PostgresError> {
    if fs::symlink_metadata(path).is_ok_and(|meta| meta.len() > LOG_BYTES_MAX) {
        let aside = path.with_extension("log.1");
        fs::rename(path, &aside).map_err(PostgresError::io("set aside the log", path))?;
    }
    let file = open_kept(path)?;
    let length = file
        .metadata()
        .map_err(PostgresError::io("read the size of", path))?
        .len();
    Ok((file, length))
}

/// Returns the end of the log, of the part after `from`. Empty if the log can't be read.
pub(crate) fn log_tail(path: &Path, from: u64) -> String {
    let read = || -> io::Result<Vec<u8>> {
        let mut file = File::open(path)?;
        let length = file.metadata()?.len();
        file.seek(SeekFrom::Start(
            from.max(length.saturating_sub(TAIL_BYTES_MAX)),
        ))?;
        let mut bytes = Vec::new();
        file.take(TAIL_BYTES_MAX).read_to_end(&mut bytes)?;
        Ok(bytes)
    };
    String::from_utf8_lossy(&read().unwrap_or_default()).into_owned()
}

/// Returns the most informative line of a log: the last fatal one, else the last one.
pub(crate) fn last_words(tail: &str) -> String {
    let grave = |line: &&str| {
        ["FATAL:", "PANIC:", "error:"]
            .iter()
            .any(|word| line.contains(word))
    };
    let lines = || tail.lines().filter(|line| !line.trim().is_empty());
    lines()
        .rfind(grave)
        .or_else(|| lines().next_back())
        .unwrap_or("nothing")
        .trim()
        .to_owned()
}

/// Makes the names in a folder survive a power failure.
pub(crate) fn sync_folder(path: &Path) -> Result<(), PostgresError> {
    File::open(path)
        .and_then(|folder| folder.sync_all())
        .map_err(PostgresError::io("flush the folder", path))
}

/// Checks if two paths lead to the same file or folder.
pub(crate) fn is_same(one: &Path, other: &Path) -> io::Result<bool> {
    let (one, other) = (fs::metadata(one)?, fs::metadata(other)?);
    Ok((one.dev(), one.ino()) == (other.dev(), other.ino()))
}
