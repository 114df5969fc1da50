//! Coin-in: the dealer locks the bets (§ 657a.8(b), § 657a.9(a)(3)).
//!
//! # Order
//! The round, the link, its levels, the table, then the wagers one after another: the first refusal is the answer.
//!
//! # Bounds
//! The hot path. Without ceilings, a limit of rounds or a disabled level, nothing allocates but the list of named
//! players, and nothing is read twice.

use crate::command::{CoinIn, WageredHand};
use crate::draw;
use crate::event::{CoinInAccepted, Draws, Event};
use crate::ids::PlayerName;
use crate::link::{Added, LinkTerms, SHARES_MAX};
use crate::money::Money;
use crate::paytable::Pays;
use crate::refusal::{Refusal, RefusalCode};
use crate::returns::{LinkReturns, percent};
use crate::seat::{Seat, SeatSet};
use crate::state::{LinkState, Table};

use super::decision::{Inputs, Stop};
use super::{ceiling, values};

/// Accepts the whole round's wagers or none.
pub(super) fn coin_in(
    state: &LinkState,
    table: &Table,
    command: &CoinIn,
    inputs: &Inputs,
) -> Result<Event, Stop> {
    if let Some(round) = &table.round {
        return Err(Refusal::new(RefusalCode::RoundOpen)
            .with("round", round.sequence)
            .into());
    }
    playable(state, table, inputs)?;
    if command.wagers.is_empty() {
        return Err(RefusalCode::NoWagers.into());
    }
    let dealt = seats_once(table, command.dealt.iter().copied())?;
    let mut own = SeatSet::EMPTY;
    let mut dealer = SeatSet::EMPTY;
    let mut players: Vec<(Seat, PlayerName)> = Vec::new();
    for wager in &command.wagers {
        on_layout(table, wager.seat)?;
        if wager.amount != state.terms.wager {
            return Err(Refusal::new(RefusalCode::WrongAmount)
                .with("seat", wager.seat)
                .with("amount", wager.amount)
                .with("expected", state.terms.wager)
                .into());
        }
        let seats = match wager.on {
            WageredHand::Own => &mut own,
            WageredHand::Dealer if table.takes_dealer_wagers(&state.terms) => &mut dealer,
            WageredHand::Dealer => return Err(refused(RefusalCode::HandNotOffered, wager.seat)),
        };
        if !seats.insert(wager.seat) {
            return Err(Refusal::new(RefusalCode::SeatTwice)
                .with("seat", wager.seat)
                .with("on", wager.on)
                .into());
        }
        if !dealt.contains(wager.seat) {
            return Err(refused(RefusalCode::SeatNotDealt, wager.seat));
        }
        remember_player(&mut players, wager.seat, wager.player.as_ref())?;
    }
    players.sort_unstable_by_key(|(seat, _)| *seat);
    boxes_allowed(state, &players)?;
    let added = added(state, u64::from(own.len() + dealer.len()))?;
    let over_ceiling = if state.terms.settings.ceilings.is_empty() {
        Vec::new()
    } else {
        ceiling::over_of_coin_in(state, &added)?
    };
    let draws = inputs.draws;
    if draws != Draws::default() && !draw::offers(&state.terms, table, draws) {
        return Err(Stop::Broken("a draw that the link does not offer"));
    }
    Ok(Event::CoinInAccepted(CoinInAccepted {
        own,
        dealer,
        dealt,
        players,
        added,
        over_ceiling,
        draws,
    }))
}

/// Returns the refusal of a link that returns more than the whole wager, with the parts of its return.
fn not_acknowledged(terms: &LinkTerms) -> Refusal {
    let parts = LinkReturns::of(terms);
    let refusal = Refusal::new(RefusalCode::ReturnsNotAcknowledged);
    if !terms.counts_draws_and_envy {
        return refusal.with("long_run", percent(parts.long_run));
    }
    refusal
        .with("total", percent(parts.total()))
        .with("long_run", percent(parts.long_run))
        .with("magic_card", percent(parts.magic_card))
        .with("lucky_bonus", percent(parts.lucky_bonus))
        .with("envy_at_full_table", percent(parts.envy))
}

/// Refuses while the link, a level that a line needs, or this table takes no coin-in.
fn playable(state: &LinkState, table: &Table, inputs: &Inputs) -> Result<(), Stop> {
    if let Some(reason) = &state.suspended {
        let code = if state.is_closed() {
            RefusalCode::LinkClosed
        } else {
            RefusalCode::LinkSuspended
        };
        return Err(Refusal::new(code).with("reason", reason).into());
    }
    values::accepted(state)?;
    if state.unacknowledged {
        return Err(not_acknowledged(&state.terms).into());
    }
    if state.disabled != 0 {
        levels_needed(state)?;
    }
    if table.left {
        return Err(RefusalCode::TableLeft.into());
    }
    if let Some(reason) = &table.disabled {
        return Err(Refusal::new(RefusalCode::TableDisabled)
            .with("reason", reason)
            .into());
    }
    if table.lost.is_some_and(|lost| lost.must_resume) {
        return Err(RefusalCode::TableLost.into());
    }
    if let Some(most) = state.terms.settings.rounds_a_minute_max
        && table.minute.rounds_at(inputs.at) >= most
    {
        return Err(Refusal::new(RefusalCode::UnreasonableRate)
            .with("rounds_a_minute_max", most)
            .into());
    }
    Ok(())
}

/// Refuses while a level with lines is off: a wager that can't win it would follow another paytable. A level without
/// lines may be off alone (RULES §4.6).
fn levels_needed(state: &LinkState) -> Result<(), Stop> {
    let content = state.terms.content();
    for (index, level) in (0..).zip(&content.levels) {
        let wins = content.lines.iter().any(|line| match line.pays {
            Pays::Percent { level, .. } | Pays::ForOneOf { level, .. } => {
                level == usize::from(index)
            }
            Pays::ForOne(_) => false,
        });
        if wins && state.is_disabled(index) {
            return Err(Refusal::new(RefusalCode::LevelDisabled)
                .with("level", &level.name)
                .into());
        }
    }
    Ok(())
}

/// Returns the seats as a set, each on the layout and named once.
pub(super) fn seats_once(
    table: &Table,
    seats: impl Iterator<Item = Seat>,
) -> Result<SeatSet, Stop> {
    let mut set = SeatSet::EMPTY;
    for seat in seats {
        on_layout(table, seat)?;
        if !set.insert(seat) {
            return Err(refused(RefusalCode::SeatTwice, seat));
        }
    }
    Ok(set)
}

/// Refuses a seat that the layout of the table doesn't have.
pub(super) fn on_layout(table: &Table, seat: Seat) -> Result<(), Stop> {
    if (1..=table.seats).contains(&seat.0) {
        return Ok(());
    }
    Err(Refusal::new(RefusalCode::SeatNotOnLayout)
        .with("seat", seat)
        .with("seats", table.seats)
        .into())
}

/// Returns a refusal about one seat.
pub(super) fn refused(code: RefusalCode, seat: Seat) -> Stop {
    Refusal::new(code).with("seat", seat).into()
}

/// Records the player of a seat. One seat is one player: both of its wagers have to name the player, or neither.
fn remember_player(
    players: &mut Vec<(Seat, PlayerName)>,
    seat: Seat,
    player: Option<&PlayerName>,
) -> Result<(), Stop> {
    let Some(player) = player else { return Ok(()) };
    match players.iter().find(|(named, _)| *named == seat) {
        Some((_, known)) if known != player => Err(refused(RefusalCode::PlayerDiffers, seat)),
        Some(_) => Ok(()),
        None => {
            players.push((seat, player.clone()));
            Ok(())
        }
    }
}

/// Refuses a player with more boxes than the link allows. Boxes between two of the player's count: they may be held
/// without a progressive wager. The players are sorted by seat.
fn boxes_allowed(state: &LinkState, players: &[(Seat, PlayerName)]) -> Result<(), Stop> {
    let Some(most) = state.terms.limits.boxes_max else {
        return Ok(());
    };
    for (index, (first, player)) in players.iter().enumerate() {
        let rest = players.get(index..).unwrap_or_default();
        let last = rest.iter().rfind(|(_, other)| other == player);
        let last = last.map_or(*first, |(seat, _)| *seat);
        if last.0.saturating_sub(first.0) >= most {
            return Err(Refusal::new(RefusalCode::TooManyBoxes)
                .with("player", player)
                .with("seat", first)
                .with("other_seat", last)
                .with("boxes_max", most)
                .into());
        }
    }
    Ok(())
}

/// Returns the amounts that this many wagers add, share by share, checked against the balances. A disabled level gets
/// nothing.
fn added(state: &LinkState, wagers: u64) -> Result<Added, Stop> {
    let mut amounts = [Money::ZERO; SHARES_MAX];
    for (amount, share) in amounts.iter_mut().zip(state.shares.iter()) {
        if state.disabled != 0 && state.is_disabled(share.book.0) {
            continue;
        }
        *amount = share.amount.times(wagers)?;
        state.balance(share.book, share.account).plus(*amount)?;
    }
    Added::new(&amounts[..state.shares.len().min(SHARES_MAX)])
        .ok_or(Stop::Broken("more shares than a coin-in holds"))
}
