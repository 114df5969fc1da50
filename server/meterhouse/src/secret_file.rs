//! Files with a secret: written once, for their owner only.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write as _};
use std::os::unix::fs::{OpenOptionsExt as _, PermissionsExt as _};
use std::path::Path;

/// Rights of a file: its owner reads and writes it.
const MODE: u32 = 0o600;
/// Rights of people beyond owner and group.
const OTHERS: u32 = 0o007;

/// Writes a new file, and syncs it with its folder. An existing file is never replaced.
pub(crate) fn create(path: &Path, text: &str) -> io::Result<()> {
    let mut options = OpenOptions::new();
    let mut file = options.write(true).create_new(true).mode(MODE).open(path)?;
    file.write_all(text.as_bytes())?;
    file.sync_all()?;
    let folder = path.parent();
    let folder = folder.filter(|folder| !folder.as_os_str().is_empty());
    File::open(folder.unwrap_or(Path::new(".")))?.sync_all()
}

/// Returns `true` if everybody on this machine may read or write a file.
pub(crate) fn is_open_to_others(path: &Path) -> io::Result<bool> {
    Ok(fs::metadata(path)?.permissions().mode() & OTHERS != 0)
}
