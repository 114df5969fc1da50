//! The table that two people are asked to adopt, found in the catalogue.

use meterhouse_api::change::AdoptTable;
use meterhouse_api::text::Text;
use meterhouse_catalogue::Catalogue;
use meterhouse_domain::adopted::{AdoptedTable, ChosenReading};
use meterhouse_domain::fixed::table::FixedTable;

use crate::codes::EdgeCode;
use crate::paytables::incomplete_file;
use crate::wire_error::EdgeError;

/// Returns the table of a request, with the return that both people see.
///
/// # Errors
/// `unknown_paytable`, `incomplete_paytable`; `invalid_value` with the field for a reading that the table doesn't have, for a
/// reading without the regulator's letter or a letter without a reading, for a table whose return depends on the play, and
/// for another return than the table's.
pub fn adoption(catalogue: &Catalogue, asked: AdoptTable) -> Result<AdoptedTable, EdgeError> {
    let Text(id) = asked.table;
    let Some(sheet) = catalogue.fixed_sheet(&id) else {
        let detail =
            format!("{id} is no table of fixed wagers (meterhouse paytable list has them)");
        return Err(EdgeError::because(EdgeCode::UnknownPaytable, detail).with("paytable", id));
    };
    let Some(table) = catalogue.fixed(&id) else {
        let missing = sheet.missing();
        let missing = missing.map(|gap| (gap.what.name(), &*gap.place));
        return Err(incomplete_file(&id, missing));
    };
    let name = asked.reading.map(|Text(name)| name);
    let letter = asked.letter.map(Text::given);
    let reading = match (name, letter) {
        (None, None) => None,
        (Some(name), Some(letter)) => {
            if table.read_as(&name).is_none() {
                return Err(wrong("reading", readings(table)));
            }
            Some(ChosenReading { name, letter })
        }
        (Some(_), None) => {
            let detail = "write the number of the regulator's letter that chooses the reading";
            return Err(wrong("letter", detail.to_owned()));
        }
        (None, Some(_)) => {
            let detail = "a letter chooses a reading: write the reading, or leave the letter out";
            return Err(wrong("letter", detail.to_owned()));
        }
    };
    let returned = catalogue.returned(&id, reading.as_ref().map(|reading| &reading.name));
    let Some(returns) = returned else {
        let detail = format!("the return of {id} depends on the play: nothing of it is adopted");
        return Err(wrong("table", detail));
    };
    if let Some(Text(other)) = asked.returns.filter(|Text(other)| *other != returns) {
        let detail =
            format!("{id} returns {returns}, not {other}: look at it again, and write {returns}");
        return Err(wrong("returns", detail));
    }
    Ok(AdoptedTable {
        table: id,
        reading,
        returns,
    })
}

/// Refuses a table of another jurisdiction than the link's: no round of the link can be settled by it.
///
/// # Errors
/// `invalid_value` with the field `table`.
pub fn in_jurisdiction(
    catalogue: &Catalogue,
    adopted: &AdoptedTable,
    jurisdiction: &str,
) -> Result<(), EdgeError> {
    let id = &adopted.table;
    let sheet = catalogue.fixed_sheet(id);
    let Some(other) = sheet.filter(|sheet| sheet.jurisdiction != jurisdiction) else {
        return Ok(());
    };
    let detail = format!(
        "{id} is a table of {}: write one of {jurisdiction}, where this link plays",
        other.jurisdiction
    );
    Err(wrong("table", detail))
}

fn readings(table: &FixedTable) -> String {
    match &table.reading {
        Some(reading) => format!("write {}, or leave it out for the print", reading.name),
        None => "the print of this table has one reading: leave it out".to_owned(),
    }
}

fn wrong(field: &'static str, detail: String) -> EdgeError {
    EdgeError::because(EdgeCode::InvalidValue, detail).with("field", field)
}
