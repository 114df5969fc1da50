//! The presentations of watched links, followed and sent to displays.
//!
//! # Shape
//! One task reads the presentations of all watched links every [`PRESENTATIONS_EVERY`]. A presentation is no event of the
//! journal, so that only the newest one is sent. A snapshot contains the one of its moment.
//!
//! # Limits
//! One statement for all watched links. Links without watchers are not queried.

use std::collections::HashMap;
use std::time::Duration;

use meterhouse_domain::ids::LinkId;
use meterhouse_domain::presentation::LinkPresentation;
use tokio::time::{MissedTickBehavior, interval};

use crate::clock::now;
use crate::feed::channel::{Channel, Channels};
use crate::feed::feeds::Feeds;
use crate::feed::item::FeedEvent;
use crate::view::LinkView;

/// Interval at which presentations are read, so that signs follow within a second.
const PRESENTATIONS_EVERY: Duration = Duration::from_millis(500);

impl Feeds {
    /// Sends changed presentations to the displays of watched links. Never returns.
    pub(crate) async fn follow_presentations(self) {
        let mut ticks = interval(PRESENTATIONS_EVERY);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            ticks.tick().await;
            let watched = self.inner.channels.watched();
            if watched.is_empty() {
                continue;
            }
            // During an outage of the database displays keep what they have.
            let Ok(presented) = self.inner.store.link_presentations(&watched).await else {
                continue;
            };
            self.inner.channels.present(&watched, presented);
        }
    }
}

impl Channels {
    /// Sends the presentations that differ from those sent last.
    fn present(&self, watched: &[LinkId], mut presented: HashMap<LinkId, LinkPresentation>) {
        let mut channels = self.lock();
        for link in watched {
            if let Some(channel) = channels.get_mut(link) {
                channel.present(presented.remove(link).unwrap_or_default());
            }
        }
    }
}

impl Channel {
    /// Records the presentation of the channel's first snapshot.
    pub(crate) fn begin_presentation(&mut self, view: &LinkView) {
        self.presentation
            .get_or_insert_with(|| view.presentation.clone());
    }

    /// Sends a presentation, if it differs from the one sent last. Nothing was sent before the first snapshot.
    fn present(&mut self, presentation: LinkPresentation) {
        if self
            .presentation
            .as_ref()
            .is_none_or(|sent| *sent == presentation)
        {
            return;
        }
        self.presentation = Some(presentation.clone());
        let at = now();
        self.send(vec![FeedEvent::Presentation { at, presentation }]);
    }
}
