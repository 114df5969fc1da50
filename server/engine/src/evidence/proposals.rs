//! The proposals behind a hit: a late hit and a correction are made by two people, and the first one proposed it.
//!
//! # Shape
//! The event of the approval has the proposal's id. The event of the proposal has the first person.

use std::collections::BTreeSet;

use meterhouse_domain::event::Event;
use meterhouse_domain::ids::{ActorId, HitId, LinkId, LinkName, ProposalId};
use meterhouse_journal::position::Position;

use super::round::Placed;
use crate::answer::{NotExecuted, unavailable};
use crate::context::Engine;
use crate::operations::proposals::text;
use crate::reports::hit_entries::{EventsByPosition, concerns};
use crate::reports::payoff::{approved, recorded_by};
use crate::stored_rows::event_of;

/// The proposals of a hit among the events of a bundle.
#[derive(Debug, Default)]
pub(super) struct Proposals {
    /// Places of their events.
    pub(super) places: BTreeSet<Position>,
    /// Person who proposed the hit itself, if it is a late one.
    pub(super) proposer: Option<ActorId>,
}

/// Returns the proposals whose approval recorded or changed a hit.
pub(super) fn proposals(events: &[Placed], hit: HitId, gaps: &mut Vec<String>) -> Proposals {
    let mut found = Proposals::default();
    for (_, _, approval) in events {
        let records = recorded_by(approval, hit);
        let Some(asked) =
            approved(&approval.event).filter(|_| records || concerns(&approval.event, hit))
        else {
            continue;
        };
        let made = events
            .iter()
            .find(|placed| proposes(&placed.2.event, asked));
        let Some((place, _, made)) = made else {
            gaps.push(format!("proposal {} is missing", text(asked)));
            continue;
        };
        found.places.insert(*place);
        if records {
            found.proposer = Some(made.actor);
        }
    }
    found
}

fn proposes(event: &Event, asked: ProposalId) -> bool {
    matches!(event, Event::ChangeProposed { propose, .. } if propose.proposal == asked)
}

impl Engine {
    /// Returns the batches of the proposals that these events approved.
    pub(super) async fn proposal_batches(
        &self,
        (link, name): (LinkId, &LinkName),
        events: &EventsByPosition,
    ) -> Result<BTreeSet<u64>, NotExecuted> {
        let mut batches = BTreeSet::new();
        for (_, recorded) in events.values() {
            let Some(asked) = approved(&recorded.event) else {
                continue;
            };
            let proposed = self.proposal(name, asked).await?.proposed.at;
            let there = self.context.store.notable_at(link, proposed).await;
            for happening in &there.map_err(unavailable)? {
                if proposes(&event_of(happening)?, asked) {
                    batches.insert(happening.position.batch);
                }
            }
        }
        Ok(batches)
    }
}
