//! The floor: a supervisor who validates and pays every hit, so that rounds close.
//!
//! # What bounds it
//! [`AT_ONCE`] hits at a time; [`HITS_MAX`] wait, then the tables wait with them.

use meterhouse_simulator::{Client, Request, SimulatorError};
use serde::Deserialize;
use serde_json::json;
use tokio::sync::mpsc;
use tokio::task::JoinSet;

use crate::error::LoadError;

/// Hits that wait for the floor.
pub(crate) const HITS_MAX: usize = 1_024;
/// Hits that are settled at a time.
const AT_ONCE: usize = 8;
/// How a payout is handed over that needs a document.
const SLIP: &str = "slip";
/// What was decided before: by a run that was killed, or by this one, whose answer was lost.
const DECIDED: [&str; 2] = ["hit_not_pending", "hit_paid"];

/// A hit that waits for the floor.
#[derive(Clone, Debug)]
pub(crate) struct Winner {
    /// Where its table is.
    pub(crate) pit: usize,
    /// Its table's place there.
    pub(crate) felt: usize,
    /// Its name.
    pub(crate) hit: String,
}

/// A hit, as far as the floor reads it.
#[derive(Deserialize)]
struct Hit {
    payouts: Vec<Payout>,
}

#[derive(Deserialize)]
struct Payout {
    #[serde(rename = "payout")]
    number: u32,
    handed_over: String,
    paid: Paid,
}

#[derive(Deserialize)]
struct Paid {
    at: Option<String>,
}

/// Settles hits until nobody sends any more, and tells their pits.
pub(crate) async fn work(
    client: Client,
    token: String,
    mut winners: mpsc::Receiver<Winner>,
    pits: Vec<mpsc::Sender<usize>>,
) -> Result<(), LoadError> {
    let mut tasks: JoinSet<Result<Winner, LoadError>> = JoinSet::new();
    loop {
        tokio::select! {
            // The others wait where they are: in the queue, and behind it at their tables.
            Some(winner) = winners.recv(), if tasks.len() < AT_ONCE => {
                let (client, token) = (client.clone(), token.clone());
                tasks.spawn(async move {
                    settle(&client, &token, &winner.hit).await?;
                    Ok(winner)
                });
            }
            Some(done) = tasks.join_next() => {
                let winner = done??;
                if let Some(pit) = pits.get(winner.pit)
                    && pit.send(winner.felt).await.is_err()
                {
                    tracing::debug!(hit.id = winner.hit, "its table has gone home");
                }
            }
            else => return Ok(()),
        }
    }
}

/// Validates a hit and pays whatever of it needs a document.
pub(crate) async fn settle(client: &Client, token: &str, hit: &str) -> Result<(), SimulatorError> {
    let approve = json!({"decision": "approve"}).to_string();
    let request = Request::put(format!("/v1/hits/{hit}/validation"), approve);
    let reply = client.ask(token, &request).await?;
    let decided = reply
        .code()
        .is_some_and(|it| DECIDED.contains(&it.as_str()));
    if !matches!(reply.status, 200 | 201) && !decided {
        return Err(request.unexpected(&reply, "the hit validated"));
    }
    let question = Request::get(format!("/v1/hits/{hit}"));
    let found: Hit = question.read(&client.ask(token, &question).await?, &[200])?;
    let unpaid = |it: &Payout| it.handed_over == SLIP && it.paid.at.is_none();
    for payout in found.payouts.into_iter().filter(unpaid) {
        let number = payout.number;
        let document = json!({"document": format!("LOAD-{hit}-{number}")}).to_string();
        let path = format!("/v1/hits/{hit}/payouts/{number}/payment");
        let request = Request::put(path, document);
        let reply = client.ask(token, &request).await?;
        if !matches!(reply.status, 200 | 201) {
            return Err(request.unexpected(&reply, "the payout paid"));
        }
    }
    Ok(())
}
