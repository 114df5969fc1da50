//! The telling of hits that wait: takes each of them once, and starts its deliveries.
//!
//! # Order
//! A hit is taken in the database before it is sent, by one node. A node that dies in between does not tell it: a notice
//! comes at most once. Hits that were entered longer ago than a message lives are not told.

use std::sync::Arc;
use std::time::Duration;

use meterhouse_domain::ids::{HitId, LinkId};
use meterhouse_store::Store;
use tokio::time::{MissedTickBehavior, interval};

use super::delivery::{Deliveries, PUSH_TTL};
use super::{PushSender, PushSubscription, WaitingHit};
use crate::answer::{NotExecuted, unavailable};
use crate::clock::{earlier, now};
use crate::queries::checked_hits::HitReader;
use crate::queries::link_reader::LinkReader;
use crate::registry::link_registry::LinkRegistry;

/// Interval at which waiting hits are looked for.
pub(crate) const TELL_EVERY: Duration = Duration::from_secs(1);
/// Time for which it is remembered that a hit was told: longer than a hit can be told after it was entered.
const TOLD_FOR: Duration = Duration::from_hours(24);

/// Tells people's browsers of waiting hits. Never returns.
pub(crate) async fn run(
    store: Store,
    registry: LinkRegistry,
    sender: Arc<dyn PushSender>,
    every: Duration,
) {
    let mut deliveries = Deliveries::new(store.clone(), sender);
    let mut ticks = interval(every);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        ticks.tick().await;
        deliveries.forget_ended();
        if let Err(denied) = tell(&store, &registry, &mut deliveries).await {
            // The next interval goes on, as long as the hits are young.
            tracing::debug!(%denied, "waiting hits can't be told");
        }
    }
}

async fn tell(
    store: &Store,
    registry: &LinkRegistry,
    deliveries: &mut Deliveries,
) -> Result<(), NotExecuted> {
    let subscriptions = store.pushes().await.map_err(unavailable)?;
    if subscriptions.is_empty() {
        return Ok(());
    }
    let at = now();
    let taken = store.take_waiting_hits(at, earlier(at, PUSH_TTL), earlier(at, TOLD_FOR));
    for (link, hit) in taken.await.map_err(unavailable)? {
        let waiting = match waiting(store, registry, link, hit).await {
            Ok(Some(waiting)) => waiting,
            Ok(None) => continue,
            Err(denied) => {
                tracing::warn!(link.id = %link, hit.id = ?hit, %denied, "a waiting hit is not told");
                continue;
            }
        };
        for row in &subscriptions {
            let to = PushSubscription {
                endpoint: row.endpoint.clone(),
                p256dh: row.p256dh.clone(),
                auth: row.auth.clone(),
            };
            deliveries.start(row.clone(), to, waiting.clone());
        }
    }
    Ok(())
}

/// Returns a hit with its names, as the journal has it.
async fn waiting(
    store: &Store,
    registry: &LinkRegistry,
    link: LinkId,
    hit: HitId,
) -> Result<Option<WaitingHit>, NotExecuted> {
    let reader = HitReader { store, registry };
    let Some(found) = reader.find(link, hit).await? else {
        return Ok(None);
    };
    let view = LinkReader { store, registry }.hit_view(found).await?;
    Ok(Some(WaitingHit {
        hit: view.name(),
        link: view.link,
        table: view.table,
        level: view.level,
    }))
}
