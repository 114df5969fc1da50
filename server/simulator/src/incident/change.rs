//! What takes two people: a winner found after GAME OVER, an adjustment, a hit that is withdrawn.

use std::sync::Arc;

use serde::Deserialize;
use serde_json::{Value, json};
use tokio::time::{Instant, sleep};

use super::scene::Scene;
use crate::amount;
use crate::books::add;
use crate::error::SimulatorError;
use crate::floor::{look_up, pay};
use crate::limits::{LOOK_FIRST, WAIT_MAX};
use crate::office::{ByTwo, by_two};
use crate::requests::texts;
use crate::script::{Holder, TableScript};
use crate::table_seat::TableSeat;
use crate::wire::{Hit, HitState};
use crate::world::World;

/// By how many micro-dollars a meter is adjusted, and adjusted back.
const VARIANCE: i64 = 12_340_000;

/// What an approved change did, as far as this reads it.
#[derive(Debug, Default, Deserialize)]
struct Effect {
    late_hit_recorded: Option<LateHitRecorded>,
    corrected: Option<Corrected>,
}

#[derive(Debug, Deserialize)]
struct LateHitRecorded {
    recorded: Recorded,
    from_meter: bool,
}

#[derive(Debug, Deserialize)]
struct Recorded {
    hit: String,
    due: String,
}

#[derive(Debug, Deserialize)]
struct Corrected {
    resettled: Vec<Value>,
}

/// The dealer overlooks a winner; after GAME OVER two people pay him.
pub(super) async fn late_hit(
    table: &mut TableSeat,
    scene: &Scene<'_>,
) -> Result<(), SimulatorError> {
    let Some(staged) = &scene.round.staged else {
        return table.play(scene.round, scene.script).await;
    };
    let mut seen = scene.script.clone();
    seen.keyed
        .retain(|it| it.holder != Holder::Seat(staged.seat));
    let Some(sequence) = overlook(table, scene, &seen).await? else {
        return Ok(());
    };
    let (world, name) = (
        Arc::clone(table.controller.world()),
        table.controller.name(),
    );
    let change = json!({"table": name, "round": sequence, "seat": staged.seat,
                        "hand": staged.hand.name(), "cards": texts(&staged.cards)});
    let asked = Asked {
        reason: "found on the recording after GAME OVER",
        change: ("late_hit", change),
        approver: a_supervisor(&world),
    };
    let effect = changed(table, asked).await?;
    let Some(late) = effect.late_hit_recorded else {
        return Err(nothing_done("late_hit"));
    };
    world.books.keyed(staged.hand.name());
    add(&world.books.late_hits, 1);
    let hit = &late.recorded.hit;
    pay(&world, a_supervisor(&world), &look_up(&world, hit).await?).await?;
    until(&world, hit, |it| it.state == HitState::Paid).await?;
    let from = if late.from_meter { "meter" } else { "house" };
    let what = format!(
        "a winner at {name} found after GAME OVER by two people: {hit}, {} from the {from}",
        late.recorded.due
    );
    world.note(scene.number, &what);
    Ok(())
}

/// Plays the round as the dealer saw it; answers the number of its coin-in.
async fn overlook(
    table: &mut TableSeat,
    scene: &Scene<'_>,
    seen: &TableScript,
) -> Result<Option<u64>, SimulatorError> {
    let Some(locked) = table.lock(scene.round, seen).await? else {
        return Ok(None);
    };
    table.show(scene.round, seen, &locked).await?;
    Ok(Some(locked.sequence))
}

/// Two people adjust the last level's meter, and two people take it back.
pub(super) async fn adjustment(
    table: &mut TableSeat,
    scene: &Scene<'_>,
) -> Result<(), SimulatorError> {
    let world = Arc::clone(table.controller.world());
    let level = table.link_plan().and_then(|link| link.levels.last());
    let level = level.map(|level| level.name.clone()).unwrap_or_default();
    for (micros, reason) in [(VARIANCE, "variance"), (-VARIANCE, "variance, reversed")] {
        let amount = amount::show(micros);
        let change = json!({"level": level, "account": "meter", "amount": amount});
        let asked = Asked {
            reason,
            change: ("adjust", change),
            approver: &world.tokens.accountant,
        };
        changed(table, asked).await?;
        world.books.adjusted(table.link, micros);
    }
    let amount = amount::show(VARIANCE);
    let what = format!("{level} adjusted by {amount} by two people, reason variance, and reversed");
    world.note(scene.number, &what);
    table.play(scene.round, scene.script).await
}

/// A hit is validated, paid, and withdrawn by two people: the players keep what they got, the house bears it.
pub(super) async fn correction(
    table: &mut TableSeat,
    scene: &Scene<'_>,
) -> Result<(), SimulatorError> {
    let Some(locked) = table.lock(scene.round, scene.script).await? else {
        return Ok(());
    };
    let hits = table.show(scene.round, scene.script, &locked).await?;
    let Some((_, hit)) = scene.staged_of(&hits) else {
        return Ok(());
    };
    let reason = "the wager was made after the bets were locked";
    correct(table, hit, reason).await?;
    let world = table.world();
    let corrected = until(world, hit, |it| it.state == HitState::Withdrawn).await?;
    let what = format!(
        "{hit}, {} and paid, withdrawn by two people: the house bears it",
        corrected.due
    );
    world.note(scene.number, &what);
    Ok(())
}

/// Two people withdraw a hit.
pub(super) async fn correct(
    table: &TableSeat,
    hit: &str,
    reason: &str,
) -> Result<(), SimulatorError> {
    let world = table.world();
    let asked = Asked {
        reason,
        change: ("correct", json!({"hit": hit})),
        approver: a_supervisor(world),
    };
    let Some(corrected) = changed(table, asked).await?.corrected else {
        return Err(nothing_done("correct"));
    };
    add(&world.books.corrected, 1);
    add(&world.books.resettled, corrected.resettled.len() as u64);
    Ok(())
}

/// What two people of the house are to do.
struct Asked<'a> {
    reason: &'a str,
    change: (&'static str, Value),
    approver: &'a str,
}

/// Two people change something about the link of a table.
async fn changed(table: &TableSeat, asked: Asked<'_>) -> Result<Effect, SimulatorError> {
    let link = table.link_plan().map_or("", |link| &link.link);
    let name = table.controller.name();
    let occasion = format!(
        "{name}.{} {}",
        table.controller.last_sequence(),
        asked.reason
    );
    let asked = ByTwo {
        link,
        reason: asked.reason,
        change: asked.change,
        approver: asked.approver,
        occasion: &occasion,
    };
    let effect = by_two(table.world(), &asked).await?;
    Effect::deserialize(&effect).map_err(|source| SimulatorError::Unreadable {
        request: format!("an approval on {link}"),
        answer: effect.to_string(),
        source,
    })
}

/// The first supervisor; a floor has one.
pub(super) fn a_supervisor(world: &World) -> &str {
    let first = world.tokens.supervisors.first();
    first.map_or("", |(_, token)| token)
}

fn nothing_done(change: &str) -> SimulatorError {
    SimulatorError::Unexpected {
        request: format!("an approval of {change}"),
        answer: "another effect".to_owned(),
        expected: "what it did".to_owned(),
    }
}

/// Waits until a hit is as it should be.
pub(super) async fn until(
    world: &World,
    hit: &str,
    is_so: impl Fn(&Hit) -> bool,
) -> Result<Hit, SimulatorError> {
    let started = Instant::now();
    let mut pause = LOOK_FIRST;
    loop {
        let found = look_up(world, hit).await?;
        if is_so(&found) {
            return Ok(found);
        }
        let waited = started.elapsed();
        if waited > WAIT_MAX {
            let what = format!("hit {hit} stayed {:?}", found.state);
            return Err(SimulatorError::NotInTime { what, waited });
        }
        sleep(pause).await;
        pause = (pause * 2).min(world.look);
    }
}
