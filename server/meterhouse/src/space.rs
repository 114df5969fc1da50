//! The free space of the private Postgres' disk, for readiness.

use std::path::{Path, PathBuf};

use meterhouse_engine::readiness::{AddedCheck, Check};
use nix::sys::statvfs::statvfs;

/// Free bytes below which readiness warns: some hours of play of a large floor.
const SPACE_WARNING: u64 = 1 << 30;
/// Free bytes below which readiness fails: two segments of Postgres' log.
const SPACE_FAILURE: u64 = 32 << 20;
/// Number of bytes in a mebibyte.
const MEBIBYTE: u64 = 1 << 20;

/// Returns the check of the disk that holds this folder.
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

/// Returns the number of bytes that are free for this user.
pub(crate) fn free(folder: &Path) -> nix::Result<u64> {
    let disk = statvfs(folder)?;
    Ok(disk.blocks_available().saturating_mul(disk.fragment_size()))
}

fn judge(bytes: u64, folder: &Path) -> Check {
    let mebibytes = bytes / MEBIBYTE;
    let folder = PathBuf::from(folder);
    let folder = folder.display();
    if bytes < SPACE_FAILURE {
        return Check::failed(
            "space",
            format!("{mebibytes} MiB are free on the disk of {folder}: make room now"),
        );
    }
    let least = SPACE_WARNING / MEBIBYTE;
    if bytes < SPACE_WARNING {
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
    fn little_free_space_is_reported_before_none() {
        let state = |bytes| judge(bytes, Path::new("/data")).state;
        assert_eq!(state(SPACE_WARNING), CheckState::Ok);
        assert_eq!(state(SPACE_WARNING - 1), CheckState::Degraded);
        assert_eq!(state(SPACE_FAILURE), CheckState::Degraded);
        assert_eq!(state(SPACE_FAILURE - 1), CheckState::Failed);
        let said = judge(300 * MEBIBYTE, Path::new("/data")).detail;
        assert_eq!(
            said,
            "300 MiB are free on the disk of /data, less than 1024: make room"
        );
    }
}
