//! What displays of a link were told of its state and its tables', and what they have to be told now.
//!
//! # Shape
//! Most of it is told as the journal says it. The rest follows from several events (a suspended link is closed once
//! nothing of it is open) or from no event at all (a journal that can't be written): then what was told is compared with
//! what is.

use meterhouse_domain::ids::{LevelName, TableName, Timestamp};
use meterhouse_journal::kind;

use crate::committer::published_state::StateAt;
use crate::feed::item::FeedEvent;
use crate::view::{LinkView, LinkWord, Place, TableStatus, disabled_of, reason_of};

/// What was told of a link.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct DisplayedStatus {
    /// The batch that it is as of: what the journal says up to there is in it.
    batch: u64,
    word: LinkWord,
    reason: Option<String>,
    disabled: Vec<LevelName>,
    /// The tables that are not in service.
    off: Vec<(TableName, TableStatus)>,
}

impl DisplayedStatus {
    /// What a snapshot says.
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

    /// What is.
    pub(crate) fn of_known(known: &StateAt) -> Self {
        let state = &known.state;
        let tables = state.tables.iter();
        let tables = tables.map(|table| (table.name.clone(), TableStatus::of(table)));
        Self {
            batch: known.batch,
            word: LinkWord::of(state),
            reason: reason_of(state),
            disabled: disabled_of(state),
            off: off(tables),
        }
    }

    /// A link in play with all its levels: only an event of the journal changes that.
    pub(crate) const fn is_default(&self) -> bool {
        matches!(self.word, LinkWord::Open) && self.disabled.is_empty()
    }

    /// Whether displays know that the link is faulted.
    pub(crate) const fn is_faulted(&self) -> bool {
        matches!(self.word, LinkWord::Faulted)
    }

    /// Whether an event says nothing that displays don't know: it may have been told ahead of the journal.
    pub(crate) const fn knows(&self, event: &FeedEvent) -> bool {
        match event {
            FeedEvent::LinkState { place, .. } | FeedEvent::TableState { place, .. } => {
                place.batch <= self.batch
            }
            FeedEvent::Snapshot { .. }
            | FeedEvent::Meters { .. }
            | FeedEvent::Hit { .. }
            | FeedEvent::HitChanged { .. }
            | FeedEvent::Paid { .. } => false,
        }
    }

    /// Everything up to a batch is in it.
    pub(crate) const fn is_as_of(&mut self, batch: u64) {
        if self.batch < batch {
            self.batch = batch;
        }
    }

    /// Remembers what is told.
    pub(crate) fn tell(&mut self, event: &FeedEvent) {
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
            | FeedEvent::Paid { .. } => {}
        }
    }

    /// What has to be told so that displays know this.
    pub(crate) fn differences(&self, now: &Self, place: Place, at: Timestamp) -> Vec<FeedEvent> {
        let mut events = Vec::new();
        if (self.word, &self.reason, &self.disabled) != (now.word, &now.reason, &now.disabled) {
            events.push(FeedEvent::LinkState {
                place,
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
                    place,
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

/// Whether an event of this kind may change what stands of a link in a way that it doesn't say by itself.
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
    use crate::view::{LinkWord, Place, TableStatus};

    fn standing(word: LinkWord, disabled: &[&str], off: &[(&str, TableStatus)]) -> DisplayedStatus {
        DisplayedStatus {
            batch: 7,
            word,
            reason: (word != LinkWord::Open).then(|| "shift ends".to_owned()),
            disabled: disabled
                .iter()
                .map(|it| it.parse().expect("a name"))
                .collect(),
            off: off
                .iter()
                .map(|(table, status)| (table.parse().expect("a name"), *status))
                .collect(),
        }
    }

    /// Whatever is told, displays know afterwards what is.
    #[test]
    fn what_differs_is_told_once() {
        let place = Place {
            batch: 7,
            position: 0,
        };
        let all = [
            standing(LinkWord::Open, &[], &[]),
            standing(LinkWord::Suspended, &[], &[("T1", Lost)]),
            standing(
                LinkWord::Closed,
                &["mega"],
                &[("T1", Disabled), ("T2", Lost)],
            ),
            standing(
                LinkWord::Faulted,
                &["mega", "minor"],
                &[("T1", Left), ("T2", Lost)],
            ),
        ];
        for before in &all {
            for now in &all {
                let mut told = before.clone();
                let events = told.differences(now, place, Timestamp(1));
                assert_eq!(events.is_empty(), before == now);
                for event in &events {
                    told.tell(event);
                }
                told.off.sort_by(|one, other| one.0.cmp(&other.0));
                assert_eq!(&told, now);
            }
        }
        let link_states = |events: Vec<FeedEvent>| {
            let is_state = |it: &&FeedEvent| matches!(it, FeedEvent::LinkState { .. });
            events.iter().filter(is_state).count()
        };
        let [open, suspended, ..] = &all;
        assert!(open.is_default() && !suspended.is_default());
        let events = open.differences(suspended, place, Timestamp(1));
        assert_eq!(link_states(events), 1);
    }
}
