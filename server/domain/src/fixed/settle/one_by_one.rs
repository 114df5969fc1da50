//! Wagers that are settled each by itself: on dice and on the wheel.

use crate::fixed::settle::check::{off_step, seat_wrong, terms_wrong};
use crate::fixed::settle::finding::{Finding, Mistake};
use crate::fixed::settle::rolled::{ChosenWager, RolledRound};
use crate::fixed::settle::round::TableTerms;
use crate::fixed::settle::settled::{SettledRound, SettledSeat, SettledWager};

/// The rules of a game without hands, with what was rolled.
pub(super) trait RolledRules {
    /// Returns the mistake in what was rolled.
    fn rolled_wrong(&self) -> Option<Finding>;

    /// Returns the mistake in what the player chose with a wager, with its field.
    fn chosen_wrong(&self, placed: &ChosenWager) -> Option<(&'static str, Mistake)>;

    /// Settles a wager.
    fn settle(&self, placed: &ChosenWager) -> Result<SettledWager, Mistake>;
}

/// Settles each wager of a round, in their order.
///
/// # Errors
/// All mistakes in the round. One that follows from another is no mistake of its own.
pub(super) fn one_by_one(
    rules: &impl RolledRules,
    round: &RolledRound,
) -> Result<SettledRound, Vec<Finding>> {
    let mut findings: Vec<Finding> = terms_wrong(&round.terms).collect();
    if round.terms.limit.is_some() {
        findings.push(Finding::new("terms.limit", Mistake::LimitUnknown));
    }
    findings.extend(rules.rolled_wrong());
    if round.seats.is_empty() {
        findings.push(Finding::new("seats", Mistake::NoSeats));
    }
    let mut seats = Vec::with_capacity(round.seats.len());
    for (index, seat) in round.seats.iter().enumerate() {
        let earlier = round.seats.iter().take(index).map(|other| other.seat);
        let wrong = seat_wrong(seat.seat, u8::MAX, earlier);
        findings.extend(wrong.map(|mistake| Finding::new(format!("seats[{index}].seat"), mistake)));
        let mut wagers = Vec::with_capacity(seat.wagers.len());
        for (place, placed) in seat.wagers.iter().enumerate() {
            let path = format!("seats[{index}].wagers[{place}]");
            let earlier = seat.wagers.iter().take(place);
            findings.extend(wager_wrong(rules, &round.terms, placed, earlier, &path));
            match rules.settle(placed) {
                Ok(settled) => wagers.push(settled),
                // What was rolled, the choice or the amount is found above.
                Err(
                    Mistake::NoDice
                    | Mistake::NoSpins
                    | Mistake::GoalMissing
                    | Mistake::TeamMissing
                    | Mistake::Unpayable,
                ) if !findings.is_empty() => {}
                Err(mistake) => findings.push(Finding::new(path, mistake)),
            }
        }
        let seat = seat.seat;
        seats.push(SettledSeat { seat, wagers });
    }
    if findings.is_empty() {
        Ok(SettledRound { seats, limit: None })
    } else {
        Err(findings)
    }
}

/// Returns the mistakes in the amount and the choice of a wager, of which `path` is the place.
fn wager_wrong<'a>(
    rules: &impl RolledRules,
    terms: &TableTerms,
    placed: &ChosenWager,
    mut earlier: impl Iterator<Item = &'a ChosenWager>,
    path: &str,
) -> impl Iterator<Item = Finding> {
    let (amount, minimum, wager) = (placed.amount, terms.minimum, placed.wager);
    let is_below = amount < minimum;
    let below = is_below.then_some(Mistake::BelowMinimum { amount, minimum });
    let amount = off_step(amount, terms.step).or(below);
    let amount = amount.map(|mistake| Finding::new(format!("{path}.amount"), mistake));
    let chosen = rules.chosen_wrong(placed);
    let chosen = chosen.map(|(field, mistake)| Finding::new(format!("{path}.{field}"), mistake));
    let is_twice = earlier.any(|other| other.is_on_same(placed));
    let twice = is_twice.then(|| Finding::new(path, Mistake::WagerTwice { wager }));
    [amount, chosen, twice].into_iter().flatten()
}
