//! Reading an event out of its row: the columns, and the record field by field.

use meterhouse_domain::seat::SeatSet;

use crate::batch::EventRow;
use crate::codec::{Canonical, Reader};
use crate::error::JournalError;

/// A row that is being read, with its record behind the head.
pub(crate) struct RowReader<'a> {
    /// The row.
    pub(crate) row: &'a EventRow,
    /// What of its record is still to be read.
    pub(crate) record: Option<Reader<'a>>,
}

impl RowReader<'_> {
    /// The next field of the record.
    pub(crate) fn field<T: Canonical>(&mut self) -> Result<T, JournalError> {
        let kind = self.row.kind;
        let missing = JournalError::ColumnMissing {
            kind,
            column: "record",
        };
        let record = self.record.as_mut().ok_or(missing)?;
        T::read(record).map_err(|source| JournalError::Record { kind, source })
    }

    /// A column that has to be there.
    pub(crate) fn column<T>(
        &self,
        column: &'static str,
        value: Option<T>,
    ) -> Result<T, JournalError> {
        value.ok_or(JournalError::ColumnMissing {
            kind: self.row.kind,
            column,
        })
    }

    /// A column with a value that no event has.
    pub(crate) const fn differs(&self, column: &'static str) -> JournalError {
        JournalError::ColumnDiffers {
            kind: self.row.kind,
            column,
        }
    }

    /// The seats of a column that has to be there.
    pub(super) fn seats(
        &self,
        column: &'static str,
        bits: Option<u16>,
    ) -> Result<SeatSet, JournalError> {
        SeatSet::from_bits(self.column(column, bits)?).ok_or(self.differs(column))
    }
}
