//! Whole rounds settled: every wager's result, pay, clause and chips.
//!
//! - Worked rounds ([`worked`]): amounts computed by hand from the clauses, in the text files of
//!   `settled_rounds/rounds`, against tables typed from the clauses.
//! - Mistakes ([`findings`], [`card_findings`], [`limit_findings`]): each has its path, and many come together.
//! - Dice and wheel ([`dice_and_wheel`]): throws of Sic Bo and games of Touchdown Roulette, worked by hand as well.
//! - Properties ([`properties`]): no chip appears or vanishes, seats may be listed in any order, a limit raises no pay.

#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a text of these tests that can't be read fails them"
)]

#[path = "settled_rounds/card_findings.rs"]
mod card_findings;
#[path = "settled_rounds/dice_and_wheel.rs"]
mod dice_and_wheel;
#[path = "settled_rounds/findings.rs"]
mod findings;
#[path = "settled_rounds/limit_findings.rs"]
mod limit_findings;
#[path = "settled_rounds/properties.rs"]
mod properties;
#[path = "settled_rounds/story.rs"]
mod story;
#[path = "settled_rounds/tables.rs"]
mod tables;
#[path = "settled_rounds/worked.rs"]
mod worked;
