//! The server's command line, which overrides every file in the cluster.
//!
//! # Order
//! Postgres takes the last value of a setting: our defaults, then the caller's, then the settings that keep data safe
//! and the socket private.

use std::ffi::OsString;
use std::path::Path;

use crate::options::Options;
use crate::socket::PORT;

/// Connections of all replicas and tools on one server; each costs memory only when used.
const CONNECTIONS_MAX: u32 = 200;

/// Settings that must be on and are checked after every start: an acknowledged wager survives a power failure.
pub(crate) const ASSERTED: [&str; 4] = [
    "fsync",
    "full_page_writes",
    "synchronous_commit",
    "data_checksums",
];

/// Returns the whole command line behind `postgres`; `accepts` checks if the programs support a value.
pub(crate) fn arguments(
    options: &Options,
    cluster: &Path,
    socket_dir: &Path,
    accepts: impl Fn(&str, &str) -> bool,
) -> Vec<OsString> {
    let mut settings = vec![
        (
            "shared_buffers".to_owned(),
            format!("{}MB", options.shared_buffers_mib),
        ),
        (
            "min_wal_size".to_owned(),
            format!("{}MB", options.min_wal_size_mib),
        ),
        (
            "max_wal_size".to_owned(),
            format!("{}MB", options.max_wal_size_mib),
        ),
        ("max_connections".to_owned(), CONNECTIONS_MAX.to_string()),
        ("log_min_messages".to_owned(), "warning".to_owned()),
        ("timezone".to_owned(), "UTC".to_owned()),
        ("log_timezone".to_owned(), "UTC".to_owned()),
    ];
    if accepts("wal_compression", "lz4") {
        settings.push(("wal_compression".to_owned(), "lz4".to_owned()));
    }
    // After a crash every file of the cluster is synced before it is read. One call replaces a call for each of some
    // thousand files, which took 4 s of a restart on a busy disk.
    if accepts("recovery_init_sync_method", "syncfs") {
        settings.push(("recovery_init_sync_method".to_owned(), "syncfs".to_owned()));
    }
    settings.extend(options.extra_settings.iter().cloned());
    let safe = [
        ("fsync", "on"),
        ("synchronous_commit", "on"),
        ("full_page_writes", "on"),
        ("listen_addresses", ""),
        ("unix_socket_permissions", "0700"),
        // Standard error is the log.
        ("logging_collector", "off"),
        ("log_destination", "stderr"),
    ];
    settings.extend(safe.map(|(name, value)| (name.to_owned(), value.to_owned())));

    let mut arguments: Vec<OsString> = vec!["-D".into(), cluster.into()];
    for (name, value) in settings {
        arguments.extend(["-c".into(), format!("{name}={value}").into()]);
    }
    arguments.extend(["-k".into(), socket_dir.into()]);
    arguments.extend(["-p".into(), PORT.to_string().into()]);
    arguments
}
