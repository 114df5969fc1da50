//! The incident of two royal flushes on one level, the first of them keyed by mistake.
//!
//! # Shape
//! The physical table of the mistake plays both tables. The other physical table lends its first table for a round.

use std::sync::Arc;

use meterhouse_api::values::Amount;
use meterhouse_domain::hand::Hand;
use tokio::sync::{oneshot, watch};
use tokio::time::timeout;

use super::round::{IncidentRound, staged_index};
use super::two_person::{correct, first_supervisor};
use crate::context::{ReviewRule, RunContext};
use crate::error::SimulatorError;
use crate::limits::WAIT_MAX;
use crate::script::{Holder, KeyedHand, RoundScript};
use crate::simulated_table::SimulatedTable;
use crate::stop::stopped;
use crate::supervisor::{RejectResult, fetch_hit, reject};

/// A table that is lent for a round.
pub(crate) struct TableLoan {
    pub(crate) table: SimulatedTable,
    /// The round of the lender. The lent table plays its first part.
    pub(crate) round: RoundScript,
    /// Returns the table to the lender.
    pub(crate) return_to: oneshot::Sender<SimulatedTable>,
}

/// Waits for the table that another physical table lends. Returns `None` if the lender is stopped or late.
pub(crate) async fn receive_loan(
    loan: oneshot::Receiver<TableLoan>,
    stop: &mut watch::Receiver<bool>,
) -> Option<TableLoan> {
    tokio::select! {
        lent = timeout(WAIT_MAX, loan) => lent.ok()?.ok(),
        () = stopped(stop) => None,
    }
}

/// Plays the pair: at the first table a flush is keyed as a royal flush, then the second table hits a royal flush.
/// Supervisors review neither hit at first. The first hit is rejected, and the second is resettled to a larger amount.
pub(crate) async fn resettled_pair(
    first: &mut SimulatedTable,
    first_round: &IncidentRound<'_>,
    second: &mut SimulatedTable,
    second_round: &RoundScript,
) -> Result<(), SimulatorError> {
    let (Some(staged), Some(second_script)) =
        (&first_round.round.staged, second_round.tables.first())
    else {
        return first.play(first_round.round, first_round.script).await;
    };
    let context = Arc::clone(first.controller.context());
    let level_lock = context.level_lock.lock().await;
    let (Some(first_locked), Some(second_locked)) = (
        first
            .lock_bets(first_round.round, first_round.script)
            .await?,
        second.lock_bets(second_round, second_script).await?,
    ) else {
        return Ok(());
    };
    let mistaken_hand = KeyedHand {
        holder: Holder::Seat(staged.seat),
        hand: Hand::RoyalFlush,
        cards: None,
    };
    let mistaken = first.controller.next_hit();
    context.set_review_rule(mistaken.clone(), ReviewRule::Skip);
    first.key_hand(&mistaken_hand, first_round.round).await?;
    let mut hits = Vec::new();
    for keyed in &second_script.winning_hands {
        let name = second.controller.next_hit();
        context.set_review_rule(name, ReviewRule::Skip);
        hits.push(second.key_hand(keyed, second_round).await?);
    }
    let royal = staged_index(second_script.winning_hands.iter(), second_round);
    let royal = royal.and_then(|index| hits.get(index)).cloned();
    let royal = royal.unwrap_or_default();
    let before = fetch_hit(&context, &royal).await?.hit.summary.due;
    reject_or_correct(first, &mistaken).await?;
    let after = increased_due(&context, &royal, before).await?;
    for hit in &hits {
        context.set_review_rule(hit.clone(), ReviewRule::ApproveOnly);
    }
    context.call_supervisors();
    second
        .finish_keyed_round(second_round, second_script, &second_locked, hits)
        .await?;
    drop(level_lock);
    first
        .show_hands(first_round.round, first_round.script, &first_locked)
        .await?;
    let what = format!(
        "{mistaken} keyed as a royal by mistake and rejected; {royal}, hit after it, resettled from {before} to \
         {after} and paid"
    );
    context.report_incident(first_round.number, &what);
    Ok(())
}

/// Rejects a hit as a supervisor. If a later hit is already paid, two people withdraw the hit instead.
async fn reject_or_correct(table: &SimulatedTable, hit: &str) -> Result<(), SimulatorError> {
    let context = table.context();
    let note = "a flush, keyed as a royal";
    match reject(context, first_supervisor(context), hit, note).await? {
        RejectResult::Rejected => Ok(()),
        RejectResult::NotRejected(_) => correct(table, hit, note).await,
    }
}

/// Returns the amount that a hit is due now.
///
/// # Errors
/// [`SimulatorError::Unexpected`] unless the amount is larger than before.
async fn increased_due(
    context: &RunContext,
    hit: &str,
    before: Amount,
) -> Result<Amount, SimulatorError> {
    let after = fetch_hit(context, hit).await?.hit.summary.due;
    if after > before {
        return Ok(after);
    }
    Err(SimulatorError::Unexpected {
        request: format!("GET /v1/hits/{hit}"),
        answer: format!("due {after}"),
        expected: format!("more than {before}: it was resettled"),
    })
}
