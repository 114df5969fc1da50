//! The limit of open files. Every display and every table's connection needs one. Many systems
//! limit a process to 1,024 unless it raises the limit.

use nix::sys::resource::{Resource, getrlimit, setrlimit};

/// Raises the limit as far as this user may.
pub(crate) fn raise_limit() {
    let raised = getrlimit(Resource::RLIMIT_NOFILE).and_then(|(now, most)| {
        if now < most {
            setrlimit(Resource::RLIMIT_NOFILE, most, most)
        } else {
            Ok(())
        }
    });
    if let Err(error) = raised {
        tracing::warn!(%error, "the limit of open files stays as it is");
    }
}
