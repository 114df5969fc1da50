//! A session that keeps every commit from ending, so that a commit that is polled once is still on its way.

use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Waker};

use meterhouse_store::{Commit, Journal as _, OpenBatch};
use sqlx::Connection as _;
use sqlx::postgres::PgConnection;

use crate::combined::OpenLink;
use crate::common::World;

/// A session that can hold the table of batches.
pub(crate) struct HeldBatches(PgConnection);

impl HeldBatches {
    /// Holds the table.
    async fn hold(world: &World) -> Self {
        let mut held = Self(PgConnection::connect_with(&world.admin).await.unwrap());
        held.hold_again().await;
        held
    }

    /// Holds the table once more.
    pub(crate) async fn hold_again(&mut self) {
        let lock = "BEGIN; LOCK TABLE batch IN SHARE MODE";
        sqlx::raw_sql(lock).execute(&mut self.0).await.unwrap();
    }

    /// Lets the commits go on.
    pub(crate) async fn release(&mut self) {
        sqlx::raw_sql("COMMIT").execute(&mut self.0).await.unwrap();
    }
}

/// A commit on its way.
pub(crate) type Committing<'a> = Pin<Box<dyn Future<Output = Commit> + 'a>>;

/// Begins the commits of batches, in their order, while the batches are held: the first one is sent, and the others wait for
/// their turn.
pub(crate) async fn begin<'a, const N: usize>(
    world: &World,
    links: &'a mut [OpenLink],
    new: &'a [Arc<OpenBatch>],
) -> (HeldBatches, [Committing<'a>; N]) {
    let mut commits = commits(links, new);
    let held = HeldBatches::hold(world).await;
    commits.iter_mut().for_each(poll_once);
    (held, commits)
}

/// Returns the commit of a batch of each link, in their order, before it is polled.
pub(crate) fn commits<'a, const N: usize>(
    links: &'a mut [OpenLink],
    new: &'a [Arc<OpenBatch>],
) -> [Committing<'a>; N] {
    let mut each = links.iter_mut().zip(new);
    std::array::from_fn(|_| -> Committing<'a> {
        let (link, new) = each.next().unwrap();
        Box::pin(link.journal.commit(new))
    })
}

/// Polls a commit once. It does not end by that while the batches are held, or while it waits for its turn.
pub(crate) fn poll_once(commit: &mut Committing<'_>) {
    let mut once = Context::from_waker(Waker::noop());
    assert!(commit.as_mut().poll(&mut once).is_pending());
}
