//! Mistakes in paytable files, each with its position.

/// A mistake, and the text to write instead.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{file}:{line}:{column}: {message}")]
pub struct CatalogueError {
    /// Name of the file, as given by the caller.
    pub file: String,
    /// Line, from 1.
    pub line: usize,
    /// Character in the line, from 1.
    pub column: usize,
    /// The mistake and the text to write instead.
    pub message: String,
    /// True if the file is readable but no new link may use it: a value differs from the jurisdiction's printed one,
    /// or a seed is below its reseed.
    pub of_law: bool,
}

impl CatalogueError {
    /// Returns a finding about the file as a whole.
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

/// All mistakes, file by file and from top to bottom; displayed as one line each.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}", lines(.0))]
pub struct CatalogueErrors(pub(crate) Vec<CatalogueError>);

impl CatalogueErrors {
    /// Returns the findings in their order.
    pub fn iter(&self) -> impl Iterator<Item = &CatalogueError> {
        self.0.iter()
    }

    /// Returns true if links that were opened with the file before may play on: every finding is [of the
    /// law](CatalogueError::of_law).
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
