//! Fixed pays that would have to come off a level for a paytable to return no more than the wager.
//!
//! Caribbean Stud A, B and E pay out more than they take while the house pays all fixed odds; with the upper ones off
//! the meter, which takes 53% or 65% of each wager for it, they don't.

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

/// The fewest upper fixed pays, highest first, that have to come off the level of the highest percentage for the long
/// run to return no more than the wager. Nothing where it doesn't return more, and where all of them are not enough.
pub fn charge_upper_pays(content: &Content) -> Option<Charged> {
    let level = content.lines.iter().find_map(|it| match it.pays {
        Pays::Percent { level, .. } => Some(level),
        Pays::ForOne(_) | Pays::ForOneOf { .. } => None,
    })?;
    let mut charged = Charged {
        level,
        hands: Vec::new(),
        content: content.clone(),
    };
    for line in 0..content.lines.len() {
        if !exceeds_wager(&charged.content) {
            break;
        }
        let line = charged.content.lines.get_mut(line)?;
        if let Pays::ForOne(odds) = line.pays {
            line.pays = Pays::ForOneOf { odds, level };
            charged.hands.push(line.hand);
        }
    }
    let helps = !charged.hands.is_empty() && !exceeds_wager(&charged.content);
    helps.then_some(charged)
}
