//! The task that checks all loaded links, round after round.

use std::collections::HashMap;
use std::time::Duration;

use meterhouse_domain::ids::LinkId;
use meterhouse_store::Store;
use tokio::time::{MissedTickBehavior, interval};

use crate::integrity::checkpoints::CheckpointOptions;
use crate::integrity::running_check::{CheckProgress, CheckResult, check};
use crate::metrics::instruments;
use crate::registry::link_registry::LinkRegistry;

/// Default interval of the check of a loaded link.
pub(crate) const CHECK_EVERY: Duration = Duration::from_secs(5);

/// Checks all loaded links. Never returns.
pub(crate) async fn run(
    store: Store,
    registry: LinkRegistry,
    every: Duration,
    options: CheckpointOptions,
) {
    let mut ticks = interval(every);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let mut links: HashMap<LinkId, CheckProgress> = HashMap::new();
    loop {
        ticks.tick().await;
        links = check_all(&store, &registry, &links, options).await;
    }
}

async fn check_all(
    store: &Store,
    registry: &LinkRegistry,
    before: &HashMap<LinkId, CheckProgress>,
    options: CheckpointOptions,
) -> HashMap<LinkId, CheckProgress> {
    let mut links = HashMap::new();
    for (link, loaded) in registry.all_loaded() {
        if !loaded.published.books_passed() {
            continue;
        }
        let known = before.get(&link).copied();
        let known = known.or_else(|| loaded.take_checked());
        match check(store, link, &loaded.published, known, options).await {
            Ok(CheckResult::Consistent(checked, _)) => {
                if checked.oldest_since().is_none()
                    && known.is_none_or(|before| before.oldest_since().is_some())
                {
                    let batches = checked.from_opening;
                    tracing::info!(link.id = %link, batches, "the ledger was summed from its opening: it agrees");
                }
                loaded.record_agreed(checked);
                links.insert(link, checked);
            }
            Ok(CheckResult::Nothing) => {}
            Ok(CheckResult::Difference(reason)) => {
                instruments().record_difference();
                drop(registry.fault(link, &loaded, reason));
            }
            // The database can't be queried. The next check continues from the same progress.
            Err(_) => links.extend(known.map(|known| (link, known))),
        }
    }
    links
}
