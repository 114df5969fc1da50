//! The reasons why a database that answers takes no writes.

/// A reason why the database takes no writes although it answers.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum NoWrites {
    /// The disk is full.
    DiskFull,
    /// The server is a standby, or was set to read only.
    ReadOnly,
}

impl NoWrites {
    /// Returns the reason and the remedy, as the end of a sentence.
    pub const fn advice(self) -> &'static str {
        match self {
            Self::DiskFull => "its disk is full: free space on it",
            Self::ReadOnly => "it is read-only: make it writable, or connect to the primary",
        }
    }
}

impl std::fmt::Display for NoWrites {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.write_str(self.advice())
    }
}
