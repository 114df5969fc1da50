//! The folder of the socket: private, and short enough.
//!
//! # Bounds
//! The kernel takes [`SOCKET_PATH_BYTES_MAX`] bytes. A longer path, or one that Postgres would read as a list, moves
//! the socket into a folder under `/tmp`. That folder is named after the user and a hash of the data directory.
//!
//! # Order and locking
//! Every user may write to `/tmp`: the folder must be a real folder, owned by this user, before its mode is set or
//! anything is put into it. The sticky bit then keeps other users from replacing it.

use std::fs::{self, Permissions};
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};

use crate::account::Account;
use crate::error::PostgresError;
use crate::files::create_folder;
use crate::layout::Layout;

/// The longest path of a socket, bytes: `sun_path` less the closing zero.
const SOCKET_PATH_BYTES_MAX: usize = if cfg!(target_os = "linux") { 107 } else { 103 };
/// Part of the socket's name. No process listens on this port.
pub(crate) const PORT: u16 = 5432;
/// The superuser of every private cluster; reachable through the socket only.
pub const SUPERUSER: &str = "meterhouse_admin";
/// Parent of sockets whose path would be too long.
const SHORT_PARENT: &str = "/tmp";

/// Creates the folder of the socket, owned by the user that runs Postgres and closed to others.
pub(crate) fn prepare(layout: &Layout, account: &Account) -> Result<PathBuf, PostgresError> {
    let folder = choose(layout, account.uid);
    create_folder(&folder, 0o700)?;
    let meta = fs::symlink_metadata(&folder).map_err(PostgresError::io("look at", &folder))?;
    let is_ours = meta.uid() == account.uid || (account.is_dropped_to && meta.uid() == 0);
    if !meta.is_dir() || !is_ours {
        return Err(PostgresError::ForeignSocketDirectory {
            folder,
            owner: account.uid,
        });
    }
    fs::set_permissions(&folder, Permissions::from_mode(0o700))
        .map_err(PostgresError::io("set the mode of", &folder))?;
    account.give(&folder)?;
    Ok(folder)
}

fn choose(layout: &Layout, uid: u32) -> PathBuf {
    if is_usable(&layout.run) {
        return layout.run.clone();
    }
    let hash = fnv1a(layout.data_dir.as_os_str().as_bytes());
    Path::new(SHORT_PARENT).join(format!("meterhouse-{uid}-{hash:016x}"))
}

/// Checks the path: `unix_socket_directories` is a list with quotes, and the driver wants text.
fn is_usable(folder: &Path) -> bool {
    let socket = folder.join(format!(".s.PGSQL.{PORT}"));
    let is_plain = folder
        .to_str()
        .is_some_and(|text| !text.contains([',', '"']));
    is_plain && socket.as_os_str().len() <= SOCKET_PATH_BYTES_MAX
}

/// Returns FNV-1a, 64 bits: the same in every build, which the standard library's hasher does not promise.
fn fnv1a(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::{SOCKET_PATH_BYTES_MAX, fnv1a, is_usable};

    #[test]
    fn the_hash_is_fnv1a() {
        assert_eq!(fnv1a(b""), 0xcbf2_9ce4_8422_2325);
        assert_eq!(fnv1a(b"foobar"), 0x8594_4171_f739_67e8);
    }

    #[test]
    fn a_socket_path_is_used_up_to_the_limit() {
        let name = "/.s.PGSQL.5432".len();
        let fits = format!("/{}", "x".repeat(SOCKET_PATH_BYTES_MAX - name - 1));
        assert!(is_usable(Path::new(&fits)));
        assert!(!is_usable(Path::new(&format!("{fits}x"))));
        assert!(!is_usable(Path::new("/a,b")));
    }
}
