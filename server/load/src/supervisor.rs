//! The supervisor, who validates and pays every hit, so that rounds can be closed.
//!
//! # Limits
//! [`CONCURRENT_HITS`] hits are settled at a time, and [`QUEUED_HITS_MAX`] wait. Beyond that, the tables wait as well
//! (backpressure).

use meterhouse_simulator::{Client, Request, SimulatorError};
use serde::Deserialize;
use serde_json::json;
use tokio::sync::mpsc;
use tokio::task::JoinSet;

use crate::error::LoadError;

/// Maximum number of hits that wait for the supervisor.
pub(crate) const QUEUED_HITS_MAX: usize = 1_024;
/// Maximum number of hits that are settled at a time.
const CONCURRENT_HITS: usize = 8;
/// The value of `handed_over` for a payout that needs a document.
const HANDED_OVER_SLIP: &str = "slip";
/// The server's codes for a hit that was decided before, by a killed run or by a request whose reply was lost.
const DECIDED_CODES: [&str; 2] = ["hit_not_pending", "hit_paid"];

/// A hit that waits for the supervisor.
#[derive(Clone, Debug)]
pub(crate) struct PendingHit {
    /// The index of the table's group.
    pub(crate) group_index: usize,
    /// The index of the table in its group.
    pub(crate) table_index: usize,
    /// The name of the hit.
    pub(crate) hit: String,
}

/// The part of a hit that the supervisor reads.
#[derive(Deserialize)]
struct Hit {
    payouts: Vec<Payout>,
}

#[derive(Deserialize)]
struct Payout {
    #[serde(rename = "payout")]
    number: u32,
    handed_over: String,
    payment: Option<Payment>,
}

#[derive(Deserialize)]
struct Payment {
    paid: bool,
}

/// Settles hits until all senders are gone. Notifies the group of each settled hit.
pub(crate) async fn settle_hits(
    client: Client,
    token: String,
    mut pending_hits: mpsc::Receiver<PendingHit>,
    settled: Vec<mpsc::Sender<usize>>,
) -> Result<(), LoadError> {
    let mut tasks: JoinSet<Result<PendingHit, LoadError>> = JoinSet::new();
    loop {
        tokio::select! {
            // Other hits wait in the queue, and their tables wait behind it.
            Some(pending) = pending_hits.recv(), if tasks.len() < CONCURRENT_HITS => {
                let (client, token) = (client.clone(), token.clone());
                tasks.spawn(async move {
                    settle_hit(&client, &token, &pending.hit).await?;
                    Ok(pending)
                });
            }
            Some(done) = tasks.join_next() => {
                let pending = done??;
                if let Some(sender) = settled.get(pending.group_index)
                    && sender.send(pending.table_index).await.is_err()
                {
                    tracing::debug!(hit.id = pending.hit, "the connection of the hit's table has ended");
                }
            }
            else => return Ok(()),
        }
    }
}

/// Validates a hit and pays each of its payouts that needs a document.
pub(crate) async fn settle_hit(
    client: &Client,
    token: &str,
    hit: &str,
) -> Result<(), SimulatorError> {
    let approve = json!({"decision": "approve"}).to_string();
    let request = Request::put(format!("/v1/hits/{hit}/validation"), approve);
    let reply = client.ask(token, &request).await?;
    let decided = reply
        .code()
        .is_some_and(|code| DECIDED_CODES.contains(&code.as_str()));
    if !matches!(reply.status, 200 | 201) && !decided {
        return Err(request.unexpected(&reply, "the hit validated"));
    }
    let request = Request::get(format!("/v1/hits/{hit}"));
    let found: Hit = request.read(&client.ask(token, &request).await?, &[200])?;
    let is_paid = |payout: &Payout| payout.payment.as_ref().is_some_and(|payment| payment.paid);
    let unpaid = |payout: &Payout| payout.handed_over == HANDED_OVER_SLIP && !is_paid(payout);
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
