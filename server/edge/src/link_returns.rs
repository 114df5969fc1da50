//! The long-run return of a wager on a link, part by part, as the opening of a link computes it.

use meterhouse_domain::link::LinkTerms;
use meterhouse_domain::paytable::Paytable;
use meterhouse_domain::returns::{Fraction, LinkReturns, needs_two_people};
use serde::Serialize;
use utoipa::ToSchema;

use crate::share::Share;

/// What all wagers on a link get back in the end, each part at the layout where it is the most.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct LinkReturnsView {
    /// All of it. A link on which it is more than the wager waits until two people have acknowledged that.
    pub total: Share,
    /// The long run of the paytable: meters and fixed pays.
    pub long_run: Share,
    /// Magic Cards, as often as the link draws them.
    pub magic_card: Share,
    /// Lucky Bonuses, as often as the link draws them, on a layout of one position.
    pub lucky_bonus: Share,
    /// Envy at a full table.
    pub envy_at_full_table: Share,
    /// Players of that table: the seats of the largest layout that a game of the paytable has.
    #[schema(examples(6))]
    pub full_table: u8,
    /// Whether two people have to acknowledge it before a table plays. A link that was opened before draws and envy
    /// counted goes by the long run alone.
    pub two_people: bool,
}

/// Returns a sentence on how often a link may draw each bonus before two people have to acknowledge
/// its return; `None` if no draw matters.
pub(crate) fn draws_too_often(paytable: &Paytable) -> Option<String> {
    let every_round = LinkReturns::new(paytable, Some(1), Some(1));
    let LinkReturns { long_run, envy, .. } = every_round;
    let left = Fraction::from_integer(1) - long_run - envy;
    if left <= Fraction::from_integer(0) {
        return None;
    }
    // The largest number of rounds for which one draw adds more than the remainder.
    let rounds = |adds: Fraction| (adds / left).ceil().to_integer() - 1;
    let draws = [
        ("a Magic Card", rounds(every_round.magic_card)),
        ("a lucky position", rounds(every_round.lucky_bonus)),
    ];
    let often = draws.into_iter().filter(|(_, rounds)| *rounds >= 1);
    let often: Vec<String> = often
        .map(|(draw, rounds)| format!("{draw} in one of {rounds} rounds"))
        .collect();
    (!often.is_empty()).then(|| {
        format!(
            "two people have to acknowledge a link that draws {} or more often",
            often.join(" or ")
        )
    })
}

impl From<&LinkReturns> for LinkReturnsView {
    fn from(parts: &LinkReturns) -> Self {
        Self {
            total: parts.total().into(),
            long_run: parts.long_run.into(),
            magic_card: parts.magic_card.into(),
            lucky_bonus: parts.lucky_bonus.into(),
            envy_at_full_table: parts.envy.into(),
            full_table: parts.full_table,
            two_people: parts.exceeds_wager(),
        }
    }
}

impl From<&LinkTerms> for LinkReturnsView {
    fn from(terms: &LinkTerms) -> Self {
        Self {
            two_people: needs_two_people(terms),
            ..Self::from(&LinkReturns::of(terms))
        }
    }
}
