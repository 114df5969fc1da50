//! `settle` with fixed wagers: the hits of the cards, and the settled wagers beside them.
//!
//! # Shape
//! The wagers were settled before the command was queued, from the cards of the same command
//! ([`round_wagers`](crate::round_wagers)). The rules check that they agree with what the link knows of the round. They
//! move no account, and the hits are those of the cards alone.

use crate::command::SettleWagers;
use crate::event::Event;
use crate::fixed::settle::SeatEnd;
use crate::ids::{Sequence, TableNo};
use crate::refusal::{Refusal, RefusalCode};
use crate::round_wagers::{RecordedWagers, SeatWagers, WagerFinding, WagersResult};
use crate::seat::SeatSet;
use crate::state::{LinkState, Round, Table};

use super::decision::Stop;
use super::open_round::open_round;
use super::settle::hits;

/// Returns the hits of all cards of the round with its settled wagers.
pub(super) fn settle_wagers(
    state: &LinkState,
    table: &Table,
    number: TableNo,
    sequence: Sequence,
    command: &SettleWagers,
) -> Result<Event, Stop> {
    let hits = hits(state, table, number, sequence, &command.cards)?;
    agree(state, table, open_round(table)?, command)?;
    match &command.result {
        WagersResult::Refused(findings) => Err(refused(findings).into()),
        WagersResult::Settled(settled) => Ok(Event::RoundSettled {
            cards: Box::new(command.cards.clone()),
            hits,
            wagers: Some(Box::new(RecordedWagers {
                played: command.wagers.clone(),
                settled: settled.as_ref().clone(),
            })),
        }),
    }
}

/// Refuses wagers that contradict the link. Each field of the refusal has what the link knows.
fn agree(
    state: &LinkState,
    table: &Table,
    round: &Round,
    command: &SettleWagers,
) -> Result<(), Stop> {
    let mut refusal = Refusal::new(RefusalCode::WagersDiffer);
    let wagers = &command.wagers;
    let jurisdiction = &state.terms.paytable.jurisdiction;
    if wagers.jurisdiction != *jurisdiction {
        refusal = refusal.with("wagers.jurisdiction", jurisdiction);
    }
    if let WagersResult::Settled(settled) = &command.result
        && settled.game != table.game
    {
        refusal = refusal.with("game", &table.game);
    }
    for (index, seat) in wagers.seats.iter().enumerate() {
        if let Some((field, known)) = contradiction(round, seat) {
            refusal = refusal.with(&format!("wagers.seats[{index}].{field}"), known);
        }
    }
    let sent: SeatSet = wagers.seats.iter().map(|sent| sent.seat).collect();
    let dealt = round.dealt.ascending();
    let missing: Vec<String> = dealt
        .filter(|seat| !sent.contains(*seat))
        .map(|seat| seat.to_string())
        .collect();
    if !missing.is_empty() {
        refusal = refusal.with("wagers.seats", missing.join(" "));
    }
    if refusal.fields.is_empty() {
        return Ok(());
    }
    Err(refusal.into())
}

/// Returns the field of a seat that contradicts the round, with what the link knows. A player who left may have folded.
fn contradiction(round: &Round, sent: &SeatWagers) -> Option<(&'static str, String)> {
    if !round.dealt.contains(sent.seat) {
        return Some(("seat", "not dealt".to_owned()));
    }
    let mut named = round.players.iter();
    let named = named.find(|(seat, _)| *seat == sent.seat);
    let named = named.map(|(_, player)| player);
    match (round.folded.contains(sent.seat), sent.end) {
        (true, SeatEnd::Stayed) => Some(("end", SeatEnd::Folded.to_string())),
        (false, SeatEnd::Folded) => Some(("end", SeatEnd::Stayed.to_string())),
        (true, SeatEnd::Folded | SeatEnd::Left) | (false, SeatEnd::Stayed | SeatEnd::Left) => named
            .filter(|named| sent.player.as_ref() != Some(*named))
            .map(|named| ("player", named.to_string())),
    }
}

/// Returns the refusal of wagers with mistakes: each path with the code of its mistake.
fn refused(findings: &[WagerFinding]) -> Refusal {
    let refusal = Refusal::new(RefusalCode::WagersRefused);
    findings.iter().fold(refusal, |refusal, finding| {
        refusal.with(&finding.path, &finding.code)
    })
}
