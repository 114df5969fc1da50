//! How many files this process may have open: every display and every table's connection is one, and many systems
//! give a process 1,024 unless it asks for more.

use nix::sys::resource::{Resource, getrlimit, setrlimit};

/// Asks for as many as this user may have.
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
