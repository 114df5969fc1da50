//! Which print of a slip a page is.

/// Which print of a slip a page is.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum Print {
    /// The first one: the response to the request that made the slip.
    Original,
    /// The one that a reprint recorded.
    Reprint(u32),
    /// A page to read: nobody recorded that it was printed.
    Copy,
}
