//! The printed pages of a report: the whole report's values, then a table a part, or a block a row where a row is too long.

use super::sheet::Sheet;
use super::table::Table;

/// A row of a report: the names of its columns and their cells.
type Row<'a> = Vec<(&'a str, String)>;

/// Returns the pages of a report. A first cell `part` names the part of its row. Empty columns and cells are left out.
/// A mark stands below the title.
pub(crate) fn report_sheet(
    (title, mark): (&str, Option<&str>),
    whole: &[(&str, String)],
    rows: &[Row<'_>],
) -> Sheet {
    let mut sheet = Sheet::landscape(title);
    if let Some(mark) = mark {
        sheet.mark(mark);
    }
    sheet.space();
    fields(&mut sheet, whole);
    if rows.is_empty() {
        sheet.heading("no entries");
    }
    for rows in rows.chunk_by(is_same_part) {
        part(&mut sheet, rows);
    }
    sheet
}

/// Returns the name of a row's part, if it has one, and its other cells.
fn divided<'a, 'b>(row: &'b Row<'a>) -> (Option<&'b str>, &'b [(&'a str, String)]) {
    match row.split_first() {
        Some((("part", name), rest)) => (Some(name), rest),
        _ => (None, row),
    }
}

fn is_same_part(one: &Row<'_>, other: &Row<'_>) -> bool {
    let ((one, one_row), (other, other_row)) = (divided(one), divided(other));
    let names = one_row.iter().map(|(name, _)| name);
    one == other && names.eq(other_row.iter().map(|(name, _)| name))
}

fn part(sheet: &mut Sheet, rows: &[Row<'_>]) {
    let name = rows.first().and_then(|row| divided(row).0);
    let cells: Vec<&[(&str, String)]> = rows.iter().map(|row| divided(row).1).collect();
    if sheet.table(name, &Table::new(&cells)) {
        return;
    }
    for cells in cells {
        match (name, cells.split_first()) {
            (Some(name), _) => {
                sheet.heading(name);
                fields(sheet, cells);
            }
            (None, Some(((label, value), rest))) => {
                sheet.heading(&format!("{label} {value}"));
                fields(sheet, rest);
            }
            (None, None) => {}
        }
    }
}

fn fields(sheet: &mut Sheet, cells: &[(&str, String)]) {
    for (label, value) in cells {
        if !value.is_empty() {
            sheet.field(&label.replace('_', " "), value);
        }
    }
}
