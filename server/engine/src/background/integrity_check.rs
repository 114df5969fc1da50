//! The task that checks all loaded links, round after round.

use std::collections::HashMap;
use std::time::Duration;

use meterhouse_domain::ids::LinkId;
use meterhouse_store::Store;
use tokio::time::{MissedTickBehavior, interval};

use crate::integrity::checkpoints::CheckpointOptions;
use crate::integrity::running_check::{Checked, Found, check};
use crate::registry::link_registry::LinkRegistry;

/// How often a loaded link is checked, unless the options say otherwise.
pub(crate) const CHECK_EVERY: Duration = Duration::from_secs(5);

/// Checks all loaded links again and again, for good.
pub(crate) async fn run(
    store: Store,
    registry: LinkRegistry,
    every: Duration,
    options: CheckpointOptions,
) {
    let mut ticks = interval(every);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let mut links: HashMap<LinkId, Checked> = HashMap::new();
    loop {
        ticks.tick().await;
        links = check_all(&store, &registry, &links, options).await;
    }
}

async fn check_all(
    store: &Store,
    registry: &LinkRegistry,
    before: &HashMap<LinkId, Checked>,
    options: CheckpointOptions,
) -> HashMap<LinkId, Checked> {
    let mut links = HashMap::new();
    for (link, loaded) in registry.all_loaded() {
        if !loaded.published.books_passed() {
            continue;
        }
        let known = before.get(&link).copied();
        let known = known.or_else(|| loaded.take_checked());
        match check(store, link, &loaded.published, known, options).await {
            Ok(Found::Well(checked, _)) => {
                if checked.oldest_since().is_none()
                    && known.is_none_or(|it| it.oldest_since().is_some())
                {
                    let batches = checked.from_opening;
                    tracing::info!(link.id = %link, batches, "the ledger was summed from its opening: it agrees");
                }
                links.insert(link, checked);
            }
            Ok(Found::Nothing) => {}
            Ok(Found::Difference(reason)) => drop(registry.fault(link, &loaded, reason)),
            // The database is away: where this check had come to, the next one begins.
            Err(_) => links.extend(known.map(|known| (link, known))),
        }
    }
    links
}
