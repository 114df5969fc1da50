//! The subscription of one display to a link.

use std::collections::VecDeque;
use std::sync::Arc;

use meterhouse_domain::link::LinkTerms;
use tokio::sync::{broadcast, watch};

use crate::feed::channel::Confirmed;
use crate::feed::item::FeedItem;
use crate::view::Place;

/// What one display listens to.
pub struct Subscription {
    /// What its link opened with.
    pub terms: Arc<LinkTerms>,
    /// A snapshot, which is everything it needs to begin, and what happened after the place it had come to. Each is
    /// given away once: thousands of displays don't each keep theirs.
    pub beginning: VecDeque<Arc<FeedItem>>,
    /// Up to where the snapshot contains what happened.
    pub contained: Place,
    /// The batch that the snapshot's amounts are as of.
    pub batch: u64,
    /// The newest amounts.
    pub meters: watch::Receiver<Arc<FeedItem>>,
    /// What happens from now on; one that lags behind has to subscribe again.
    pub happenings: broadcast::Receiver<Arc<FeedItem>>,
    /// When somebody last saw that all this stands.
    pub confirmed: Arc<Confirmed>,
}

impl Subscription {
    /// The next of what it begins with.
    pub(crate) fn begins_with(&mut self) -> Option<Arc<FeedItem>> {
        let item = self.beginning.pop_front();
        if self.beginning.is_empty() {
            self.beginning = VecDeque::new();
        }
        item
    }
}
