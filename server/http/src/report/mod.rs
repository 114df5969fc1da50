//! Reports as JSON, as CSV (RFC 4180) for requests that prefer `text/csv`, and as printed pages for `application/pdf`.
//!
//! # Shape
//! [`Format`] is what a request prefers, by its header `Accept`; JSON is the default. [`Report`] is a response in one of
//! them. [`Columns`] has the columns of a report, each in one file of this folder. One row of CSV has every field, so that
//! a sheet can filter and sum without a second file. A report with several lists names the list in the column `part`.
//!
//! # Limits
//! A report is bounded by its own limit, so the text is written at once.

mod alterations;
mod balances;
mod books;
mod closing;
mod displayed;
mod hits;
mod lifetime;
mod payoff;

use core::convert::Infallible;
use core::fmt::Display;

use axum::Json;
use axum::extract::FromRequestParts;
use axum::http::header::{ACCEPT, CONTENT_TYPE, VARY};
use axum::http::request::Parts;
use axum::http::{HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use csv::{Terminator, WriterBuilder};
use meterhouse_api::time;
use meterhouse_edge::codes::EdgeCode;
use meterhouse_engine::clock::now;
use serde::Serialize;

use crate::pdf::{Sheet, printed, report_sheet};
use crate::problem::Failure;

/// The media type of CSV, as a response names it.
const MEDIA_TYPE: &str = "text/csv; charset=utf-8; header=present";
/// The quality of a media range without one, in thousandths (RFC 9110 § 12.4.2).
const QUALITY_DEFAULT: u16 = 1_000;
/// The first characters by which spreadsheets take a cell for a formula.
const FORMULA: [char; 7] = ['=', '+', '-', '@', '\t', '\r', '\n'];

/// The form of a report.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum Format {
    /// One object, the default.
    Json,
    /// A header and a row a line.
    Csv,
    /// Printed pages.
    Pdf,
}

impl<S: Sync> FromRequestParts<S> for Format {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Infallible> {
        let accepted = parts.headers.get_all(ACCEPT).iter();
        let accepted = accepted.filter_map(|value| value.to_str().ok());
        Ok(preferred(accepted))
    }
}

/// Returns the form that media ranges prefer. JSON wins a tie. Only its own name asks for PDF.
fn preferred<'a>(accepted: impl Iterator<Item = &'a str>) -> Format {
    let ranges = Ranges::of(accepted);
    let pdf = ranges.quality(&["application/pdf"]);
    if pdf > ranges.quality(&["application/json"]) && pdf > ranges.quality(&["text/csv"]) {
        return Format::Pdf;
    }
    let csv = ranges.quality(&["text/csv", "text/*", "*/*"]);
    if csv > ranges.quality(&["application/json", "application/*", "*/*"]) {
        Format::Csv
    } else {
        Format::Json
    }
}

/// Media ranges that a request accepts, each with its quality.
struct Ranges(Vec<(String, u16)>);

impl Ranges {
    fn of<'a>(accepted: impl Iterator<Item = &'a str>) -> Self {
        let ranges = accepted.flat_map(|value| value.split(','));
        Self(ranges.map(range).collect())
    }

    /// Returns the quality of the first of these names that is accepted; 0 for none.
    fn quality(&self, names: &[&str]) -> u16 {
        let of = |name: &&str| self.0.iter().find(|(range, _)| range == name);
        names.iter().find_map(of).map_or(0, |(_, quality)| *quality)
    }
}

/// Returns a media range without its parameters, and its quality in thousandths.
fn range(text: &str) -> (String, u16) {
    let mut parts = text.split(';').map(str::trim);
    let name = parts.next().unwrap_or_default().to_ascii_lowercase();
    let quality =
        parts.find_map(|part| part.strip_prefix("q=").or_else(|| part.strip_prefix("Q=")));
    (name, quality.map_or(QUALITY_DEFAULT, thousandths))
}

/// Returns a quality such as `0.8` in thousandths; 0 for another text.
fn thousandths(text: &str) -> u16 {
    let (whole, decimals) = text.split_once('.').unwrap_or((text, ""));
    let is_number = decimals.len() <= 3 && decimals.bytes().all(|digit| digit.is_ascii_digit());
    match (whole, is_number) {
        ("1", true) => QUALITY_DEFAULT,
        ("0", true) => format!("{decimals:0<3}").parse().unwrap_or(0),
        _ => 0,
    }
}

/// The cells of a row, each with the name of its column.
pub(crate) type Cells = Vec<(&'static str, String)>;

/// The columns of a report and its rows.
pub(crate) trait Columns {
    /// The title of the printed pages.
    const TITLE: &'static str;
    /// The names of the columns, in the order that `docs/API.md` promises.
    const COLUMNS: &'static [&'static str];

    /// Returns the cells of the whole report, which each row begins with.
    fn whole(&self) -> Cells;

    /// Returns the other cells of each row. The first one names the row on a printed page.
    fn parts(&self) -> Vec<Cells>;

    /// Returns a mark that the printed pages need.
    fn mark(&self) -> Option<&'static str> {
        None
    }

    /// Returns the printed pages.
    fn sheet(&self) -> Sheet {
        report_sheet((Self::TITLE, self.mark()), &self.whole(), &self.parts())
    }
}

/// A report in the form that the request prefers.
pub(crate) struct Report<T>(pub(crate) Format, pub(crate) T);

impl<T: Serialize + Columns> IntoResponse for Report<T> {
    fn into_response(self) -> Response {
        let Self(format, report) = self;
        varies(match format {
            Format::Json => Json(report).into_response(),
            Format::Csv => match written(&report) {
                Ok(text) => ([(CONTENT_TYPE, MEDIA_TYPE)], text).into_response(),
                Err(error) => {
                    tracing::error!(%error, "a report can't be written as CSV");
                    Failure::from(EdgeCode::Internal).into_response()
                }
            },
            Format::Pdf => {
                let name = T::TITLE.to_ascii_lowercase().replace(' ', "-");
                let mut sheet = report.sheet();
                let link = report.whole().into_iter().find(|(name, _)| *name == "link");
                let link = link
                    .map(|(_, link)| format!(" of {link}"))
                    .unwrap_or_default();
                sheet.name_pages(&format!(
                    "{}{link}, printed {}",
                    T::TITLE,
                    time::text(now())
                ));
                printed(StatusCode::OK, &name, sheet)
            }
        })
    }
}

/// Marks a response as one that depends on what the request prefers.
pub(crate) fn varies(mut response: Response) -> Response {
    let accept = HeaderValue::from_static("Accept");
    response.headers_mut().append(VARY, accept);
    response
}

/// Returns a report as CSV.
fn written<T: Columns>(report: &T) -> Result<Vec<u8>, csv::Error> {
    let mut writer = WriterBuilder::new()
        .terminator(Terminator::CRLF)
        .from_writer(Vec::new());
    writer.write_record(T::COLUMNS)?;
    let whole = report.whole();
    for part in report.parts() {
        writer.write_record(row(T::COLUMNS, &whole, &part))?;
    }
    writer
        .into_inner()
        .map_err(|error| error.into_error().into())
}

/// Returns a cell that no spreadsheet takes for a formula: with an apostrophe in front if it begins as one. A number below
/// zero stays a number.
fn harmless(text: &str) -> String {
    let is_number = |magnitude: &str| {
        let mut parts = magnitude.splitn(2, '.');
        parts.all(|part| !part.is_empty() && part.bytes().all(|digit| digit.is_ascii_digit()))
    };
    let begins = text.starts_with(FORMULA);
    if begins && !text.strip_prefix('-').is_some_and(is_number) {
        format!("'{text}")
    } else {
        text.to_owned()
    }
}

/// Returns a cell.
fn cell(value: &impl Display) -> String {
    value.to_string()
}

/// Returns a cell that is empty without a value.
fn maybe<T: Display>(value: Option<&T>) -> String {
    value.map_or_else(String::new, ToString::to_string)
}

/// Returns a row: the cells of the whole report, then those of one part. Missing cells are empty.
fn row(columns: &[&str], whole: &Cells, part: &Cells) -> Vec<String> {
    let cells = || whole.iter().chain(part);
    debug_assert!(cells().all(|(name, _)| columns.contains(name)));
    let of = |column: &&str| {
        let found = cells().find(|(name, _)| name == column);
        found.map_or_else(String::new, |(_, text)| harmless(text))
    };
    columns.iter().map(of).collect()
}

#[cfg(test)]
mod tests;
