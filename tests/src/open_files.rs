//! Files that a test may have open.

use nix::sys::resource::{Resource, getrlimit, setrlimit};

/// Lets this process have as many open as its user may: thousands of connections are as many files, twice where both
/// ends are here.
pub fn raise_open_files() {
    let (now, most) = getrlimit(Resource::RLIMIT_NOFILE).expect("the limit");
    if now < most {
        setrlimit(Resource::RLIMIT_NOFILE, most, most).expect("up to the hard limit anybody may");
    }
}
