//! Recorded events as rows of the database, and back.
//!
//! # Shape
//! Columns hold the values that reports sum and a table's routine. A record holds the rest: a version byte, the
//! badge, the device's time, the other fields of the kind. A plain coin-in has no record.
//!
//! # Order
//! Both directions are total: `from_row(&to_row(x)) == Ok(x)`. A row is read only if it equals the row that
//! [`to_row`] makes of the result, in the record's version. A changed byte therefore can't hide in another form of
//! the same event.

use meterhouse_domain::event::{Origin, Recorded};
use meterhouse_domain::ids::{ActorId, Sequence, TableNo};

use crate::batch::EventRow;
use crate::codec::{Canonical, FORM_VERSION, FORM_VERSION_OLDEST, Problem, Reader, Writer};
use crate::error::JournalError;
use crate::event::{self, RowReader};
use crate::kind;

/// The version of new records; records from version 2 on are read.
pub const RECORD_VERSION: u8 = FORM_VERSION;

/// Returns the row of an event, with a record of the newest version.
pub fn to_row(recorded: &Recorded) -> EventRow {
    to_row_of_version(recorded, RECORD_VERSION)
}

/// Returns the row of an event, with a record of this version.
fn to_row_of_version(recorded: &Recorded, version: u8) -> EventRow {
    let Recorded {
        origin,
        actor,
        by,
        device_time,
        event,
    } = recorded;
    let mut row = EventRow {
        actor: actor.0,
        kind: kind::of(event),
        ..EventRow::default()
    };
    if let Origin::Table { table, sequence } = origin {
        row.table = Some(table.0);
        row.sequence = Some(sequence.0);
    }
    event::fill(event, &mut row);
    if by.is_some() || device_time.is_some() || event::needs_record(event) {
        let mut bytes = vec![version];
        let mut out = Writer::of_version(&mut bytes, version);
        by.write(&mut out);
        device_time.write(&mut out);
        event::write(event, &mut out);
        row.record = Some(bytes);
    }
    row
}

/// Returns the event of a row.
///
/// # Errors
/// [`JournalError`] if the row differs from the row that [`to_row`] makes of the event.
pub fn from_row(row: &EventRow) -> Result<Recorded, JournalError> {
    let mut input = RowReader { row, record: None };
    let (mut by, mut device_time) = (None, None);
    let mut version = RECORD_VERSION;
    if let Some(record) = &row.record {
        let opened = open(row.kind, record)?;
        version = opened.version();
        input.record = Some(opened);
        by = input.field()?;
        device_time = input.field()?;
    }
    let event = event::read(&mut input)?;
    let origin = match (row.table, row.sequence) {
        (Some(table), Some(sequence)) => Origin::Table {
            table: TableNo(table),
            sequence: Sequence(sequence),
        },
        (None, None) => Origin::Person,
        (None, Some(_)) => return Err(input.differs("sequence")),
        (Some(_), None) => return Err(input.differs("table")),
    };
    if let Some(record) = input.record {
        record.finish().map_err(|source| JournalError::Record {
            kind: row.kind,
            source,
        })?;
    }
    let recorded = Recorded {
        origin,
        actor: ActorId(row.actor),
        by,
        device_time,
        event,
    };
    match difference(row, &to_row_of_version(&recorded, version)) {
        None => Ok(recorded),
        Some(column) => Err(JournalError::ColumnDiffers {
            kind: row.kind,
            column,
        }),
    }
}

/// Returns a reader of the record behind its version byte.
fn open(kind: u8, record: &[u8]) -> Result<Reader<'_>, JournalError> {
    let mut input = Reader::new(record);
    let version = input
        .u8()
        .map_err(|source| JournalError::Record { kind, source })?;
    if (FORM_VERSION_OLDEST..=RECORD_VERSION).contains(&version) {
        return Ok(input.of_version(version));
    }
    let problem = Problem::UnknownCode {
        what: "version of records",
        code: version,
    };
    Err(JournalError::Record {
        kind,
        source: Reader::refuse(0, problem),
    })
}

/// Returns the first column in which two rows of one kind differ.
fn difference(row: &EventRow, canonical: &EventRow) -> Option<&'static str> {
    let EventRow {
        table,
        sequence,
        actor,
        kind,
        refusal,
        own_seats,
        dealer_seats,
        numbers,
        record,
    } = canonical;
    let columns = [
        ("table", row.table == *table),
        ("sequence", row.sequence == *sequence),
        ("actor", row.actor == *actor),
        ("kind", row.kind == *kind),
        ("refusal", row.refusal == *refusal),
        ("own_seats", row.own_seats == *own_seats),
        ("dealer_seats", row.dealer_seats == *dealer_seats),
        ("numbers", row.numbers == *numbers),
        ("record", row.record == *record),
    ];
    columns
        .iter()
        .find(|(_, equal)| !equal)
        .map(|(column, _)| *column)
}
