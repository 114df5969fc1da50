//! `settle` with fixed wagers: the hits of the cards, and the settled wagers beside them.
//!
//! # Shape
//! The wagers were settled before the command was queued, from the cards of the same command
//! ([`round_wagers`](crate::round_wagers)). The rules check that they agree with what the link knows of the round. They
//! move no account, and the hits are those of the cards alone. Of a doubtful print the command carries two results; the one
//! that counts is the one that the link adopted.

use crate::adopted::{AdoptedTable, find};
use crate::command::SettleWagers;
use crate::event::Event;
use crate::fixed::settle::SeatEnd;
use crate::ids::{ReadingName, Sequence, TableNo};
use crate::refusal::{Refusal, RefusalCode};
use crate::round_wagers::{
    PlayedWagers, RecordedWagers, SeatWagers, SettledWagers, WagerFinding, WagersResult,
};
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
    let result = result(state, command);
    agree(state, table, open_round(table)?, &command.wagers, result)?;
    match result {
        WagersResult::Refused(findings) => Err(refused(findings).into()),
        WagersResult::Settled(settled) => {
            as_adopted(state, &command.wagers, settled)?;
            Ok(Event::RoundSettled {
                cards: Box::new(command.cards.clone()),
                hits,
                wagers: Some(Box::new(RecordedWagers {
                    played: command.wagers.clone(),
                    settled: settled.as_ref().clone(),
                })),
            })
        }
    }
}

/// Returns the result that counts on this link: that of the readings, if it adopted one of a chosen table.
fn result<'a>(state: &LinkState, command: &'a SettleWagers) -> &'a WagersResult {
    let is_read = |id| find(&state.adopted, id).is_some_and(|known| known.reading.is_some());
    let as_read = command.as_read.as_ref();
    as_read
        .filter(|_| command.wagers.tables.iter().any(is_read))
        .unwrap_or(&command.result)
}

/// Refuses a table that paid otherwise than two people adopted it, or that nobody adopted although somebody has to.
fn as_adopted(
    state: &LinkState,
    wagers: &PlayedWagers,
    settled: &SettledWagers,
) -> Result<(), Stop> {
    let mut differ = Refusal::new(RefusalCode::WagersDiffer);
    let mut not_adopted = Refusal::new(RefusalCode::TableNotAdopted);
    for (index, id) in wagers.tables.iter().enumerate() {
        let field = format!("wagers.tables[{index}]");
        let mut tables = settled.tables.iter();
        let Some(paid) = tables.find(|paid| paid.id == *id) else {
            continue;
        };
        let adopted = find(&state.adopted, id);
        let reading = adopted.and_then(AdoptedTable::reading);
        if paid.reading.as_ref() != reading {
            let known = reading.map_or("as printed", ReadingName::as_str);
            differ = differ.with(&field, known);
        } else if let Some(returns) = paid.returns
            && adopted.map(|adopted| adopted.returns) != Some(returns)
        {
            not_adopted = not_adopted.with(&field, returns);
        }
    }
    let mut refusals = [differ, not_adopted].into_iter();
    let refusal = refusals.find(|refusal| !refusal.fields.is_empty());
    refusal.map_or(Ok(()), |refusal| Err(refusal.into()))
}

/// Refuses wagers that contradict the link. Each field of the refusal has what the link knows.
fn agree(
    state: &LinkState,
    table: &Table,
    round: &Round,
    wagers: &PlayedWagers,
    result: &WagersResult,
) -> Result<(), Stop> {
    let mut refusal = Refusal::new(RefusalCode::WagersDiffer);
    let jurisdiction = &state.terms.paytable.jurisdiction;
    if wagers.jurisdiction != *jurisdiction {
        refusal = refusal.with("wagers.jurisdiction", jurisdiction);
    }
    if let WagersResult::Settled(settled) = result
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
