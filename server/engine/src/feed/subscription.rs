//! The subscription of one display to a link.

use meterhouse_journal::position::Position;
use std::collections::VecDeque;
use std::sync::Arc;

use meterhouse_domain::link::LinkTerms;
use tokio::sync::{broadcast, watch};

use crate::feed::channel::Confirmed;
use crate::feed::item::FeedItem;

/// A display's subscription to a link.
pub struct Subscription {
    /// The terms with which the link was opened.
    pub terms: Arc<LinkTerms>,
    /// The snapshot, and the events after the position that the display had reached. Each is moved out once, so that
    /// thousands of displays don't keep them.
    pub beginning: VecDeque<Arc<FeedItem>>,
    /// The position up to which the snapshot contains the events.
    pub contained: Position,
    /// The batch of the snapshot's amounts.
    pub batch: u64,
    /// The newest amounts.
    pub meters: watch::Receiver<Arc<FeedItem>>,
    /// The events from now on. A display that lags behind has to subscribe again.
    pub happenings: broadcast::Receiver<Arc<FeedItem>>,
    /// The last confirmation of the amounts.
    pub confirmed: Arc<Confirmed>,
}

impl Subscription {
    /// Returns the next message to begin with.
    pub(crate) fn next_beginning(&mut self) -> Option<Arc<FeedItem>> {
        let item = self.beginning.pop_front();
        if self.beginning.is_empty() {
            self.beginning = VecDeque::new();
        }
        item
    }
}
