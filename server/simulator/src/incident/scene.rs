//! The round of an incident.

use crate::script::{Holder, Keyed, RoundScript, TableScript};

/// What an incident needs to know of its round.
pub(crate) struct Scene<'a> {
    /// The round's number, counted over all felts.
    pub(crate) number: u64,
    /// The round.
    pub(crate) round: &'a RoundScript,
    /// The table's part of it.
    pub(crate) script: &'a TableScript,
}

impl Scene<'_> {
    /// The seat with the staged hand, and the name that its hit got: hits are named in the script's order.
    pub(super) fn staged_of<'a>(&self, hits: &'a [String]) -> Option<(u8, &'a str)> {
        let staged = self.round.staged.as_ref()?;
        let place = place_of(self.script.keyed.iter(), self.round)?;
        Some((staged.seat, hits.get(place)?))
    }
}

/// Where among the keyed hands the staged one is.
pub(super) fn place_of<'a>(
    mut keyed: impl Iterator<Item = &'a Keyed>,
    round: &RoundScript,
) -> Option<usize> {
    let staged = round.staged.as_ref()?;
    keyed.position(|it| it.holder == Holder::Seat(staged.seat))
}
