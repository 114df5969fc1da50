//! What is wrong with the settings, all at once.

use std::fmt::{self, Display, Formatter};
use std::path::PathBuf;

use crate::failure::Failure;

/// The place that a value comes from. The order is that of messages: places of a file from top to bottom, then the
/// environment, then flags.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Origin {
    /// No source has a value.
    Preset,
    /// A line of the file.
    File {
        /// Path of the file.
        path: PathBuf,
        /// Line, from 1.
        line: usize,
        /// Column, from 1, in characters.
        column: usize,
    },
    /// An environment variable.
    Variable(&'static str),
    /// A flag.
    Flag(&'static str),
}

impl Display for Origin {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Preset => out.write_str("default"),
            Self::File { path, line, column } => {
                write!(out, "{}:{line}:{column}", path.display())
            }
            Self::Variable(name) => out.write_str(name),
            Self::Flag(flag) => write!(out, "--{flag}"),
        }
    }
}

/// A mistake in the settings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Mistake {
    /// Place of the mistake.
    pub(crate) origin: Origin,
    /// What is wrong, and what to write instead. Never a secret.
    pub(crate) message: String,
}

impl Display for Mistake {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        write!(out, "{}: {}", self.origin, self.message)
    }
}

/// Returns the failure of mistakes: of the command line if all of them are flags.
pub(crate) fn failure(mistakes: &[Mistake]) -> Failure {
    let lines: Vec<String> = mistakes.iter().map(ToString::to_string).collect();
    let text = match &lines[..] {
        [line] => line.clone(),
        lines => format!(
            "{} mistakes in the settings:\n  {}",
            lines.len(),
            lines.join("\n  ")
        ),
    };
    let is_flag = |mistake: &Mistake| matches!(mistake.origin, Origin::Flag(_));
    if mistakes.iter().all(is_flag) {
        Failure::Usage(text)
    } else {
        Failure::Configuration(text)
    }
}
