//! The liveness of tables: exchanges contacts between the nodes and reports silent tables as lost.
//!
//! # Shape
//! In each round, this node's new contacts are written and those of all nodes are read, a thousand tables a statement. Each
//! table that was silent for longer than its link's limit is reported to the link's committer, which journals the loss.
//! Every node does this for all tables, because the node that served a table may be down. The rules journal a loss once.
//!
//! # Limits
//! One round at a time. Reports run concurrently with the rounds, one a table, each for at most [`REPORT_PAUSE`]. A
//! slow link therefore does not delay the exchange, which would lose healthy tables. A lost table is not reported again
//! before its next contact. A failed report is retried after the pause.

use std::time::Duration;

use meterhouse_domain::command::PersonCommand;
use meterhouse_domain::link::{LinkSettings, SILENCE_SECONDS_DEFAULT};
use meterhouse_store::{Store, StoreError};
use tokio::task::JoinSet;
use tokio::time::{Instant, MissedTickBehavior, interval, timeout};

use crate::answer::NotExecuted;
use crate::error_chain::ErrorChain;
use crate::registry::last_seen::{Exchange, LastSeen};
use crate::registry::link_registry::LinkRegistry;
use crate::server_command::by_server;

/// Default interval of the contact exchange.
pub(crate) const CONTACT_EXCHANGE_EVERY: Duration = Duration::from_secs(1);
/// Maximum delay of another node's contacts, in rounds: one until they are written, one until they are read.
const ROUNDS_LATE: u32 = 2;
/// Maximum time of a report, and the pause before a failed report is retried.
const REPORT_PAUSE: Duration = Duration::from_secs(10);

/// Exchanges contacts and reports silent tables. Never returns.
pub(crate) async fn run(store: Store, registry: LinkRegistry, every: Duration) {
    let mut ticks = interval(every);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let mut since = None;
    // The reports are aborted together with this task. Another node, or the next start, reports the tables.
    let mut reports = JoinSet::new();
    loop {
        ticks.tick().await;
        while reports.try_join_next().is_some() {}
        let began = Instant::now();
        if let Err(error) = contact_exchange(&store, &registry).await {
            // During an outage of the database no table is lost, because other nodes may have contact.
            tracing::debug!(error = %ErrorChain(&error), "contacts can't be exchanged");
            since = None;
            continue;
        }
        let exchange = Exchange {
            since: *since.get_or_insert(began),
            delay: every * ROUNDS_LATE,
        };
        mark_lost_tables(&registry, &exchange, &mut reports).await;
    }
}

/// Writes this node's contacts and reads those of other nodes.
async fn contact_exchange(store: &Store, registry: &LinkRegistry) -> Result<(), StoreError> {
    let known = registry.last_seen().all();
    let new: Vec<_> = known
        .iter()
        .filter_map(|last_seen| Some((last_seen, last_seen.take_unwritten()?)))
        .collect();
    if !new.is_empty() {
        let rows: Vec<_> = new.iter().map(|(_, row)| *row).collect();
        if let Err(error) = store.note_contacts(&rows).await {
            for (last_seen, _) in &new {
                last_seen.mark_unwritten();
            }
            return Err(error);
        }
    }
    for row in store.contacts().await? {
        registry.last_seen().of(row.link, row.table).merge(&row);
    }
    Ok(())
}

/// Reports the tables that were silent for longer than their links allow.
async fn mark_lost_tables(registry: &LinkRegistry, exchange: &Exchange, reports: &mut JoinSet<()>) {
    for last_seen in registry.last_seen().all() {
        // Skips tables without contact and tables known to be lost, without reading their link's limit.
        if !last_seen.is_silent(Duration::ZERO, exchange) {
            continue;
        }
        let Ok(terms) = registry.terms(last_seen.table().0).await else {
            continue;
        };
        let limit = silence_max(&terms.settings);
        if last_seen.is_silent(limit, exchange) {
            // No second report starts while this one runs.
            last_seen.postpone_report(REPORT_PAUSE * 2);
            let registry = registry.clone();
            reports.spawn(async move { report_lost(&registry, &last_seen).await });
        }
    }
}

/// Returns the silence after which a table of a link with these settings is lost.
pub(crate) fn silence_max(settings: &LinkSettings) -> Duration {
    let seconds = settings.silence_seconds_max;
    Duration::from_secs(seconds.unwrap_or(SILENCE_SECONDS_DEFAULT).into())
}

async fn report_lost(registry: &LinkRegistry, last_seen: &LastSeen) {
    let Some(heard_at) = last_seen.heard_at() else {
        return;
    };
    let (link, table) = last_seen.table();
    let command = PersonCommand::LoseTable {
        table,
        heard_at,
        must_resume: last_seen.sends_heartbeats(),
    };
    let reporting = registry.submit(link, by_server(command), Instant::now());
    // Only the wait ends. The queued command is still executed.
    let reported = timeout(REPORT_PAUSE, reporting).await;
    match reported.unwrap_or(Err(NotExecuted::OutcomeUnknown)) {
        Ok(_) => last_seen.set_reported(heard_at),
        Err(denied) => {
            tracing::debug!(link.id = %link, table.number = %table, %denied, "a silent table can't be reported");
            last_seen.postpone_report(REPORT_PAUSE);
        }
    }
}
