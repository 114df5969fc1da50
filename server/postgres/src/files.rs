//! Small things about files and folders that the standard library leaves to us.
//!
//! # What bounds it
//! A log is read back by at most [`TAIL_BYTES_MAX`] and kept by about two times [`LOG_BYTES_MAX`].

use std::fs::{self, DirBuilder, File, OpenOptions};
use std::io::{self, Read as _, Seek as _, SeekFrom};
use std::os::unix::fs::{DirBuilderExt as _, MetadataExt as _, OpenOptionsExt as _};
use std::path::Path;

use nix::fcntl::OFlag;

use crate::error::PostgresError;

/// How much of the log's end is read to quote it, bytes: a start that fails says why in its last
/// lines.
const TAIL_BYTES_MAX: u64 = 8 * 1024;
/// A log longer than this is set aside at the next start, bytes: disks fill up quietly.
const LOG_BYTES_MAX: u64 = 16 * 1024 * 1024;

/// Creates a folder with exactly this mode. `Ok(false)`: something of that name is there already.
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

/// Opens for reading and writing, creates if missing, empties nothing, follows no link.
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

/// Opens the log for appending; sets a long one aside first. Also gives where the new part begins.
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

/// The end of the log, of what was written after `from`. Empty if it cannot be read.
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

/// The line of a log that says most: the last fatal one, else the last one.
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

/// Whether two paths lead to the same file or folder.
pub(crate) fn is_same(one: &Path, other: &Path) -> io::Result<bool> {
    let (one, other) = (fs::metadata(one)?, fs::metadata(other)?);
    Ok((one.dev(), one.ino()) == (other.dev(), other.ino()))
}
