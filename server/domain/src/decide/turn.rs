//! Turn order: from the player farthest to the dealer's right, counterclockwise (§ 657a.11(c)).

use crate::command::Holder;
use crate::event::HitKind;
use crate::refusal::{Refusal, RefusalCode};
use crate::state::{Hit, LinkState, Round, Table};

use super::decision::Stop;
use super::undo::named;

/// Returns the position in turn order, smaller first: descending seats. The dealer's hand has the turn of the first
/// seat that wagered on it, after that seat's own hand (RULES §1.3).
pub(super) fn turn(round: &Round, holder: Holder) -> (u8, bool) {
    match holder {
        Holder::Seat(seat) => (u8::MAX - seat.0, false),
        Holder::Dealer => {
            let first = round.dealer.in_turn_order().next().map_or(0, |seat| seat.0);
            (u8::MAX - first, true)
        }
    }
}

/// Refuses a hit whose turn precedes a keyed one.
pub(super) fn in_turn(
    state: &LinkState,
    table: &Table,
    round: &Round,
    holder: Holder,
) -> Result<(), Stop> {
    let its_turn = turn(round, holder);
    let later: Vec<String> = round
        .standing_hits()
        .filter(|hit| hit.kind == HitKind::Line && turn(round, hit.holder) > its_turn)
        .map(|hit| name_of(state, table, hit))
        .collect();
    if later.is_empty() {
        return Ok(());
    }
    Err(Refusal::new(RefusalCode::OutOfTurn)
        .with("hits", later.join(" "))
        .into())
}

/// Refuses a second hit of one kind on one hand (RULES §7.7). A bonus of the draw never excludes a line, nor a line a
/// bonus.
pub(super) fn none_stands(
    state: &LinkState,
    table: &Table,
    round: &Round,
    holder: Holder,
    kind: HitKind,
) -> Result<(), Stop> {
    let mut standing = round.standing_hits();
    match standing.find(|hit| hit.holder == holder && is_one_kind(hit.kind, kind)) {
        Some(hit) => Err(Refusal::new(RefusalCode::AlreadyHit)
            .with("hit", name_of(state, table, hit))
            .into()),
        None => Ok(()),
    }
}

/// Checks if at most one of both may stand on a hand: its rank is worth a line, or envy alone.
fn is_one_kind(one: HitKind, other: HitKind) -> bool {
    let by_rank = |kind| matches!(kind, HitKind::Line | HitKind::Envy);
    one == other || (by_rank(one) && by_rank(other))
}

/// Returns the name of a hit of this table's round for people.
pub(super) fn name_of(state: &LinkState, table: &Table, hit: &Hit) -> String {
    match state.table_no(&table.name) {
        Some(number) => named(state, hit.id(number)),
        None => hit.sequence.to_string(),
    }
}
