//! The task that keeps contacts: writes what was heard, reads what other nodes heard, loses tables that are silent.
//!
//! # Shape
//! Once a round: one statement writes all that is new, one statement a link reads, and each table that was silent for
//! longer than its link's limit is reported to its link's committer, which journals it. Every node does this for all
//! tables, as the one that served a table may be the one that is gone; the rules journal it once.
//!
//! # Limits
//! One round at a time; reports go on beside it, one a table, each at most [`REPORT_PAUSE`]: a link that has to be waited
//! for keeps no contact from other nodes, which would lose healthy tables. A table that is known to be lost is not
//! reported again until it was heard; one that can't be reported is tried again after the pause.

use std::time::Duration;

use meterhouse_domain::command::PersonCommand;
use meterhouse_domain::ids::LinkId;
use meterhouse_domain::link::SILENCE_SECONDS_DEFAULT;
use meterhouse_store::{LIST_MAX, Store, StoreError};
use tokio::task::JoinSet;
use tokio::time::{Instant, MissedTickBehavior, interval, timeout};

use crate::answer::Denied;
use crate::error_chain::ErrorChain;
use crate::registry::last_seen::{Exchange, LastSeen};
use crate::registry::link_registry::LinkRegistry;
use crate::server_command::by_server;

/// How often contacts are written, and silent tables looked for, unless the options say otherwise.
pub(crate) const SWEEP_EVERY: Duration = Duration::from_secs(1);
/// Rounds by which another node's contacts may come later: it writes once a round, and this node reads once a round.
const ROUNDS_LATE: u32 = 2;
/// How long reporting a lost table may take, and how long after that it is tried again.
const REPORT_PAUSE: Duration = Duration::from_secs(10);

/// Keeps contacts, for good.
pub(crate) async fn run(store: Store, registry: LinkRegistry, every: Duration) {
    let mut ticks = interval(every);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let mut since = None;
    // Dropped with this, what is under way ends as well: another node, or the next start, reports it.
    let mut reports = JoinSet::new();
    loop {
        ticks.tick().await;
        while reports.try_join_next().is_some() {}
        let began = Instant::now();
        if let Err(error) = exchange(&store, &registry).await {
            // While the database is away no table is lost: other nodes may hear it.
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

/// Writes what was heard here and reads what other nodes heard.
async fn exchange(store: &Store, registry: &LinkRegistry) -> Result<(), StoreError> {
    let known = registry.contacts().all();
    let heard: Vec<_> = known
        .iter()
        .filter_map(|it| Some((it, it.take_new()?)))
        .collect();
    if !heard.is_empty() {
        let rows: Vec<_> = heard.iter().map(|(_, row)| *row).collect();
        if let Err(error) = store.note_contacts(&rows).await {
            for (contact, _) in &heard {
                contact.keep_new();
            }
            return Err(error);
        }
    }
    let mut after = LinkId(0);
    loop {
        let links = store.list_links(after, LIST_MAX).await?;
        let Some(last) = links.last() else {
            return Ok(());
        };
        after = last.link;
        for link in &links {
            for row in store.contacts(link.link).await? {
                registry.contacts().of(row.link, row.table).follow(&row);
            }
        }
    }
}

/// Reports the tables that were silent for longer than their links allow.
async fn mark_lost_tables(registry: &LinkRegistry, exchange: &Exchange, reports: &mut JoinSet<()>) {
    for contact in registry.contacts().all() {
        // Those never heard, and those known to be lost: their link's limit need not be asked for.
        if !contact.is_silent(Duration::ZERO, exchange) {
            continue;
        }
        let Ok(terms) = registry.terms(contact.table().0).await else {
            continue;
        };
        let seconds = terms.settings.silence_seconds_max;
        let limit = Duration::from_secs(seconds.unwrap_or(SILENCE_SECONDS_DEFAULT).into());
        if contact.is_silent(limit, exchange) {
            // Until this one has ended there is no second.
            contact.report_later(REPORT_PAUSE * 2);
            let registry = registry.clone();
            reports.spawn(async move { lose(&registry, &contact).await });
        }
    }
}

async fn lose(registry: &LinkRegistry, contact: &LastSeen) {
    let Some(heard_at) = contact.heard_at() else {
        return;
    };
    let (link, table) = contact.table();
    let command = PersonCommand::LoseTable {
        table,
        heard_at,
        must_resume: contact.sends_heartbeats(),
    };
    let reporting = registry.submit(link, by_server(command), Instant::now());
    // Only the waiting ends: what is queued is carried out all the same.
    let reported = timeout(REPORT_PAUSE, reporting).await;
    match reported.unwrap_or(Err(Denied::OutcomeUnknown)) {
        Ok(_) => contact.is_reported(heard_at),
        Err(denied) => {
            tracing::debug!(link.id = %link, table.number = %table, %denied, "a silent table can't be reported");
            contact.report_later(REPORT_PAUSE);
        }
    }
}
