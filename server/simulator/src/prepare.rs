//! The preparation of a run: opens links and lets tables join, unless they already exist.

use serde::Serialize;

use crate::client::{Client, Reply, Request};
use crate::error::SimulatorError;
use crate::plan::{LinkPlan, Plan, SettingsPlan, TablePlan};
use crate::responses::{LevelValue, LinkStatus};

/// The status for a link that was opened with other values.
const CONFLICT: u16 = 409;

/// The values that the tables of a link share.
#[derive(Serialize)]
struct AgreedTerms<'a> {
    paytable: &'a str,
    wager: &'a str,
    decks: u8,
}

/// The body that opens a link.
#[derive(Serialize)]
struct LinkRequest<'a> {
    #[serde(flatten)]
    terms: AgreedTerms<'a>,
    #[serde(flatten)]
    settings: SettingsPlan,
}

/// The body with the first values that a manager accepts.
#[derive(Serialize)]
struct ValuesRequest<'a> {
    values: Vec<LevelValue<'a>>,
}

/// The body with which a table joins.
#[derive(Serialize)]
struct TableRequest<'a> {
    link: &'a str,
    game: &'a str,
    seats: u8,
    #[serde(flatten)]
    terms: AgreedTerms<'a>,
    confirm_inferred: bool,
}

/// Opens the links and lets the tables join, with a manager's token. Links and tables may already exist. A link that
/// another program opened may have other settings.
///
/// # Errors
/// An invalid plan, an unreachable server, or a response other than 200 and 201.
pub async fn prepare(plan: &Plan, manager: &str) -> Result<(), SimulatorError> {
    plan.check()?;
    let client = Client::new(&plan.base)?;
    for link in &plan.links {
        open_link(&client, manager, link).await?;
        accept_values(&client, manager, &link.link).await?;
        for TablePlan { table, game } in &link.tables {
            let body = TableRequest {
                link: &link.link,
                game: game.game,
                seats: link.seats,
                terms: AgreedTerms::of(link, game.paytable),
                confirm_inferred: true,
            };
            let (request, reply) =
                put(&client, manager, format!("/v1/tables/{table}"), &body).await?;
            expect_success(&request, &reply)?;
        }
    }
    Ok(())
}

/// Opens a link. A link that is open with the same paytable, wager and decks is left as it is.
async fn open_link(client: &Client, manager: &str, link: &LinkPlan) -> Result<(), SimulatorError> {
    let body = LinkRequest {
        terms: AgreedTerms::of(link, &link.paytable),
        settings: link.settings,
    };
    let path = format!("/v1/links/{}", link.link);
    let (request, reply) = put(client, manager, path.clone(), &body).await?;
    if reply.status == CONFLICT {
        let request = Request::get(path);
        let reply = client.ask(manager, &request).await?;
        let status: LinkStatus = request.read(&reply, &[200])?;
        if (&status.paytable, &status.wager, status.decks)
            == (&link.paytable, &link.wager, link.decks)
        {
            tracing::info!(
                link.name = link.link,
                "the link is open with other settings"
            );
            return Ok(());
        }
    }
    expect_success(&request, &reply)
}

/// Accepts the first values of a link, unless they are already accepted.
async fn accept_values(client: &Client, manager: &str, link: &str) -> Result<(), SimulatorError> {
    let path = format!("/v1/links/{link}");
    let request = Request::get(path.clone());
    let reply = client.ask(manager, &request).await?;
    let status: LinkStatus = request.read(&reply, &[200])?;
    let Some(values) = status.values_to_accept() else {
        return Ok(());
    };
    let body = ValuesRequest { values };
    let (request, reply) = put(client, manager, format!("{path}/values"), &body).await?;
    expect_success(&request, &reply)
}

impl<'a> AgreedTerms<'a> {
    fn of(link: &'a LinkPlan, paytable: &'a str) -> Self {
        Self {
            paytable,
            wager: &link.wager,
            decks: link.decks,
        }
    }
}

async fn put(
    client: &Client,
    manager: &str,
    path: String,
    body: &impl Serialize,
) -> Result<(Request, Reply), SimulatorError> {
    let body = serde_json::to_string(body).map_err(|source| SimulatorError::Unreadable {
        request: path.clone(),
        answer: "not sent".to_owned(),
        source,
    })?;
    let request = Request::put(path, body);
    let reply = client.ask(manager, &request).await?;
    Ok((request, reply))
}

fn expect_success(request: &Request, reply: &Reply) -> Result<(), SimulatorError> {
    match reply.status {
        200 | 201 => Ok(()),
        _ => Err(request.unexpected(reply, "200 or 201")),
    }
}
