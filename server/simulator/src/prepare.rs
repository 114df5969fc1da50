//! Before anybody plays: links are opened and tables join, or are there already.

use serde::Serialize;

use crate::client::{Client, Reply, Request};
use crate::error::SimulatorError;
use crate::plan::{LinkPlan, Plan, SettingsPlan, TablePlan};
use crate::wire::{LevelValue, LinkNow};

/// What a link was opened with is another than what is sent now.
const OPENED_OTHERWISE: u16 = 409;

/// What the tables of a link agree on.
#[derive(Serialize)]
struct AgreedSent<'a> {
    paytable: &'a str,
    wager: &'a str,
    decks: u8,
}

/// What opens a link.
#[derive(Serialize)]
struct LinkSent<'a> {
    #[serde(flatten)]
    agreed: AgreedSent<'a>,
    #[serde(flatten)]
    settings: SettingsPlan,
}

/// What a manager accepts.
#[derive(Serialize)]
struct ValuesSent<'a> {
    values: Vec<LevelValue<'a>>,
}

/// What a table that joins has.
#[derive(Serialize)]
struct TableSent<'a> {
    link: &'a str,
    game: &'a str,
    seats: u8,
    #[serde(flatten)]
    has: AgreedSent<'a>,
    confirm_inferred: bool,
}

/// Opens the links and lets the tables join, with a manager's token. All of it may be there already, the links with
/// other settings: somebody else opened them.
///
/// # Errors
/// A plan that can't be played, a server that doesn't answer or answers anything but 200 and 201.
pub async fn prepare(plan: &Plan, manager: &str) -> Result<(), SimulatorError> {
    plan.check()?;
    let client = Client::new(&plan.base)?;
    for link in &plan.links {
        open(&client, manager, link).await?;
        accept_values(&client, manager, &link.link).await?;
        for TablePlan { table, game } in &link.tables {
            let body = TableSent {
                link: &link.link,
                game: game.game,
                seats: link.seats,
                has: AgreedSent::of(link, game.paytable),
                confirm_inferred: true,
            };
            let (request, reply) =
                put(&client, manager, format!("/v1/tables/{table}"), &body).await?;
            done(&request, &reply)?;
        }
    }
    Ok(())
}

/// Opens a link, if it isn't open with what its tables agree on.
async fn open(client: &Client, manager: &str, link: &LinkPlan) -> Result<(), SimulatorError> {
    let body = LinkSent {
        agreed: AgreedSent::of(link, &link.paytable),
        settings: link.settings,
    };
    let path = format!("/v1/links/{}", link.link);
    let (request, reply) = put(client, manager, path.clone(), &body).await?;
    if reply.status == OPENED_OTHERWISE {
        let question = Request::get(path);
        let now = client.ask(manager, &question).await?;
        let now: LinkNow = question.read(&now, &[200])?;
        if (&now.paytable, &now.wager, now.decks) == (&link.paytable, &link.wager, link.decks) {
            tracing::info!(
                link.name = link.link,
                "the link is open with other settings"
            );
            return Ok(());
        }
    }
    done(&request, &reply)
}

/// Accepts what a link opened with, unless that is done.
async fn accept_values(client: &Client, manager: &str, link: &str) -> Result<(), SimulatorError> {
    let path = format!("/v1/links/{link}");
    let question = Request::get(path.clone());
    let now = client.ask(manager, &question).await?;
    let now: LinkNow = question.read(&now, &[200])?;
    let Some(values) = now.to_accept() else {
        return Ok(());
    };
    let body = ValuesSent { values };
    let (request, reply) = put(client, manager, format!("{path}/values"), &body).await?;
    done(&request, &reply)
}

impl<'a> AgreedSent<'a> {
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
        answer: "nothing yet".to_owned(),
        source,
    })?;
    let request = Request::put(path, body);
    let reply = client.ask(manager, &request).await?;
    Ok((request, reply))
}

fn done(request: &Request, reply: &Reply) -> Result<(), SimulatorError> {
    match reply.status {
        200 | 201 => Ok(()),
        _ => Err(request.unexpected(reply, "200 or 201")),
    }
}
