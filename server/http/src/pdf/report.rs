//! The printed pages of a report: the whole report's values, then a block a row.

use super::sheet::Sheet;

/// Returns the pages of a report. The first cell of a row is the heading of its block; empty cells are left out.
pub(crate) fn report_sheet(
    title: &str,
    whole: &[(&str, String)],
    parts: &[Vec<(&str, String)>],
) -> Sheet {
    let mut sheet = Sheet::new(title);
    sheet.space();
    fields(&mut sheet, whole);
    if parts.is_empty() {
        sheet.heading("no entries");
    }
    for part in parts {
        if let Some(((label, value), rest)) = part.split_first() {
            match *label {
                "part" => sheet.heading(value),
                _ => sheet.heading(&format!("{label} {value}")),
            }
            fields(&mut sheet, rest);
        }
    }
    sheet
}

fn fields(sheet: &mut Sheet, cells: &[(&str, String)]) {
    for (label, value) in cells {
        if !value.is_empty() {
            sheet.field(&label.replace('_', " "), value);
        }
    }
}
