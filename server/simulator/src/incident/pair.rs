//! Two royals of one level, the first of them keyed by mistake.
//!
//! # Shape
//! The felt of the mistake plays both tables: the other felt lends it its table for a round.

use std::sync::Arc;

use meterhouse_domain::hand::Hand;
use tokio::sync::{oneshot, watch};
use tokio::time::timeout;

use super::change::{a_supervisor, correct};
use super::scene::{Scene, place_of};
use crate::amount;
use crate::error::SimulatorError;
use crate::floor::{Verdict, look_up, reject};
use crate::limits::WAIT_MAX;
use crate::script::{Holder, Keyed, RoundScript};
use crate::stop::stopped;
use crate::table_seat::TableSeat;
use crate::world::{Treatment, World};

/// A table that is lent for a round.
pub(crate) struct Loan {
    /// The table.
    pub(crate) table: TableSeat,
    /// Its felt's round; the table plays the first part of it.
    pub(crate) round: RoundScript,
    /// Where the table goes back to.
    pub(crate) back: oneshot::Sender<TableSeat>,
}

/// The table that another felt lends; none if that felt was told to stop, or doesn't come.
pub(crate) async fn borrowed(
    lender: oneshot::Receiver<Loan>,
    stop: &mut watch::Receiver<bool>,
) -> Option<Loan> {
    tokio::select! {
        lent = timeout(WAIT_MAX, lender) => lent.ok()?.ok(),
        () = stopped(stop) => None,
    }
}

/// A flush is keyed as a royal; before anybody looks at it another table hits a royal. The first is rejected, the
/// second gets what it has without it.
pub(crate) async fn resettled_pair(
    first: &mut TableSeat,
    scene: &Scene<'_>,
    second: &mut TableSeat,
    other: &RoundScript,
) -> Result<(), SimulatorError> {
    let (Some(staged), Some(script)) = (&scene.round.staged, other.tables.first()) else {
        return first.play(scene.round, scene.script).await;
    };
    let world = Arc::clone(first.controller.world());
    let alone = world.level_alone.lock().await;
    let (Some(wrong_lock), Some(right_lock)) = (
        first.lock(scene.round, scene.script).await?,
        second.lock(other, script).await?,
    ) else {
        return Ok(());
    };
    let mistaken = Keyed {
        holder: Holder::Seat(staged.seat),
        hand: Hand::RoyalFlush,
        cards: None,
    };
    let wrong = first.controller.next_hit();
    world.treat(wrong.clone(), Treatment::Held);
    first.key(&mistaken, scene.round).await?;
    let mut hits = Vec::new();
    for keyed in &script.keyed {
        let name = second.controller.next_hit();
        world.treat(name, Treatment::Held);
        hits.push(second.key(keyed, other).await?);
    }
    let right = place_of(script.keyed.iter(), other);
    let right = right.and_then(|place| hits.get(place)).cloned();
    let right = right.unwrap_or_default();
    let before = look_up(&world, &right).await?.due;
    take_back(first, &wrong).await?;
    let after = grown(&world, &right, &before).await?;
    for hit in &hits {
        world.treat(hit.clone(), Treatment::Spared);
    }
    world.call_the_floor();
    second
        .finish_keyed(other, script, &right_lock, hits)
        .await?;
    drop(alone);
    first.show(scene.round, scene.script, &wrong_lock).await?;
    let what = format!(
        "{wrong} keyed as a royal by mistake and rejected; {right}, hit after it, resettled from {before} to {after} \
         and paid"
    );
    world.note(scene.number, &what);
    Ok(())
}

/// A supervisor rejects the hit; where a later one is paid already, two people withdraw it.
async fn take_back(table: &TableSeat, hit: &str) -> Result<(), SimulatorError> {
    let world = table.world();
    let note = "a flush, keyed as a royal";
    match reject(world, a_supervisor(world), hit, note).await? {
        Verdict::Rejected => Ok(()),
        Verdict::Refused(_) => correct(table, hit, note).await,
    }
}

/// What a hit is due now; it has to be more than before.
async fn grown(world: &World, hit: &str, before: &str) -> Result<String, SimulatorError> {
    let after = look_up(world, hit).await?.due;
    if amount::parse(&after) > amount::parse(before) {
        return Ok(after);
    }
    Err(SimulatorError::Unexpected {
        request: format!("GET /v1/hits/{hit}"),
        answer: format!("due {after}"),
        expected: format!("more than {before}: it was resettled"),
    })
}
