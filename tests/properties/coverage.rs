//! The commands reach every corner: what random play never does, no property has shown.

use std::collections::{BTreeMap, BTreeSet};

use meterhouse_domain::event::{Event, HitKind};
use meterhouse_domain::refusal::RefusalCode;
use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::TestRunner;

use crate::commands::{setups, turns};
use crate::play::{Audit, Game, Step};
use crate::world::Answer;

/// Enough to see everything several times; always the same ones.
const CASES: u32 = 300;

/// Refusals that no command of a table or person can cause here: they are about opening and joining.
const ELSEWHERE: [RefusalCode; 4] = [
    RefusalCode::TableDiffers,
    RefusalCode::EnvyNotFiled,
    RefusalCode::ShareNotExact,
    RefusalCode::PolicyNeedsReseed,
];

/// The corners that a step turns.
fn corners(step: &Step<'_>) -> Vec<&'static str> {
    match step.answer {
        Answer::Repeated => vec!["repeated"],
        Answer::Reused => vec!["reused"],
        Answer::Gap { .. } => vec!["gap"],
        Answer::Done => vec!["done already"],
        Answer::Refused(refusal) => vec![refusal.code.name()],
        Answer::Caused(Event::HitRecorded(hit)) => {
            let mut turned = Vec::new();
            if hit.kind == HitKind::Envy {
                turned.push("envy without a wager");
            }
            if let Some(taken) = hit.taken {
                let due: i64 = hit.payouts.iter().map(|it| it.amount.micros()).sum();
                turned.extend((due == 0).then_some("a percentage of nothing"));
                turned.extend((hit.payouts.len() > 1).then_some("a split or envy"));
                let reserve = taken.reset.map_or(0, |it| it.from_reserve.micros());
                let house = taken.reset.map_or(0, |it| it.from_house.micros());
                turned.extend((reserve > 0 && house > 0).then_some("reset by both"));
                turned.extend((reserve > 0 && house == 0).then_some("reset by the reserve"));
                let left = taken.after.micros() - house - reserve;
                turned.extend((left % 10_000 != 0).then_some("a fraction carried forward"));
            }
            turned
        }
        Answer::Caused(Event::HitCancelled { hit, .. } | Event::HitRejected { hit, .. }) => {
            let reset = step.before.hit(*hit).and_then(|it| it.taken?.reset);
            let shared = step
                .before
                .standing
                .iter()
                .any(|hits| hits.len() > 1 && hits.last().is_some_and(|last| last.hit == *hit));
            let mut turned = vec!["withdrawn"];
            turned.extend(reset.map(|_| "a reset withdrawn"));
            turned.extend(shared.then_some("withdrawn after others' hits"));
            turned
        }
        Answer::Caused(Event::RoundVoided { hits, .. }) => match hits.len() {
            0 => vec!["void"],
            1 => vec!["void with a hit"],
            _ => vec!["void with several hits"],
        },
        Answer::Caused(Event::PayoutPaid { .. }) => vec!["paid by slip"],
        Answer::Caused(Event::RoundClosed { hits, .. }) if !hits.is_empty() => {
            vec!["paid at GAME OVER"]
        }
        Answer::Caused(_) | Answer::Broken(_) => Vec::new(),
    }
}

/// Counts the corners over the same cases every time, and misses none.
#[test]
fn random_play_reaches_every_corner() -> Result<(), String> {
    let mut runner = TestRunner::deterministic();
    let mut seen: BTreeMap<&'static str, u32> = BTreeMap::new();
    for _ in 0..CASES {
        let case = (setups(), turns()).new_tree(&mut runner);
        let (setup, turns) = case.map_err(|it| it.to_string())?.current();
        let mut game = Game::open(&setup, Audit::Strict)?;
        for turn in &turns {
            game.play(turn, &mut |step| {
                for corner in corners(step) {
                    *seen.entry(corner).or_default() += 1;
                }
                Ok(())
            })?;
        }
        if game.auditor.charged_to_house {
            *seen.entry("void charged to the house").or_default() += 1;
        }
    }
    let codes = RefusalCode::ALL.iter().filter(|it| !ELSEWHERE.contains(it));
    let mut all: BTreeSet<&'static str> = codes.map(|code| code.name()).collect();
    all.extend([
        "repeated",
        "reused",
        "gap",
        "done already",
        "envy without a wager",
        "a percentage of nothing",
        "a split or envy",
        "reset by both",
        "reset by the reserve",
        "a fraction carried forward",
        "withdrawn",
        "a reset withdrawn",
        "withdrawn after others' hits",
        "void",
        "void with a hit",
        "void with several hits",
        "void charged to the house",
        "paid by slip",
        "paid at GAME OVER",
    ]);
    all.retain(|corner| seen.get(corner).is_none_or(|times| *times < 3));
    assert!(all.is_empty(), "hardly ever seen: {all:?} of {seen:?}");
    Ok(())
}
