//! The incidents that take two people: a late hit, an adjustment, and a correction.

use std::sync::Arc;

use meterhouse_api::change::{Adjust, Change, Correct, Effect, LateHit};
use meterhouse_api::hit_detail::HitDetail;
use meterhouse_api::sequence::SequenceNumber;
use meterhouse_api::text::Text;
use meterhouse_domain::change::AdjustedAccount;
use meterhouse_domain::ids::Sequence;
use meterhouse_domain::money::Money;
use meterhouse_journal::hit::HitState;
use tokio::time::{Instant, sleep};

use super::round::IncidentRound;
use crate::context::RunContext;
use crate::counters::add;
use crate::error::SimulatorError;
use crate::limits::{POLL_FIRST, WAIT_MAX};
use crate::manager::{TwoPersonChange, propose_and_approve};
use crate::script::{Holder, TableScript};
use crate::simulated_table::SimulatedTable;
use crate::supervisor::{fetch_hit, pay_slips};

/// Amount by which a meter is adjusted, and adjusted back.
const VARIANCE: Money = Money::from_micros(12_340_000);

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
    let change = LateHit {
        table: name.parse()?,
        round: SequenceNumber(Sequence(sequence)),
        seat: Some(staged.seat),
        dealer: None,
        hand: Text(staged.hand),
        cards: Some(staged.cards.map(Text).to_vec().into()),
    };
    let request = ChangeRequest {
        reason: "found on the recording after GAME OVER",
        change: Change::LateHit(change),
        approver: first_supervisor(&context),
    };
    let Some(Effect::LateHitRecorded(late)) = change_link(table, request).await? else {
        return Err(other_effect("late_hit"));
    };
    context.counters.count_hand(staged.hand.name());
    add(&context.counters.late_hits, 1);
    let name_of_hit = &late.hit.summary.hit.to_string();
    let hit = fetch_hit(&context, name_of_hit).await?;
    pay_slips(&context, first_supervisor(&context), &hit).await?;
    wait_for_state(&context, name_of_hit, HitState::Paid).await?;
    let from = if late.from_meter { "meter" } else { "house" };
    let what = format!(
        "a winner at {name} found after GAME OVER by two people: {name_of_hit}, {} from the {from}",
        late.hit.summary.due
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
    let reversal = Money::from_micros(-VARIANCE.micros());
    for (amount, reason) in [(VARIANCE, "variance"), (reversal, "variance, reversed")] {
        let change = Adjust {
            level: level.parse()?,
            account: Text(AdjustedAccount::Meter),
            amount: Text(amount),
        };
        let request = ChangeRequest {
            reason,
            change: Change::Adjust(change),
            approver: &context.tokens.accountant,
        };
        change_link(table, request).await?;
        let counters = &context.counters;
        counters.add_adjustment(table.link, amount.micros());
    }
    let what =
        format!("{level} adjusted by {VARIANCE} by two people, reason variance, and reversed");
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
    let withdrawn = wait_for_state(context, hit, HitState::Withdrawn).await?;
    let what = format!(
        "{hit}, {} and paid, withdrawn by two people: the house bears it",
        withdrawn.hit.summary.due
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
        change: Change::Correct(Correct { hit: hit.parse()? }),
        approver: first_supervisor(context),
    };
    let Some(Effect::Corrected(corrected)) = change_link(table, request).await? else {
        return Err(other_effect("correct"));
    };
    add(&context.counters.corrected, 1);
    let resettled = corrected.resettled.len() as u64;
    add(&context.counters.resettled, resettled);
    Ok(())
}

/// A change of a table's link by two people.
struct ChangeRequest<'a> {
    reason: &'a str,
    change: Change,
    approver: &'a str,
}

/// Changes the link of a table as two people. Returns the effect.
async fn change_link(
    table: &SimulatedTable,
    request: ChangeRequest<'_>,
) -> Result<Option<Effect>, SimulatorError> {
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
    propose_and_approve(table.context(), change).await
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

/// Waits until a hit is in this state.
async fn wait_for_state(
    context: &RunContext,
    hit: &str,
    state: HitState,
) -> Result<HitDetail, SimulatorError> {
    let started = Instant::now();
    let mut pause = POLL_FIRST;
    loop {
        let found = fetch_hit(context, hit).await?;
        let now = found.hit.summary.state;
        if *now == state {
            return Ok(found);
        }
        let waited = started.elapsed();
        if waited > WAIT_MAX {
            let what = format!("hit {hit} stayed {now}");
            return Err(SimulatorError::NotInTime { what, waited });
        }
        sleep(pause).await;
        pause = (pause * 2).min(context.poll_interval);
    }
}
