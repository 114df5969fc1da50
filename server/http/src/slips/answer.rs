//! A slip as the request prefers it: JSON, or a printed page.

use axum::Json;
use axum::http::StatusCode;
use axum::response::{IntoResponse as _, Response};
use meterhouse_api::slip::PayoutSlip;

use crate::pdf::{Print, printed, slip_sheet};
use crate::replay::Written;
use crate::report::{Format, varies};

/// Returns a slip that was read. A page of it is a copy.
pub(super) fn read(format: Format, slip: PayoutSlip) -> Response {
    if format == Format::Pdf {
        return page(StatusCode::OK, &slip, Print::Copy);
    }
    varies(Json(slip).into_response())
}

/// Returns a slip that was made or printed again. A repeated request gets a copy: nobody knows whether the first page came
/// out of the printer.
pub(super) fn written(format: Format, written: Written<PayoutSlip>, print: Print) -> Response {
    if format != Format::Pdf {
        return varies(written.into_response());
    }
    let (status, print) = if written.replayed {
        (StatusCode::OK, Print::Copy)
    } else {
        (StatusCode::CREATED, print)
    };
    page(status, &written.body, print)
}

fn page(status: StatusCode, slip: &PayoutSlip, print: Print) -> Response {
    let name = match print {
        Print::Original => format!("slip-{}", slip.slip),
        Print::Reprint(number) => format!("slip-{}-reprint-{number}", slip.slip),
        Print::Copy => format!("slip-{}-copy", slip.slip),
    };
    varies(printed(status, &name, slip_sheet(slip, print)))
}
