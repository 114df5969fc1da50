//! An address for announcements that a test answers, one after another.

use std::sync::Arc;
use std::time::Duration;

use meterhouse_edge::authorize::may_configure;
use meterhouse_engine::access::{
    Announcement, AnnouncementError, Announcements, Announcer, Announcing,
};
use tokio::sync::{mpsc, oneshot};

/// Host of the address.
pub(super) const HOST: &str = "regulator.example";
/// Maximum number of announcements that the test has not taken.
const QUEUE_MAX: usize = 100;

/// An announcement that the test answers. Dropped without an answer, it is a closed connection.
pub(super) struct Asked {
    pub(super) announcement: Announcement,
    reply: oneshot::Sender<Result<(), AnnouncementError>>,
}

impl Asked {
    /// Confirms the announcement.
    pub(super) fn confirm(self) {
        drop(self.reply.send(Ok(())));
    }

    /// Refuses the announcement.
    pub(super) fn refuse(self) {
        let error = AnnouncementError::new("the address answered 500");
        drop(self.reply.send(Err(error)));
    }

    /// Waits until the server does not wait any more.
    pub(super) async fn left(mut self) {
        self.reply.closed().await;
    }
}

/// An announcer that passes each announcement to the test.
#[derive(Debug)]
struct Passing(mpsc::Sender<Asked>);

impl Announcer for Passing {
    fn host(&self) -> &str {
        HOST
    }

    fn announce(&self, announcement: Announcement) -> Announcing<'_> {
        Box::pin(async move {
            let (reply, answer) = oneshot::channel();
            let asked = Asked {
                announcement,
                reply,
            };
            self.0.try_send(asked).expect("room in the queue");
            let closed = || AnnouncementError::new("no reply: connection closed");
            answer.await.unwrap_or_else(|_| Err(closed()))
        })
    }
}

/// Returns announcements that take this long at most, and what the test receives of them.
pub(super) fn announcements(wait_max: Duration) -> (Announcements, mpsc::Receiver<Asked>) {
    let (sender, receiver) = mpsc::channel(QUEUE_MAX);
    let announcements = Announcements::new(Arc::new(Passing(sender)), may_configure);
    (announcements.with_wait_max(wait_max), receiver)
}
