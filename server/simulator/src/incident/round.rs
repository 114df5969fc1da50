//! The round of an incident.

use crate::script::{Holder, KeyedHand, RoundScript, TableScript};

/// The round of an incident at one table.
pub(crate) struct IncidentRound<'a> {
    /// The round number, counted over all physical tables.
    pub(crate) number: u64,
    pub(crate) round: &'a RoundScript,
    /// The table's part of the round.
    pub(crate) script: &'a TableScript,
}

impl IncidentRound<'_> {
    /// Returns the seat of the staged hand and the name of its hit. `hits` are in the script's order.
    pub(super) fn staged_hit<'a>(&self, hits: &'a [String]) -> Option<(u8, &'a str)> {
        let staged = self.round.staged.as_ref()?;
        let index = staged_index(self.script.winning_hands.iter(), self.round)?;
        Some((staged.seat, hits.get(index)?))
    }
}

/// Returns the index of the staged hand among the winning hands.
pub(super) fn staged_index<'a>(
    mut winning_hands: impl Iterator<Item = &'a KeyedHand>,
    round: &RoundScript,
) -> Option<usize> {
    let staged = round.staged.as_ref()?;
    winning_hands.position(|keyed| keyed.holder == Holder::Seat(staged.seat))
}
