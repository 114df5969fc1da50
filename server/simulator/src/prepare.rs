//! The preparation of a run: opens links and lets tables join, unless they already exist.

use meterhouse_api::forms::Unsigned;
use meterhouse_api::link::{AcceptValuesRequest, LevelValue, Link, OpenLinkRequest};
use meterhouse_api::table::JoinTableRequest;
use meterhouse_api::text::{InvalidValue, Text};
use meterhouse_http_client::Client;

use crate::error::SimulatorError;
use crate::plan::{LinkPlan, Plan, TablePlan};

/// The status for a link that was opened with other values.
const CONFLICT: u16 = 409;

/// Opens the links and lets the tables join, with a manager's token. Links and tables may already exist. A link that
/// another program opened may have other settings.
///
/// # Errors
/// An invalid plan, an unreachable server, or a response other than 200 and 201.
pub async fn prepare(plan: &Plan, manager: &str) -> Result<(), SimulatorError> {
    prepare_with(&Client::new(&plan.base, None)?, plan, manager).await
}

/// Does the same as [`prepare`] with a client of the caller, whatever address the plan has.
///
/// # Errors
/// Those of [`prepare`].
pub async fn prepare_with(
    client: &Client,
    plan: &Plan,
    manager: &str,
) -> Result<(), SimulatorError> {
    plan.check()?;
    for link in &plan.links {
        open_link(client, manager, link).await?;
        accept_values(client, manager, &link.link).await?;
        for table in &link.tables {
            let path = format!("/v1/tables/{}", table.table);
            let body = join_request(link, table)?;
            client.put(manager, path, &body).await?.done()?;
        }
    }
    Ok(())
}

/// Opens a link. A link that is open with the same paytable, wager and decks is left as it is.
async fn open_link(client: &Client, manager: &str, link: &LinkPlan) -> Result<(), SimulatorError> {
    let body = open_request(link)?;
    let path = format!("/v1/links/{}", link.link);
    let reply = client.put(manager, path.clone(), &body).await?;
    if reply.status == CONFLICT {
        let open: Link = client.get(manager, path).await?;
        if (&open.paytable, *open.wager, open.decks) == (&body.paytable, link.wager, link.decks) {
            tracing::info!(
                link.name = link.link,
                "the link is open with other settings"
            );
            return Ok(());
        }
    }
    Ok(reply.done()?)
}

/// Accepts the first values of a link, unless they are already accepted.
async fn accept_values(client: &Client, manager: &str, link: &str) -> Result<(), SimulatorError> {
    let path = format!("/v1/links/{link}");
    let open: Link = client.get(manager, path.clone()).await?;
    if open.values_accepted != Some(false) {
        return Ok(());
    }
    // There was no coin-in yet, so the displayed amounts are the first values.
    let values = open.levels.into_iter().map(|level| LevelValue {
        level: level.level,
        amount: Text(Unsigned(*level.amount)),
    });
    let values = values.collect::<Vec<_>>().into();
    let body = AcceptValuesRequest { values };
    let reply = client.put(manager, format!("{path}/values"), &body).await?;
    Ok(reply.done()?)
}

fn open_request(link: &LinkPlan) -> Result<OpenLinkRequest, InvalidValue> {
    Ok(OpenLinkRequest {
        paytable: link.paytable.parse()?,
        confirm_inferred: None,
        pays_nothing: None,
        wager: Text(Unsigned(link.wager)),
        decks: link.decks,
        reserve_policy: None,
        ceilings: None,
        boxes_max: None,
        rounds_a_minute_max: None,
        silence_seconds_max: link.settings.silence_seconds_max,
        magic_card_one_in: link.settings.magic_card_one_in,
        lucky_bonus_one_in: link.settings.lucky_bonus_one_in,
        badge_required: None,
    })
}

fn join_request(link: &LinkPlan, table: &TablePlan) -> Result<JoinTableRequest, InvalidValue> {
    Ok(JoinTableRequest {
        link: link.link.parse()?,
        game: table.game.game.parse()?,
        seats: link.seats,
        paytable: table.game.paytable.parse()?,
        confirm_inferred: Some(true),
        wager: Text(Unsigned(link.wager)),
        decks: link.decks,
    })
}
