//! `GET /v1/links/{link}/alterations`: every change of people on a link.

use axum::extract::State;
use meterhouse_api::alteration::{Alteration, AlterationReport};
use meterhouse_api::text::Text;
use meterhouse_api::words::AlterationKind;
use meterhouse_edge::authorize;
use meterhouse_engine::view::{self, AlterationsView};

use crate::caller::Authenticated;
use crate::document::JudgedProblems;
use crate::extract::parameters::{PathOf, QueryOf};
use crate::extract::paths::LinkPath;
use crate::extract::period::{PeriodQuery, period};
use crate::options::Shared;
use crate::problem::Failure;
use crate::render::change::table_adopted;
use crate::report::{Format, Report};

/// Reads every change of people on a link in a period: who, when, why, and the balances before and after.
///
/// A change at `from` belongs to the period, one at `to` does not. A change of two people belongs to the time of its approval.
#[utoipa::path(
    get,
    path = "/v1/links/{link}/alterations",
    operation_id = "read_alterations",
    tag = "links",
    security(("token" = [])),
    params(LinkPath, PeriodQuery),
    responses((status = 200, description = "The changes", body = AlterationReport), JudgedProblems),
)]
pub(crate) async fn alterations(
    State(shared): State<Shared>,
    format: Format,
    Authenticated(caller): Authenticated,
    PathOf(LinkPath { link }): PathOf<LinkPath>,
    QueryOf(query): QueryOf<PeriodQuery>,
) -> Result<Report<AlterationReport>, Failure> {
    authorize::read_link(&caller, &link)?;
    let (from, to) = period(query.from, query.to)?;
    let view = shared.engine.alterations(&link, from, to).await?;
    Ok(Report(format, report(&view, &query)))
}

fn report(view: &AlterationsView, query: &PeriodQuery) -> AlterationReport {
    AlterationReport {
        link: Text(view.link.clone()),
        from: query.from,
        to: query.to,
        from_batch: view.from_batch,
        to_batch: view.to_batch,
        alterations: view.alterations.iter().map(alteration).collect(),
    }
}

fn alteration(view: &view::Alteration) -> Alteration {
    let proposed = view.proposed.as_ref();
    Alteration {
        position: Text(view.position),
        at: Text(view.at),
        kind: kind(view.kind),
        level: view.level.clone().map(Text),
        account: view.account.map(Text),
        table: view.table.clone().map(Text),
        hit: view.hit.clone().map(Text),
        before: view.before.map(Text),
        after: view.after.map(Text),
        reason: view.reason.as_ref().map(ToString::to_string),
        fault: view.fault.clone(),
        adoption: view
            .adoption
            .as_ref()
            .map(|(now, before)| table_adopted(now, before.as_deref())),
        proposal: view.proposal.map(Text),
        proposed_by: proposed.map(|act| act.by.clone()),
        proposed_department: proposed.map(|act| Text(act.department.clone())),
        proposed_at: proposed.map(|act| Text(act.at)),
        by: view.by.clone(),
        department: view.department.clone().map(Text),
    }
}

const fn kind(kind: view::AlterationKind) -> AlterationKind {
    match kind {
        view::AlterationKind::Adjusted => AlterationKind::Adjusted,
        view::AlterationKind::Corrected => AlterationKind::Corrected,
        view::AlterationKind::LateHitRecorded => AlterationKind::LateHitRecorded,
        view::AlterationKind::FaultCleared => AlterationKind::FaultCleared,
        view::AlterationKind::ReturnsAcknowledged => AlterationKind::ReturnsAcknowledged,
        view::AlterationKind::TableAdopted => AlterationKind::TableAdopted,
        view::AlterationKind::ValuesAccepted => AlterationKind::ValuesAccepted,
        view::AlterationKind::LinkSuspended => AlterationKind::LinkSuspended,
        view::AlterationKind::LinkResumed => AlterationKind::LinkResumed,
        view::AlterationKind::LevelDisabled => AlterationKind::LevelDisabled,
        view::AlterationKind::LevelEnabled => AlterationKind::LevelEnabled,
        view::AlterationKind::TableDisabled => AlterationKind::TableDisabled,
        view::AlterationKind::TableEnabled => AlterationKind::TableEnabled,
        view::AlterationKind::TableLeft => AlterationKind::TableLeft,
    }
}
