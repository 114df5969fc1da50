//! Results on standard output.
//!
//! A reader may close the pipe early, as `head` does. A closed pipe ends no command and is no
//! error. Any other failure is reported once, and `main` ends the program with its exit code.

use std::io::{ErrorKind, Write as _, stdout};
use std::process::ExitCode;
use std::sync::OnceLock;

use serde::Serialize;

use crate::failure::Failure;

/// Exit code for the first result that could not be written.
static FAILED: OnceLock<ExitCode> = OnceLock::new();

/// Writes text to standard output. A closed pipe is ignored; the first other failure is reported.
pub(crate) fn write(text: &str) {
    let mut out = stdout().lock();
    let written = out.write_all(text.as_bytes()).and_then(|()| out.flush());
    if let Err(error) = written
        && error.kind() != ErrorKind::BrokenPipe
    {
        let what = format!("can't write the result: {error}; make room, or write it elsewhere");
        FAILED.get_or_init(|| Failure::Configuration(what).report());
    }
}

/// Returns the exit code for a result that could not be written, if there is one.
pub(crate) fn failed() -> Option<ExitCode> {
    FAILED.get().copied()
}

/// Writes a result as indented JSON to standard output.
pub(crate) fn json<T: Serialize>(result: &T) -> Result<(), Failure> {
    let text = serde_json::to_string_pretty(result)
        .map_err(|error| Failure::internal("can't write the result as JSON", error))?;
    write(&(text + "\n"));
    Ok(())
}

/// Writes a formatted line to standard output, see [`write`].
macro_rules! outln {
    () => { $crate::output::write("\n") };
    ($($arguments:tt)+) => { $crate::output::write(&(format!($($arguments)+) + "\n")) };
}

/// Writes formatted text to standard output, see [`write`].
macro_rules! out {
    ($($arguments:tt)+) => { $crate::output::write(&format!($($arguments)+)) };
}

pub(crate) use {out, outln};
