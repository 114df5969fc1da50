//! The person who entered a late hit: the one who proposed it.
//!
//! # Shape
//! One event records a late hit: the approval by the second person, who is in the row. The first person is in the
//! proposal, whose id the event has.

use meterhouse_domain::ids::{HitId, LinkId, Timestamp};
use meterhouse_journal::hit::HitRow;

use crate::answer::{NotExecuted, unavailable};
use crate::context::Engine;
use crate::reports::payoff::{approved, records};
use crate::stored_rows::event_of;
use crate::view::HitView;

impl Engine {
    /// Returns the person who proposed a late hit, unless the proposal is archived or its link can't be read.
    pub(super) async fn proposer_of(
        &self,
        link: LinkId,
        hit: HitId,
        view: &HitView,
    ) -> Result<Option<String>, NotExecuted> {
        let at = Timestamp(view.row.keyed_at);
        let events = self.context.store.notable_at(link, at).await;
        for happening in &events.map_err(unavailable)? {
            if !records(happening, hit)? {
                continue;
            }
            let Some(proposal) = approved(&event_of(happening)?) else {
                continue;
            };
            return match self.proposal(&view.link, proposal).await {
                Ok(proposal) => Ok(Some(proposal.proposed.by)),
                Err(
                    NotExecuted::PositionArchived { .. }
                    | NotExecuted::UnknownProposal(_)
                    | NotExecuted::LinkFaulted { .. },
                ) => Ok(None),
                Err(error) => Err(error),
            };
        }
        Ok(None)
    }
}

/// Returns `true` for a late hit: its number is its round's, whose own command was the coin-in.
pub(super) const fn is_late(row: &HitRow) -> bool {
    row.sequence == row.round
}
