//! What is wrong with paytable files: every finding with its place.

/// One thing that is wrong, and what to write instead.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{file}:{line}:{column}: {message}")]
pub struct CatalogueError {
    /// The file, as it was named to us.
    pub file: String,
    /// The line, from 1.
    pub line: usize,
    /// The character in the line, from 1.
    pub column: usize,
    /// What is wrong and what to write instead.
    pub message: String,
    /// True if the file can be read, and only has what no new link may have: a difference from what its jurisdiction prints,
    /// or a seed below its reseed.
    pub of_law: bool,
}

impl CatalogueError {
    /// A finding about the file as a whole.
    pub(crate) fn whole_file(file: &str, message: String) -> Self {
        Self {
            file: file.to_owned(),
            line: 1,
            column: 1,
            message,
            of_law: false,
        }
    }
}

/// All that is wrong, file by file and from top to bottom; displayed as one line each.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}", lines(.0))]
pub struct CatalogueErrors(pub(crate) Vec<CatalogueError>);

impl CatalogueErrors {
    /// The findings.
    pub fn iter(&self) -> impl Iterator<Item = &CatalogueError> {
        self.0.iter()
    }

    /// Returns true if links that were opened with the file before may play on: every finding is
    /// [of the law](CatalogueError::of_law).
    pub fn are_of_law(&self) -> bool {
        self.0.iter().all(|finding| finding.of_law)
    }
}

fn lines(errors: &[CatalogueError]) -> String {
    errors
        .iter()
        .map(ToString::to_string)
        .collect::<Vec<_>>()
        .join("\n")
}
