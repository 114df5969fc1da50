//! Fixed pays that would have to come off a level for a paytable to return no more than the wager.
//!
//! Caribbean Stud A, B and E pay out more than they take while the house pays all fixed odds. The meter takes 53% or
//! 65% of each wager. With the upper fixed pays off the meter, the paytables return less than the wager on average. A
//! meter that can't bear a pay pays its displayed amount, and the house the rest (RULES §2.4).

use crate::hand::Hand;
use crate::paytable::{Content, Pays};
use crate::returns::exceeds_wager;

/// A paytable with some fixed pays charged to a level.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Charged {
    /// Index of the level.
    pub level: usize,
    /// Hands whose pays come off the level, highest first.
    pub hands: Vec<Hand>,
    /// Content with these pays charged to the level.
    pub content: Content,
}

/// Charges the fewest upper fixed pays, highest first, to one level, so that the long run returns no more than the
/// wager. The first level that can bear them is used. Returns nothing if the paytable doesn't return more, or if no
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
