//! Wagers that are settled each by itself: on dice and on the wheel.

use crate::fixed::settle::check::off_step;
use crate::fixed::settle::finding::{Finding, Mistake};
use crate::fixed::settle::settled::SettledWager;
use crate::money::Money;

/// A wager as it was placed.
pub(super) trait Placed {
    /// Returns the amount.
    fn amount(&self) -> Money;

    /// Returns the mistake in what the player chose, with its field.
    fn chosen_wrong(&self) -> Option<(&'static str, Mistake)>;
}

/// Settles each wager by `decide`, in their order.
///
/// # Errors
/// `findings`, and all mistakes in the wagers. One that follows from another is no mistake of its own.
pub(super) fn one_by_one<P: Placed>(
    wagers: &[P],
    step: Money,
    mut findings: Vec<Finding>,
    decide: impl Fn(&P) -> Result<SettledWager, Mistake>,
) -> Result<Vec<SettledWager>, Vec<Finding>> {
    if step <= Money::ZERO {
        findings.push(Finding::new("step", Mistake::NoAmount));
    }
    let mut settled = Vec::with_capacity(wagers.len());
    for (index, placed) in wagers.iter().enumerate() {
        let path = format!("wagers[{index}]");
        if let Some(mistake) = off_step(placed.amount(), step) {
            findings.push(Finding::new(format!("{path}.amount"), mistake));
        }
        if let Some((field, mistake)) = placed.chosen_wrong() {
            findings.push(Finding::new(format!("{path}.{field}"), mistake));
        }
        match decide(placed) {
            Ok(wager) => settled.push(wager),
            // The spins, the reading or the amount are found above.
            Err(Mistake::NoSpins | Mistake::GoalMissing | Mistake::Unpayable)
                if !findings.is_empty() => {}
            Err(mistake) => findings.push(Finding::new(path, mistake)),
        }
    }
    if findings.is_empty() {
        Ok(settled)
    } else {
        Err(findings)
    }
}
