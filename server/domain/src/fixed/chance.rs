//! The value of a wager that printed odds pay: exact fractions of the wager, from the frequency of each result.

use crate::fixed::frequencies::Histogram;
use crate::fixed::seen::Seen;
use crate::returns::Fraction;

/// The value of a wager, in parts of it.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Chance {
    /// The house's part of all wagers: negative if the players win more than they lose.
    pub hold: Fraction,
    /// Share of the wagers that win something.
    pub hit: Fraction,
    /// Share of the wagers that are returned without a win.
    pub push: Fraction,
    /// Mean square of the distance between a player's result and the mean result.
    pub variance: Fraction,
}

/// Returns the value of a wager with these results. `gain` returns the player's result per unit wagered: 2 if 2 to 1 is
/// paid, 0 for a wager that is returned, -1 for one that loses. Returns `None` for an empty histogram.
pub fn chance(histogram: &Histogram, gain: impl Fn(Seen) -> Fraction) -> Option<Chance> {
    let results = histogram.iter();
    value(results.map(|(seen, cases)| (cases, gain(seen))))
}

/// Returns the value of a wager from its results, each with the number of its cases. Returns `None` without a case.
pub(super) fn value(results: impl Iterator<Item = (u64, Fraction)>) -> Option<Chance> {
    let zero = Fraction::from_integer(0);
    let (mut all, mut wins, mut pushes) = (0, 0, 0);
    let (mut sum, mut squares) = (zero, zero);
    for (cases, gain) in results {
        all += cases;
        wins += if gain > zero { cases } else { 0 };
        pushes += if gain == zero { cases } else { 0 };
        let cases = Fraction::from_integer(cases.into());
        sum += cases * gain;
        squares += cases * gain * gain;
    }
    let share = |cases: u64| Fraction::new(cases.into(), all.into());
    let mean = |sum: Fraction| sum / i128::from(all);
    (all > 0).then(|| Chance {
        hold: -mean(sum),
        hit: share(wins),
        push: share(pushes),
        variance: mean(squares) - mean(sum) * mean(sum),
    })
}
