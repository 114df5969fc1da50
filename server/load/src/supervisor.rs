//! The supervisor, who validates and pays every hit, so that rounds can be closed.
//!
//! # Limits
//! [`CONCURRENT_HITS`] hits are settled at a time, and [`QUEUED_HITS_MAX`] wait. Beyond that, the tables wait as well
//! (backpressure).

use meterhouse_api::decision::{PaymentRequest, ValidationRequest};
use meterhouse_api::hit_detail::HitDetail;
use meterhouse_api::words::HitDecision;
use meterhouse_http_client::Client;
use tokio::sync::mpsc;
use tokio::task::JoinSet;

use crate::error::LoadError;

/// Maximum number of hits that wait for the supervisor.
pub(crate) const QUEUED_HITS_MAX: usize = 1_024;
/// Maximum number of hits that are settled at a time.
const CONCURRENT_HITS: usize = 8;
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
pub(crate) async fn settle_hit(client: &Client, token: &str, hit: &str) -> Result<(), LoadError> {
    let approve = ValidationRequest {
        decision: HitDecision::Approve,
        cards: None,
        note: None,
        resettle: None,
    };
    let path = format!("/v1/hits/{hit}/validation");
    let reply = client.put(token, path, &approve).await?;
    let decided = reply
        .code()
        .is_some_and(|code| DECIDED_CODES.contains(&code.as_str()));
    if !reply.is_done() && !decided {
        return Err(reply.unexpected("the hit validated").into());
    }
    let found: HitDetail = client.get(token, format!("/v1/hits/{hit}")).await?;
    let payouts = found.hit.payouts.iter();
    for payout in payouts.filter(|payout| payout.waits_for_document()) {
        let number = payout.payout;
        let document = format!("LOAD-{hit}-{number}").parse()?;
        let path = format!("/v1/hits/{hit}/payouts/{number}/payment");
        let body = PaymentRequest { document };
        client.put(token, path, &body).await?.done()?;
    }
    Ok(())
}
