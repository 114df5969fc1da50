//! Reader of an event's row: the columns, and the record field by field.

use meterhouse_domain::seat::SeatSet;

use crate::batch::EventRow;
use crate::codec::{Canonical, Reader};
use crate::error::JournalError;

/// A row that is being read; its record begins behind the head.
pub(crate) struct RowReader<'a> {
    pub(crate) row: &'a EventRow,
    /// The unread rest of the record.
    pub(crate) record: Option<Reader<'a>>,
}

impl RowReader<'_> {
    /// Reads the next field of the record.
    pub(crate) fn field<T: Canonical>(&mut self) -> Result<T, JournalError> {
        let kind = self.row.kind;
        let missing = JournalError::ColumnMissing {
            kind,
            column: "record",
        };
        let record = self.record.as_mut().ok_or(missing)?;
        T::read(record).map_err(|source| JournalError::Record { kind, source })
    }

    /// Returns the value of a required column.
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

    /// Returns the error for a column with a value that no event has.
    pub(crate) const fn differs(&self, column: &'static str) -> JournalError {
        JournalError::ColumnDiffers {
            kind: self.row.kind,
            column,
        }
    }

    /// Returns the seats of a required column.
    pub(super) fn seats(
        &self,
        column: &'static str,
        bits: Option<u16>,
    ) -> Result<SeatSet, JournalError> {
        SeatSet::from_bits(self.column(column, bits)?).ok_or(self.differs(column))
    }
}
