//! A slip as the request prefers it: JSON, or a printed page.

use axum::Json;
use axum::http::StatusCode;
use axum::response::{IntoResponse as _, Response};
use meterhouse_api::slip::PayoutSlip;
use meterhouse_api::text::Text;
use meterhouse_domain::ids::Timestamp;
use meterhouse_engine::Engine;
use meterhouse_engine::answer::NotExecuted;
use meterhouse_engine::view::HitView;
use meterhouse_journal::hit::HitState;

use crate::pdf::{Print, Since, printed, slip_sheet};
use crate::problem::Failure;
use crate::replay::Written;
use crate::report::{Format, varies};

/// Returns a slip that was read. A page of it is a copy.
pub(super) async fn read(
    engine: &Engine,
    format: Format,
    slip: PayoutSlip,
) -> Result<Response, Failure> {
    if format == Format::Pdf {
        return page(engine, StatusCode::OK, &slip, Print::Copy).await;
    }
    Ok(varies(Json(slip).into_response()))
}

/// Returns a slip that was made or printed again. A repeated request gets a copy: nobody knows whether the first page came
/// out of the printer.
pub(super) async fn written(
    engine: &Engine,
    format: Format,
    written: Written<PayoutSlip>,
    print: Print,
) -> Result<Response, Failure> {
    if format != Format::Pdf {
        return Ok(varies(written.into_response()));
    }
    let (status, print) = if written.replayed {
        (StatusCode::OK, Print::Copy)
    } else {
        (StatusCode::CREATED, print)
    };
    page(engine, status, &written.body, print).await
}

async fn page(
    engine: &Engine,
    status: StatusCode,
    slip: &PayoutSlip,
    print: Print,
) -> Result<Response, Failure> {
    let name = match print {
        Print::Original => format!("slip-{}", slip.slip),
        Print::Reprint(number) => format!("slip-{}-reprint-{number}", slip.slip),
        Print::Copy => format!("slip-{}-copy", slip.slip),
    };
    let since = match engine.hit(&slip.hit).await {
        Ok(hit) => since(&hit, slip.payout),
        Err(NotExecuted::PositionArchived { .. }) => Since::Archived,
        Err(error) => return Err(error.into()),
    };
    let sheet = slip_sheet(slip, print, &since);
    Ok(varies(printed(status, &name, sheet)))
}

/// Returns what became of a payout after its slip was made.
fn since(hit: &HitView, payout: u32) -> Since {
    let mut rows = hit.row.payouts.iter().zip(&hit.paid_by);
    let found = rows.find(|(row, _)| row.number == payout);
    if let Some((row, by)) = found
        && let Some(at) = row.paid_at
    {
        let by = by.as_deref().unwrap_or("a person without a name");
        let document = row.document.as_deref().unwrap_or("none");
        let at = Text(Timestamp(at));
        return Since::Paid(format!("{at} by {by}, document {document}"));
    }
    match hit.row.state {
        HitState::Cancelled | HitState::Rejected | HitState::Void | HitState::Withdrawn => {
            Since::Undone
        }
        HitState::Pending | HitState::ValidatedByRule | HitState::Validated | HitState::Paid => {
            Since::Nothing
        }
    }
}
