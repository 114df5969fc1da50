//! An exception as a response has it.

use meterhouse_api::exception::{ExceptionClearance, LinkException};
use meterhouse_api::text::Text;
use meterhouse_api::words::ExceptionKind;
use meterhouse_engine::view::{self, ExceptionView};

/// Returns an exception with its clearance.
pub(crate) fn exception(view: &ExceptionView) -> LinkException {
    LinkException {
        position: Text(view.position),
        at: Text(view.at),
        kind: kind(view.kind),
        by: view.by.clone(),
        table: view.table.clone().map(Text),
        level: view.level.clone().map(Text),
        hit: view.hit.clone().map(Text),
        proposal: view.proposal.map(Text),
        counted: view.counted,
        accepted: view.accepted,
        short: view.short.map(Text),
        heard_at: view.heard_at.map(Text),
        reason: view.reason.clone(),
        clearance: view.clearance.as_ref().map(|cleared| ExceptionClearance {
            by: cleared.by.clone(),
            at: Text(cleared.at),
            reason: cleared.reason.clone(),
        }),
    }
}

const fn kind(kind: view::ExceptionKind) -> ExceptionKind {
    match kind {
        view::ExceptionKind::CountDiffers => ExceptionKind::CountDiffers,
        view::ExceptionKind::TableLost => ExceptionKind::TableLost,
        view::ExceptionKind::MeterShort => ExceptionKind::MeterShort,
        view::ExceptionKind::LinkFaulted => ExceptionKind::LinkFaulted,
    }
}
