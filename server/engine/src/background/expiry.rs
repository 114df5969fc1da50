//! The task that ends expired tokens and proposals, so that a clock that is set back revives none.
//!
//! # Shape
//! At every interval, expired tokens are revoked by one statement. The server itself declines the expired proposals of
//! loaded links, in the journal. Every node runs this task; the journal contains one decline of a proposal. A link with
//! an open proposal stays loaded.
//!
//! # Limits
//! [`ENDED_EVERY`]; [`DECLINE_WAIT_MAX`] a proposal.

use std::time::Duration;

use meterhouse_domain::command::PersonCommand;
use meterhouse_domain::ids::{LinkId, ProposalId};
use meterhouse_store::Store;
use tokio::time::{Instant, MissedTickBehavior, interval, timeout};

use crate::clock::now;
use crate::error_chain::ErrorChain;
use crate::registry::link_registry::LinkRegistry;
use crate::server_command::by_server;

/// Interval at which expired tokens and proposals are ended.
const ENDED_EVERY: Duration = Duration::from_secs(1);
/// Maximum wait for the decline of one proposal.
const DECLINE_WAIT_MAX: Duration = Duration::from_secs(1);
/// The department of the server's declines.
const DEPARTMENT: &str = "meterhouse";
/// The journaled reason of the server's declines.
const REASON: &str = "nobody approved it in time";

/// Ends expired tokens and proposals. Never returns.
pub(crate) async fn run(store: Store, registry: LinkRegistry) {
    let mut ticks = interval(ENDED_EVERY);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let mut failed = false;
    loop {
        ticks.tick().await;
        match store.end_expired_tokens(now()).await {
            Ok(_) => failed = false,
            Err(error) if !failed => {
                failed = true;
                tracing::warn!(error = %ErrorChain(&error), "expired tokens can't be ended");
            }
            Err(_) => {}
        }
        for (link, loaded) in registry.all_loaded() {
            let Some(known) = loaded.published.known() else {
                continue;
            };
            let now = now();
            let proposals = known.state.proposals.iter();
            for proposal in proposals.filter(|proposal| proposal.expires_at <= now) {
                decline(&registry, link, proposal.propose.proposal).await;
            }
        }
    }
}

async fn decline(registry: &LinkRegistry, link: LinkId, proposal: ProposalId) {
    let (Ok(department), Ok(reason)) = (DEPARTMENT.parse(), REASON.parse()) else {
        return;
    };
    let command = PersonCommand::Decline {
        proposal,
        department,
        reason,
    };
    let declining = registry.submit(link, by_server(command), Instant::now());
    match timeout(DECLINE_WAIT_MAX, declining).await {
        Ok(Ok(_)) => {}
        // Another node was first, or the next interval retries.
        Ok(Err(denied)) => {
            tracing::debug!(link.id = %link, %denied, "an expired proposal can't be declined");
        }
        Err(_) => tracing::debug!(link.id = %link, "an expired proposal is not declined yet"),
    }
}
