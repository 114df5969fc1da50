//! The preparation of a run: links are opened, tables join, and the open rounds of an earlier run are closed.

use std::collections::BTreeMap;

use futures_util::stream::{self, StreamExt as _, TryStreamExt as _};
use meterhouse_api::command::{Close, Command, CommandRequest};
use meterhouse_api::table::Table;
use meterhouse_http_client::{Client, ClientError};
use meterhouse_simulator::{
    GamePlan, LinkPlan, Plan as SimulatorPlan, SettingsPlan, TablePlan, default_links, prepare_with,
};

use crate::error::LoadError;
use crate::plan::{Plan, Tokens};
use crate::supervisor::settle_hit;
use crate::table_driver::TableDriver;

/// Maximum number of concurrent requests.
pub(crate) const CONCURRENT_REQUESTS: usize = 16;
/// Seconds of silence after which a table is lost: the longest possible. Many tables that share a few rounds a second
/// are silent for long.
const SILENCE_SECONDS: u32 = 3_600;

/// Returns the link that every link of a load copies: five-card Paytable C at $1, as in the demo.
pub(crate) fn link_template() -> Result<LinkPlan, LoadError> {
    let first = default_links().into_iter().next();
    first.ok_or_else(|| LoadError::broken("the simulator has no link"))
}

/// Opens the links of a plan and lets its tables join, with a manager's token. Existing links and tables are kept.
///
/// # Errors
/// A plan that can't be played, or a server that doesn't reply or refuses.
pub async fn prepare(plan: &Plan, manager: &str) -> Result<(), LoadError> {
    plan.check()?;
    let link_template = link_template()?;
    let tables = plan.tables();
    let link = |(index, link): (usize, String)| LinkPlan {
        link,
        tables: tables
            .iter()
            .filter(|table| table.0 == index)
            .map(|table| TablePlan {
                table: table.1.clone(),
                game: GamePlan::CRAZY_4,
            })
            .collect(),
        settings: SettingsPlan {
            silence_seconds_max: Some(SILENCE_SECONDS),
            ..SettingsPlan::default()
        },
        ..link_template.clone()
    };
    let simulator_plan = SimulatorPlan {
        base: plan.base().to_owned(),
        seed: plan.seed,
        rounds: 0,
        speed: 0,
        stages: Vec::new(),
        links: plan
            .link_names()
            .into_iter()
            .enumerate()
            .map(link)
            .collect(),
    };
    Ok(prepare_with(&plan.client()?, &simulator_plan, manager).await?)
}

/// Returns all tables of a plan, each at its last sequence number and without an open round.
pub(crate) async fn table_drivers(
    plan: &Plan,
    tokens: &Tokens,
    client: &Client,
) -> Result<Vec<TableDriver>, LoadError> {
    let tables = plan.tables().into_iter().zip(1..);
    let drivers = stream::iter(tables).map(async |((link, name), number)| {
        let Some(token) = tokens.controllers.get(&name) else {
            return Err(LoadError::NoToken { table: name });
        };
        let last = close_open_round(client, tokens, &name, token).await?;
        let seed = plan.seed.wrapping_add(number);
        let table = (link, name);
        Ok(TableDriver::new(
            table,
            token.as_str().into(),
            last,
            seed,
            plan.hits_per_million,
        ))
    });
    drivers.buffered(CONCURRENT_REQUESTS).try_collect().await
}

/// Closes the open round of a table, if there is one. Returns the table's last sequence number.
async fn close_open_round(
    client: &Client,
    tokens: &Tokens,
    name: &str,
    token: &str,
) -> Result<u64, LoadError> {
    let table = read_table(client, token, name).await?;
    let Some(round) = table.round else {
        return Ok(table.last_sequence);
    };
    for hit in round.hits {
        settle_hit(client, &tokens.supervisor, &hit.summary.hit.to_string()).await?;
    }
    let last = table.last_sequence + 1;
    let path = format!("/v1/tables/{name}/commands/{last}");
    let close = CommandRequest::from(Command::Close(Close {}));
    client.put(token, path, &close).await?.done()?;
    Ok(last)
}

async fn read_table(client: &Client, token: &str, name: &str) -> Result<Table, ClientError> {
    client.get(token, format!("/v1/tables/{name}")).await
}

/// Returns the last sequence number of every table, by name.
pub(crate) async fn last_numbers(
    tables: Vec<String>,
    manager: &str,
    client: &Client,
) -> Result<BTreeMap<String, u64>, LoadError> {
    let numbers = stream::iter(tables).map(async |name| {
        let table = read_table(client, manager, &name).await?;
        Ok((name, table.last_sequence))
    });
    numbers.buffered(CONCURRENT_REQUESTS).try_collect().await
}
