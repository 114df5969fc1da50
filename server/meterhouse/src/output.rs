//! Results on standard output.
//!
//! A reader may close the pipe early, as `head` does. A closed pipe ends no command and is no
//! error.

use std::io::{ErrorKind, Write as _, stderr, stdout};

use serde::Serialize;

use crate::failure::Failure;

/// Writes text to standard output. A closed pipe is ignored; any other failure is reported on
/// standard error.
pub(crate) fn write(text: &str) {
    let mut out = stdout().lock();
    let written = out.write_all(text.as_bytes()).and_then(|()| out.flush());
    if let Err(error) = written
        && error.kind() != ErrorKind::BrokenPipe
    {
        // Standard error may be gone as well.
        drop(writeln!(
            stderr(),
            "meterhouse: can't write the result: {error}"
        ));
    }
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
