//! Fixed pays that would have to come off a level for a paytable to return no more than the wager.
//!
//! Caribbean Stud A, B and E pay out more than they take while the house pays all fixed odds; with the upper ones off
//! the meter, which takes 53% or 65% of each wager for it, they don't, on the average: a meter that can't bear a pay pays
//! what it displays, and the house the rest (RULES §2.4).

use crate::hand::Hand;
use crate::paytable::{Content, Pays};
use crate::returns::exceeds_wager;

/// A paytable of which some fixed pays come off a level.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Charged {
    /// The place of the level.
    pub level: usize,
    /// Whose pays come off it, highest first.
    pub hands: Vec<Hand>,
    /// The content with these pays off the level.
    pub content: Content,
}

/// The fewest upper fixed pays, highest first, that have to come off one level for the long run to return no more than
/// the wager: off the first level of which that is true. Nothing where the paytable doesn't return more, and where no
/// level can bear enough.
pub fn charge_upper_pays(content: &Content) -> Option<Charged> {
    if !exceeds_wager(content) {
        return None;
    }
    (0..content.levels.len()).find_map(|level| charge(content, level))
}

fn charge(content: &Content, level: usize) -> Option<Charged> {
    let mut charged = Charged {
        level,
        hands: Vec::new(),
        content: content.clone(),
    };
    for line in 0..content.lines.len() {
        let line = charged.content.lines.get_mut(line)?;
        if let Pays::ForOne(odds) = line.pays {
            line.pays = Pays::ForOneOf { odds, level };
            charged.hands.push(line.hand);
            if !exceeds_wager(&charged.content) {
                return Some(charged);
            }
        }
    }
    None
}
