//! Before anybody plays: links are opened and tables join, or are there already.

use serde::Serialize;

use crate::client::{Client, Request};
use crate::error::SimulatorError;
use crate::plan::{LinkPlan, Plan};

/// What opens a link.
#[derive(Serialize)]
struct LinkSent<'a> {
    paytable: &'a str,
    wager: &'a str,
    decks: u8,
}

/// What a table that joins has.
#[derive(Serialize)]
struct TableSent<'a> {
    link: &'a str,
    game: &'a str,
    seats: u8,
    #[serde(flatten)]
    has: LinkSent<'a>,
}

/// Opens the links and lets the tables join, with a manager's token. All of it may be there already.
///
/// # Errors
/// A plan that can't be played, a server that doesn't answer or answers anything but 200 and 201.
pub async fn prepare(plan: &Plan, manager: &str) -> Result<(), SimulatorError> {
    plan.check()?;
    let client = Client::new(&plan.base)?;
    for link in &plan.links {
        let path = format!("/v1/links/{}", link.link);
        put(&client, manager, path, &LinkSent::of(link)).await?;
        for table in &link.tables {
            let body = TableSent {
                link: &link.link,
                game: &link.game,
                seats: link.seats,
                has: LinkSent::of(link),
            };
            put(&client, manager, format!("/v1/tables/{table}"), &body).await?;
        }
    }
    Ok(())
}

impl<'a> LinkSent<'a> {
    fn of(link: &'a LinkPlan) -> Self {
        Self {
            paytable: &link.paytable,
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
) -> Result<(), SimulatorError> {
    let body = serde_json::to_string(body).map_err(|source| SimulatorError::Unreadable {
        request: path.clone(),
        answer: "nothing yet".to_owned(),
        source,
    })?;
    let request = Request::put(path, body);
    let reply = client.ask(manager, &request).await?;
    match reply.status {
        200 | 201 => Ok(()),
        _ => Err(request.unexpected(&reply, "200 or 201")),
    }
}
