//! What the levels of a link opened with, for tests that speak with the engine itself.

use meterhouse_domain::ids::LevelName;
use meterhouse_domain::link::LinkTerms;
use meterhouse_domain::money::Money;

/// Returns what each level of a link opens with.
pub fn first_values(terms: &LinkTerms) -> Vec<(LevelName, Money)> {
    let levels = terms.content().levels.iter();
    levels
        .map(|level| {
            let amount = terms.wager.for_one(level.seed);
            (level.name.clone(), amount.expect("an amount"))
        })
        .collect()
}
