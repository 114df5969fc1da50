//! The free space of the private Postgres' disk, for readiness.

use std::path::{Path, PathBuf};

use meterhouse_engine::readiness::{AddedCheck, Check};
use nix::sys::statvfs::statvfs;

/// Free space below which an operator should make room, bytes: some hours of play of a large floor.
const SPACE_LEAST: u64 = 1 << 30;
/// Free space below which the server counts as unable to write, bytes: two segments of Postgres' log.
const SPACE_NONE: u64 = 32 << 20;
/// Bytes of a mebibyte.
const MEBIBYTE: u64 = 1 << 20;

/// The check of the disk that holds this folder.
pub(crate) fn check(folder: &Path) -> AddedCheck {
    let folder = folder.to_owned();
    AddedCheck::new(move || match free(&folder) {
        Ok(bytes) => judge(bytes, &folder),
        Err(error) => {
            let folder = folder.display();
            Check::degraded(
                "space",
                format!("the disk of {folder} can't be asked: {error}"),
            )
        }
    })
}

/// Returns the bytes that are free for this user.
fn free(folder: &Path) -> nix::Result<u64> {
    let disk = statvfs(folder)?;
    Ok(disk.blocks_available().saturating_mul(disk.fragment_size()))
}

fn judge(bytes: u64, folder: &Path) -> Check {
    let mebibytes = bytes / MEBIBYTE;
    let folder = PathBuf::from(folder);
    let folder = folder.display();
    if bytes < SPACE_NONE {
        return Check::failed(
            "space",
            format!("{mebibytes} MiB are free on the disk of {folder}: make room now"),
        );
    }
    let least = SPACE_LEAST / MEBIBYTE;
    if bytes < SPACE_LEAST {
        return Check::degraded(
            "space",
            format!(
                "{mebibytes} MiB are free on the disk of {folder}, less than {least}: make room"
            ),
        );
    }
    Check::ok("space", format!("{mebibytes} MiB are free"))
}

#[cfg(test)]
mod tests {
    use meterhouse_engine::readiness::CheckState;

    use super::*;

    #[test]
    fn little_space_is_said_before_it_ends() {
        let state = |bytes| judge(bytes, Path::new("/data")).state;
        assert_eq!(state(SPACE_LEAST), CheckState::Ok);
        assert_eq!(state(SPACE_LEAST - 1), CheckState::Degraded);
        assert_eq!(state(SPACE_NONE), CheckState::Degraded);
        assert_eq!(state(SPACE_NONE - 1), CheckState::Failed);
        let said = judge(300 * MEBIBYTE, Path::new("/data")).detail;
        assert_eq!(
            said,
            "300 MiB are free on the disk of /data, less than 1024: make room"
        );
    }
}
