//! Slips and reports as printed pages (PDF), for requests that prefer `application/pdf`.
//!
//! # Shape
//! [`Sheet`] collects lines of text in one font of fixed width, and writes them as pages. Slips and payoff reports have
//! sheets of their own; [`report_sheet`] makes those of other reports. The `OpenAPI` document has JSON alone.
//!
//! # Limits
//! The text of a page is that of the JSON: a report is bounded by its own limit.

mod payoff;
mod print;
mod report;
mod sheet;
mod slip;
mod table;
#[cfg(test)]
mod tests;
mod text;

use axum::http::StatusCode;
use axum::http::header::{CONTENT_DISPOSITION, CONTENT_TYPE};
use axum::response::{IntoResponse as _, Response};

pub(crate) use payoff::payoff_sheet;
pub(crate) use print::Print;
pub(crate) use report::report_sheet;
pub(crate) use sheet::Sheet;
pub(crate) use slip::{Since, slip_sheet};

/// The media type of a printed page.
const MEDIA_TYPE: &str = "application/pdf";

/// Returns the response with a printed page. `name` is the name of its file, without the ending.
pub(crate) fn printed(status: StatusCode, name: &str, sheet: Sheet) -> Response {
    let file = format!("inline; filename=\"{name}.pdf\"");
    let headers = [
        (CONTENT_TYPE, MEDIA_TYPE.to_owned()),
        (CONTENT_DISPOSITION, file),
    ];
    (status, headers, sheet.into_pdf()).into_response()
}
