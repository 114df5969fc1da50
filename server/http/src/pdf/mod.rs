//! Slips and payoff reports as printed pages (PDF), for requests that prefer `application/pdf`.
//!
//! # Shape
//! [`Sheet`] collects lines of text in one font of fixed width, and writes them as pages. [`PrefersPdf`] is what a request
//! prefers, by its header `Accept`. The `OpenAPI` document has JSON alone.
//!
//! # Limits
//! The text of a page is that of the JSON: a report is bounded by its own limit.

mod payoff;
mod print;
mod sheet;
mod slip;
#[cfg(test)]
mod tests;

use core::convert::Infallible;

use axum::extract::FromRequestParts;
use axum::http::header::{ACCEPT, CONTENT_DISPOSITION, CONTENT_TYPE, VARY};
use axum::http::request::Parts;
use axum::http::{HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};

use crate::csv_report::prefers_pdf;

pub(crate) use payoff::payoff_sheet;
pub(crate) use print::Print;
pub(crate) use sheet::Sheet;
pub(crate) use slip::slip_sheet;

/// The media type of a printed page.
const MEDIA_TYPE: &str = "application/pdf";

/// `true` if the request prefers a printed page to JSON.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) struct PrefersPdf(pub(crate) bool);

impl<S: Sync> FromRequestParts<S> for PrefersPdf {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Infallible> {
        let accepted = parts.headers.get_all(ACCEPT).iter();
        let accepted = accepted.filter_map(|value| value.to_str().ok());
        Ok(Self(prefers_pdf(accepted)))
    }
}

/// Returns the response with a printed page. `name` is the name of its file, without the ending.
pub(crate) fn printed(status: StatusCode, name: &str, sheet: Sheet) -> Response {
    let file = format!("inline; filename=\"{name}.pdf\"");
    let headers = [
        (CONTENT_TYPE, MEDIA_TYPE.to_owned()),
        (CONTENT_DISPOSITION, file),
    ];
    varies((status, headers, sheet.into_pdf()).into_response())
}

/// Marks a response as one that depends on what the request prefers.
pub(crate) fn varies(mut response: Response) -> Response {
    let accept = HeaderValue::from_static("Accept");
    response.headers_mut().append(VARY, accept);
    response
}
