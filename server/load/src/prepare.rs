//! Before anybody plays: links are opened, tables join, and what an earlier load left open is finished.

use std::collections::BTreeMap;

use futures_util::stream::{self, StreamExt as _, TryStreamExt as _};
use meterhouse_simulator::{
    Client, GamePlan, LinkPlan, Plan as House, Request, SettingsPlan, SimulatorError, TablePlan,
    default_links,
};
use serde::Deserialize;
use serde_json::json;

use crate::error::LoadError;
use crate::felt::Felt;
use crate::floor::settle;
use crate::plan::{Plan, Tokens};

/// Questions that are asked at a time.
pub(crate) const AT_ONCE: usize = 16;
/// Seconds of silence after which a table is lost: the longest possible, since a table of many that play a few
/// rounds a second is silent for long.
const SILENCE_SECONDS: u32 = 3_600;

/// A table as it stands.
#[derive(Deserialize)]
struct Table {
    last_sequence: u64,
    round: Option<Round>,
}

#[derive(Deserialize)]
struct Round {
    hits: Vec<Hit>,
}

#[derive(Deserialize)]
struct Hit {
    hit: String,
}

/// What every link of a load is: five-card Paytable C at $1, as the demo plays it.
pub(crate) fn pattern() -> Result<LinkPlan, LoadError> {
    let first = default_links().into_iter().next();
    first.ok_or_else(|| LoadError::broken("the simulator has no link"))
}

/// Opens the links of a plan and lets its tables join, with a manager's token. All of it may be there already.
///
/// # Errors
/// A plan that can't be played, a server that doesn't answer or refuses.
pub async fn prepare(plan: &Plan, manager: &str) -> Result<(), LoadError> {
    plan.check()?;
    let pattern = pattern()?;
    let tables = plan.tables();
    let link = |(place, link): (usize, String)| LinkPlan {
        link,
        tables: tables
            .iter()
            .filter(|it| it.0 == place)
            .map(|it| TablePlan {
                table: it.1.clone(),
                game: GamePlan::CRAZY_4,
            })
            .collect(),
        settings: SettingsPlan {
            silence_seconds_max: Some(SILENCE_SECONDS),
            ..SettingsPlan::default()
        },
        ..pattern.clone()
    };
    let house = House {
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
    Ok(meterhouse_simulator::prepare(&house, manager).await?)
}

/// All tables of a plan, each behind its last number and without an open round.
pub(crate) async fn felts(
    plan: &Plan,
    tokens: &Tokens,
    client: &Client,
) -> Result<Vec<Felt>, LoadError> {
    let tables = plan.tables().into_iter().zip(1..);
    let felts = stream::iter(tables).map(async |((link, name), place)| {
        let Some(token) = tokens.controllers.get(&name) else {
            return Err(LoadError::NoToken { table: name });
        };
        let last = finished(client, tokens, &name, token).await?;
        let seed = plan.seed.wrapping_add(place);
        let table = (link, name);
        Ok(Felt::new(
            table,
            token.as_str().into(),
            last,
            seed,
            plan.hits_per_million,
        ))
    });
    felts.buffered(AT_ONCE).try_collect().await
}

/// The last number of a table whose open round, if there was one, is over.
async fn finished(
    client: &Client,
    tokens: &Tokens,
    name: &str,
    token: &str,
) -> Result<u64, SimulatorError> {
    let question = Request::get(format!("/v1/tables/{name}"));
    let table: Table = question.read(&client.ask(token, &question).await?, &[200])?;
    let Some(round) = table.round else {
        return Ok(table.last_sequence);
    };
    for hit in round.hits {
        settle(client, &tokens.supervisor, &hit.hit).await?;
    }
    let last = table.last_sequence + 1;
    let path = format!("/v1/tables/{name}/commands/{last}");
    let request = Request::put(path, json!({"close": {}}).to_string());
    let reply = client.ask(token, &request).await?;
    match reply.status {
        200 | 201 => Ok(last),
        _ => Err(request.unexpected(&reply, "the open round closed")),
    }
}

/// The last number of every table, by its name.
pub(crate) async fn last_numbers(
    tables: Vec<String>,
    manager: &str,
    client: &Client,
) -> Result<BTreeMap<String, u64>, LoadError> {
    let numbers = stream::iter(tables).map(async |name| {
        let question = Request::get(format!("/v1/tables/{name}"));
        let table: Table = question.read(&client.ask(manager, &question).await?, &[200])?;
        Ok((name, table.last_sequence))
    });
    numbers.buffered(AT_ONCE).try_collect().await
}
