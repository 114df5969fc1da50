//! The incidents that take two people: a late hit, an adjustment, and a correction.

use std::sync::Arc;

use serde::Deserialize;
use serde_json::{Value, json};
use tokio::time::{Instant, sleep};

use super::round::IncidentRound;
use crate::amount;
use crate::commands::card_texts;
use crate::context::RunContext;
use crate::counters::add;
use crate::error::SimulatorError;
use crate::limits::{POLL_FIRST, WAIT_MAX};
use crate::manager::{TwoPersonChange, propose_and_approve};
use crate::responses::{Hit, HitState};
use crate::script::{Holder, TableScript};
use crate::simulated_table::SimulatedTable;
use crate::supervisor::{fetch_hit, pay_slips};

/// Micro-dollars by which a meter is adjusted, and adjusted back.
const VARIANCE: i64 = 12_340_000;

/// The effect of an approved change, with the fields that incidents need.
#[derive(Debug, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
enum Effect {
    LateHitRecorded {
        hit: LateHit,
        from_meter: bool,
    },
    Corrected {
        resettled: Vec<Value>,
    },
    #[serde(other)]
    Other,
}

#[derive(Debug, Deserialize)]
struct LateHit {
    hit: String,
    due: String,
}

/// Plays a round in which the dealer misses a winner. After GAME OVER two people record the late hit.
pub(super) async fn late_hit(
    table: &mut SimulatedTable,
    round: &IncidentRound<'_>,
) -> Result<(), SimulatorError> {
    let Some(staged) = &round.round.staged else {
        return table.play(round.round, round.script).await;
    };
    let mut without_staged = round.script.clone();
    without_staged
        .winning_hands
        .retain(|keyed| keyed.holder != Holder::Seat(staged.seat));
    let Some(sequence) = play_script(table, round, &without_staged).await? else {
        return Ok(());
    };
    let (context, name) = (
        Arc::clone(table.controller.context()),
        table.controller.name(),
    );
    let fields = json!({"table": name, "round": sequence, "seat": staged.seat,
                        "hand": staged.hand.name(), "cards": card_texts(&staged.cards)});
    let request = ChangeRequest {
        reason: "found on the recording after GAME OVER",
        change: ("late_hit", fields),
        approver: first_supervisor(&context),
    };
    let effect = change_link(table, request).await?;
    let Effect::LateHitRecorded {
        hit: late,
        from_meter,
    } = effect
    else {
        return Err(other_effect("late_hit"));
    };
    context.counters.count_hand(staged.hand.name());
    add(&context.counters.late_hits, 1);
    let name_of_hit = &late.hit;
    let hit = fetch_hit(&context, name_of_hit).await?;
    pay_slips(&context, first_supervisor(&context), &hit).await?;
    wait_for_hit(&context, name_of_hit, |hit| hit.state == HitState::Paid).await?;
    let from = if from_meter { "meter" } else { "house" };
    let what = format!(
        "a winner at {name} found after GAME OVER by two people: {name_of_hit}, {} from the {from}",
        late.due
    );
    context.report_incident(round.number, &what);
    Ok(())
}

/// Plays the round by another script. Returns the sequence of its coin-in, or `None` if the round is void.
async fn play_script(
    table: &mut SimulatedTable,
    round: &IncidentRound<'_>,
    script: &TableScript,
) -> Result<Option<u64>, SimulatorError> {
    let Some(locked) = table.lock_bets(round.round, script).await? else {
        return Ok(None);
    };
    table.show_hands(round.round, script, &locked).await?;
    Ok(Some(locked.sequence))
}

/// Adjusts the last level's meter as two people, reverses the adjustment, and plays the round.
pub(super) async fn adjustment(
    table: &mut SimulatedTable,
    round: &IncidentRound<'_>,
) -> Result<(), SimulatorError> {
    let context = Arc::clone(table.controller.context());
    let level = table.link_plan().and_then(|link| link.levels.last());
    let level = level.map(|level| level.name.clone()).unwrap_or_default();
    for (micros, reason) in [(VARIANCE, "variance"), (-VARIANCE, "variance, reversed")] {
        let amount = amount::show(micros);
        let fields = json!({"level": level, "account": "meter", "amount": amount});
        let request = ChangeRequest {
            reason,
            change: ("adjust", fields),
            approver: &context.tokens.accountant,
        };
        change_link(table, request).await?;
        context.counters.add_adjustment(table.link, micros);
    }
    let amount = amount::show(VARIANCE);
    let what = format!("{level} adjusted by {amount} by two people, reason variance, and reversed");
    context.report_incident(round.number, &what);
    table.play(round.round, round.script).await
}

/// Plays a round with a hit that is validated, paid, and withdrawn by two people. The players keep the money, at the
/// cost of the house.
pub(super) async fn correction(
    table: &mut SimulatedTable,
    round: &IncidentRound<'_>,
) -> Result<(), SimulatorError> {
    let Some(locked) = table.lock_bets(round.round, round.script).await? else {
        return Ok(());
    };
    let hits = table.show_hands(round.round, round.script, &locked).await?;
    let Some((_, hit)) = round.staged_hit(&hits) else {
        return Ok(());
    };
    let reason = "the wager was made after the bets were locked";
    correct(table, hit, reason).await?;
    let context = table.context();
    let withdrawn = wait_for_hit(context, hit, |hit| hit.state == HitState::Withdrawn).await?;
    let what = format!(
        "{hit}, {} and paid, withdrawn by two people: the house bears it",
        withdrawn.due
    );
    context.report_incident(round.number, &what);
    Ok(())
}

/// Withdraws a hit as two people.
pub(super) async fn correct(
    table: &SimulatedTable,
    hit: &str,
    reason: &str,
) -> Result<(), SimulatorError> {
    let context = table.context();
    let request = ChangeRequest {
        reason,
        change: ("correct", json!({"hit": hit})),
        approver: first_supervisor(context),
    };
    let Effect::Corrected { resettled } = change_link(table, request).await? else {
        return Err(other_effect("correct"));
    };
    add(&context.counters.corrected, 1);
    add(&context.counters.resettled, resettled.len() as u64);
    Ok(())
}

/// A change of a table's link by two people.
struct ChangeRequest<'a> {
    reason: &'a str,
    change: (&'static str, Value),
    approver: &'a str,
}

/// Changes the link of a table as two people. Returns the effect.
async fn change_link(
    table: &SimulatedTable,
    request: ChangeRequest<'_>,
) -> Result<Effect, SimulatorError> {
    let link = table.link_plan().map_or("", |link| &link.link);
    let name = table.controller.name();
    let occasion = format!(
        "{name}.{} {}",
        table.controller.last_sequence(),
        request.reason
    );
    let change = TwoPersonChange {
        link,
        reason: request.reason,
        change: request.change,
        approver: request.approver,
        occasion: &occasion,
    };
    let effect = propose_and_approve(table.context(), &change).await?;
    Effect::deserialize(&effect).map_err(|source| SimulatorError::Unreadable {
        request: format!("an approval on {link}"),
        answer: effect.to_string(),
        source,
    })
}

/// Returns the token of the first supervisor. A run has at least one.
pub(super) fn first_supervisor(context: &RunContext) -> &str {
    let first = context.tokens.supervisors.first();
    first.map_or("", |(_, token)| token)
}

fn other_effect(change: &str) -> SimulatorError {
    SimulatorError::Unexpected {
        request: format!("an approval of {change}"),
        answer: "another effect".to_owned(),
        expected: "the effect of the change".to_owned(),
    }
}

/// Waits until a hit fulfils a condition.
async fn wait_for_hit(
    context: &RunContext,
    hit: &str,
    condition: impl Fn(&Hit) -> bool,
) -> Result<Hit, SimulatorError> {
    let started = Instant::now();
    let mut pause = POLL_FIRST;
    loop {
        let found = fetch_hit(context, hit).await?;
        if condition(&found) {
            return Ok(found);
        }
        let waited = started.elapsed();
        if waited > WAIT_MAX {
            let what = format!("hit {hit} stayed {:?}", found.state);
            return Err(SimulatorError::NotInTime { what, waited });
        }
        sleep(pause).await;
        pause = (pause * 2).min(context.poll_interval);
    }
}
