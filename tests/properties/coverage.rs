//! The commands reach every corner: what random play never does, no property has shown.

use std::collections::{BTreeMap, BTreeSet};

use meterhouse_domain::refusal::RefusalCode;
use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::TestRunner;

use crate::commands::{setups, turns};
use crate::corners::{ADJUSTMENTS, COMMANDS, CORNERS, corners};
use crate::play::{Audit, Game};

/// Enough to see everything several times; always the same ones.
const CASES: u32 = 4_000;

/// Refusals that no command of a table or person can cause here: they are about opening and joining. No link here limits
/// decks or boxes (`tests/api/limits.rs`).
const ELSEWHERE: [RefusalCode; 8] = [
    RefusalCode::TooManyDecks,
    RefusalCode::TooManyBoxes,
    RefusalCode::TableDiffers,
    RefusalCode::EnvyNotFiled,
    RefusalCode::ShareNotExact,
    RefusalCode::PolicyNeedsReseed,
    RefusalCode::CeilingTooLow,
    RefusalCode::TooManyAdopted,
];

/// So rare that a night of random play is needed to see them often; in `server/domain/tests` each has a test of its own:
/// `corrections` (`paid_amounts_stay_paid`, figure N) and `ceilings` (`a_void_never_takes_more_than_the_balance`).
const RARE: [&str; 3] = [
    "a second supplement or less of one",
    "corrected, a supplement among it",
    "covered by the house",
];

/// Counts the corners over the same cases every time, and misses none.
#[test]
fn random_play_reaches_every_corner() -> Result<(), String> {
    let mut runner = TestRunner::deterministic();
    let mut seen: BTreeMap<&'static str, u32> = BTreeMap::new();
    for _ in 0..CASES {
        let case = (setups(), turns()).new_tree(&mut runner);
        let (setup, turns) = case.map_err(|it| it.to_string())?.current();
        let mut see = |corner, times| *seen.entry(corner).or_default() += times;
        let mut game = Game::open(&setup, Audit::Strict, &mut |step| {
            for corner in corners(step) {
                see(corner, 1);
            }
            Ok(())
        })?;
        for turn in &turns {
            game.play(turn, &mut |step| {
                for corner in corners(step) {
                    see(corner, 1);
                }
                Ok(())
            })?;
        }
        see(
            "void charged to the house",
            game.auditor.seen.charged_to_house,
        );
        see("void out of the overflow", game.auditor.seen.overflow_back);
        see("covered by the house", game.auditor.seen.covered);
        see("a meter too small", game.auditor.seen.short_meter);
    }
    let codes = RefusalCode::ALL.iter().filter(|it| !ELSEWHERE.contains(it));
    let mut all: BTreeSet<&'static str> = codes.map(|code| code.name()).collect();
    all.extend(COMMANDS.iter().chain(&CORNERS).chain(&ADJUSTMENTS));
    all.retain(|corner| !RARE.contains(corner));
    all.retain(|corner| seen.get(corner).is_none_or(|times| *times < 3));
    assert!(all.is_empty(), "hardly ever seen: {all:?} of {seen:?}");
    Ok(())
}
