//! Eligibility of the hands of a round: for an award by an accepted, unforfeited wager, or for giving envy to others.

use crate::command::Holder;
use crate::paytable::FoldAward;
use crate::refusal::{Refusal, RefusalCode};
use crate::seat::Seat;
use crate::state::{LinkState, Round, Table};

use super::coin_in::{on_layout, refused};
use super::decision::Stop;

/// Refuses a holder without an accepted wager on that hand, or with a wager that a fold forfeited.
pub(super) fn has_wager(
    state: &LinkState,
    table: &Table,
    round: &Round,
    holder: Holder,
) -> Result<(), Stop> {
    match holder {
        Holder::Seat(seat) => {
            on_layout(table, seat)?;
            if !round.own.contains(seat) {
                return Err(refused(RefusalCode::NoWager, seat));
            }
            if has_forfeited(table, round, seat) {
                return Err(refused(RefusalCode::Folded, seat));
            }
            Ok(())
        }
        Holder::Dealer if !table.takes_dealer_wagers(&state.terms) => {
            Err(RefusalCode::HandNotOffered.into())
        }
        Holder::Dealer if round.dealer.is_empty() => Err(Refusal::new(RefusalCode::NoWager)
            .with("dealer", true)
            .into()),
        Holder::Dealer => Ok(()),
    }
}

/// Checks if a seat forfeited the wager on its own hand by folding (§ 657a.11(b)(2)).
fn has_forfeited(table: &Table, round: &Round, seat: Seat) -> bool {
    round.folded.contains(seat) && table.rules.fold.award == FoldAward::Forfeited
}

/// Checks if a seat's hand gives envy to the others: it has not folded, or its cards stay in spite of the fold.
pub(super) const fn shows_its_hand(table: &Table, round: &Round, seat: Seat) -> bool {
    !round.folded.contains(seat) || table.rules.fold.hand_gives_envy
}

/// Refuses a seat whose hand gives no envy by itself: it got no cards, its wager makes the hand a hit, or its cards
/// were collected. A forfeited wager makes no hit, and the hand that still lies there gives envy alone. If a fold
/// keeps the award, the cards stay only for the wager (§ 655a.11(b)): without one they are collected.
pub(super) fn gives_envy_alone(table: &Table, round: &Round, seat: Seat) -> Result<(), Stop> {
    on_layout(table, seat)?;
    if !round.dealt.contains(seat) {
        return Err(refused(RefusalCode::SeatNotDealt, seat));
    }
    if round.own.contains(seat) && !has_forfeited(table, round, seat) {
        return Err(refused(RefusalCode::HasWager, seat));
    }
    let kept = round.folded.contains(seat) && table.rules.fold.award == FoldAward::Kept;
    if kept || !shows_its_hand(table, round, seat) {
        return Err(refused(RefusalCode::Folded, seat));
    }
    Ok(())
}

/// Returns the seats that get envy for this holder's hand, in turn order: every other player's wager, folded seats
/// included (§ 657a.11(b)(2), (e)(5)).
pub(super) fn envious(round: &Round, holder: Seat) -> impl Iterator<Item = Seat> {
    let others = round.own.in_turn_order();
    others.filter(move |seat| !round.same_player(*seat, holder))
}
