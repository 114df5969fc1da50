//! A file of the catalogue.

use std::borrow::Cow;
use std::sync::{Arc, OnceLock};

use meterhouse_domain::adopted::Returned;
use meterhouse_domain::fixed::table::FixedTable;
use meterhouse_domain::paytable::Paytable;

use crate::fixed::FixedSheet;
use crate::sheet::Sheet;

/// A paytable file that was read and checked.
#[derive(Clone, Debug)]
pub(crate) struct Entry {
    /// Content of the file, with its gaps.
    pub(crate) sheet: Sheet,
    /// The finished paytable; `None` while values are missing.
    pub(crate) paytable: Option<Paytable>,
    /// Text of the file.
    pub(crate) source: Cow<'static, str>,
}

/// A file of fixed wagers that was read and checked.
#[derive(Clone, Debug)]
pub(crate) struct FixedEntry {
    /// Content of the file, with its gaps.
    pub(crate) sheet: FixedSheet,
    /// The finished table; `None` while values are missing.
    pub(crate) table: Option<FixedTable>,
    /// Returns of the print and of the second reading, once they are counted.
    pub(crate) returned: Arc<[OnceLock<Option<Returned>>; 2]>,
    /// Text of the file.
    pub(crate) source: Cow<'static, str>,
}
