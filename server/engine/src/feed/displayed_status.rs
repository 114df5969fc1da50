//! The status of a link and its tables that displays were last sent, and the differences from the present one.
//!
//! # Shape
//! Most changes of the status are events of the journal. Some follow from several events: a suspended link is closed
//! once it has no open round and no unpaid hit. Others have no event at all: a journal that can't be written. Comparing
//! the status sent with the present one finds both kinds.

use meterhouse_domain::ids::{LevelName, TableName, Timestamp};
use meterhouse_journal::kind;
use meterhouse_journal::position::Position;

use crate::committer::published_state::StateAt;
use crate::feed::item::FeedEvent;
use crate::view::{LinkStatus, LinkView, TableStatus, disabled_of, reason_of};

/// The status that displays were last sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct DisplayedStatus {
    /// The batch of the status. Events up to this batch are contained in it.
    batch: u64,
    word: LinkStatus,
    reason: Option<String>,
    disabled: Vec<LevelName>,
    /// The tables that are not in service.
    off: Vec<(TableName, TableStatus)>,
}

impl DisplayedStatus {
    /// Returns the status in a snapshot.
    pub(crate) fn of(view: &LinkView) -> Self {
        let tables = view.tables.iter();
        let tables = tables.map(|table| (table.name.clone(), table.status));
        Self {
            batch: view.batch,
            word: view.state,
            reason: view.reason.clone(),
            disabled: view.disabled.clone(),
            off: off(tables),
        }
    }

    /// Returns the present status.
    pub(crate) fn of_known(known: &StateAt) -> Self {
        let state = &known.state;
        let tables = state.tables.iter();
        let tables = tables.map(|table| (table.name.clone(), TableStatus::of(table)));
        Self {
            batch: known.batch,
            word: LinkStatus::of(state),
            reason: reason_of(state),
            disabled: disabled_of(state),
            off: off(tables),
        }
    }

    /// Returns `true` for a link in play with all its levels. Only an event of the journal changes such a status.
    pub(crate) const fn is_default(&self) -> bool {
        matches!(self.word, LinkStatus::Open) && self.disabled.is_empty()
    }

    /// Returns `true` if displays were sent that the link is faulted.
    pub(crate) const fn is_faulted(&self) -> bool {
        matches!(self.word, LinkStatus::Faulted)
    }

    /// Returns `true` if the status contains the event already, because a comparison was ahead of the journal.
    pub(crate) const fn contains(&self, event: &FeedEvent) -> bool {
        match event {
            FeedEvent::LinkState { position, .. } | FeedEvent::TableState { position, .. } => {
                position.batch <= self.batch
            }
            FeedEvent::Snapshot { .. }
            | FeedEvent::Meters { .. }
            | FeedEvent::Hit { .. }
            | FeedEvent::HitChanged { .. }
            | FeedEvent::Paid { .. }
            | FeedEvent::Presentation { .. } => false,
        }
    }

    /// Marks events up to this batch as contained.
    pub(crate) const fn advance_to(&mut self, batch: u64) {
        if self.batch < batch {
            self.batch = batch;
        }
    }

    /// Records a sent event.
    pub(crate) fn record(&mut self, event: &FeedEvent) {
        match event {
            FeedEvent::LinkState {
                state,
                reason,
                disabled,
                ..
            } => {
                self.word = *state;
                self.reason.clone_from(reason);
                if let Some(disabled) = disabled {
                    self.disabled.clone_from(disabled);
                }
            }
            FeedEvent::TableState { table, status, .. } => {
                self.off.retain(|(name, _)| name != table);
                if *status != TableStatus::InService {
                    self.off.push((table.clone(), *status));
                }
            }
            FeedEvent::Snapshot { .. }
            | FeedEvent::Meters { .. }
            | FeedEvent::Hit { .. }
            | FeedEvent::HitChanged { .. }
            | FeedEvent::Paid { .. }
            | FeedEvent::Presentation { .. } => {}
        }
    }

    /// Returns the events by which displays get from this status to the present one.
    pub(crate) fn differences(
        &self,
        now: &Self,
        position: Position,
        at: Timestamp,
    ) -> Vec<FeedEvent> {
        let mut events = Vec::new();
        if (self.word, &self.reason, &self.disabled) != (now.word, &now.reason, &now.disabled) {
            events.push(FeedEvent::LinkState {
                position,
                at,
                state: now.word,
                reason: now.reason.clone(),
                disabled: Some(now.disabled.clone()),
            });
        }
        let is_off = |name: &TableName| now.off.iter().any(|(table, _)| table == name);
        let back = self.off.iter().filter(|(table, _)| !is_off(table));
        let back = back.map(|(table, _)| (table, TableStatus::InService));
        let gone = now.off.iter().filter(|table| !self.off.contains(table));
        let gone = gone.map(|(table, status)| (table, *status));
        events.extend(
            back.chain(gone)
                .map(|(table, status)| FeedEvent::TableState {
                    position,
                    at,
                    table: table.clone(),
                    status,
                }),
        );
        events
    }
}

/// Returns the tables that are not in service.
fn off(tables: impl Iterator<Item = (TableName, TableStatus)>) -> Vec<(TableName, TableStatus)> {
    let off = tables.filter(|(_, status)| *status != TableStatus::InService);
    off.collect()
}

/// Returns `true` if an event of this kind may change the status in a way that the event does not contain.
pub(crate) const fn may_change_status(kind: u8) -> bool {
    matches!(
        kind,
        kind::LINK_OPENED
            | kind::VALUES_ACCEPTED
            | kind::LINK_FAULTED
            | kind::LINK_SUSPENDED
            | kind::LINK_RESUMED
            | kind::LEVEL_DISABLED
            | kind::LEVEL_ENABLED
            | kind::CHANGE_APPROVED
    )
}

#[cfg(test)]
mod tests {
    use meterhouse_domain::ids::Timestamp;

    use super::DisplayedStatus;
    use crate::feed::item::FeedEvent;
    use crate::view::TableStatus::{Disabled, Left, Lost};
    use crate::view::{LinkStatus, TableStatus};
    use meterhouse_journal::position::Position;

    fn status(word: LinkStatus, disabled: &[&str], off: &[(&str, TableStatus)]) -> DisplayedStatus {
        DisplayedStatus {
            batch: 7,
            word,
            reason: (word != LinkStatus::Open).then(|| "shift ends".to_owned()),
            disabled: disabled
                .iter()
                .map(|level| level.parse().expect("a name"))
                .collect(),
            off: off
                .iter()
                .map(|(table, status)| (table.parse().expect("a name"), *status))
                .collect(),
        }
    }

    /// After the differences were sent, the status is the present one.
    #[test]
    fn differences_bring_displays_to_the_present_status() {
        let position = Position { batch: 7, index: 0 };
        let all = [
            status(LinkStatus::Open, &[], &[]),
            status(LinkStatus::Suspended, &[], &[("T1", Lost)]),
            status(
                LinkStatus::Closed,
                &["mega"],
                &[("T1", Disabled), ("T2", Lost)],
            ),
            status(
                LinkStatus::Faulted,
                &["mega", "minor"],
                &[("T1", Left), ("T2", Lost)],
            ),
        ];
        for before in &all {
            for now in &all {
                let mut sent = before.clone();
                let events = sent.differences(now, position, Timestamp(1));
                assert_eq!(events.is_empty(), before == now);
                for event in &events {
                    sent.record(event);
                }
                sent.off.sort_by(|one, other| one.0.cmp(&other.0));
                assert_eq!(&sent, now);
            }
        }
        let link_states = |events: Vec<FeedEvent>| {
            let is_state = |event: &&FeedEvent| matches!(event, FeedEvent::LinkState { .. });
            events.iter().filter(is_state).count()
        };
        let [open, suspended, ..] = &all;
        assert!(open.is_default() && !suspended.is_default());
        let events = open.differences(suspended, position, Timestamp(1));
        assert_eq!(link_states(events), 1);
    }
}
