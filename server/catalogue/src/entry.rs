//! A paytable file of the catalogue.

use std::borrow::Cow;

use meterhouse_domain::paytable::Paytable;

use crate::sheet::Sheet;

/// A paytable file that was read and checked.
#[derive(Clone, Debug)]
pub(crate) struct Entry {
    /// Its content, with the values that it leaves out.
    pub(crate) sheet: Sheet,
    /// The finished paytable; nothing while something is lacking.
    pub(crate) paytable: Option<Paytable>,
    /// Its text.
    pub(crate) source: Cow<'static, str>,
}
