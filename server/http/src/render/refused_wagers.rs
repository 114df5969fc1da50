//! The fixed wagers of a refused command, in the form in which they were sent.

use meterhouse_api::forms::Unsigned;
use meterhouse_api::request::List;
use meterhouse_api::round_settlement::PlacedWager;
use meterhouse_api::round_wagers::{RoundWagers, SeatWagers};
use meterhouse_api::text::Text;
use meterhouse_api::words::Jurisdiction;
use meterhouse_domain::fixed::wager::RoundWager;
use meterhouse_domain::round_wagers::{self, PlayedWagers};

use super::value::cards;

/// Returns the wagers as they were sent. `None` only for a jurisdiction that no release knew.
pub(super) fn refused_wagers(sent: &PlayedWagers) -> Option<RoundWagers> {
    let mut known = Jurisdiction::ALL.iter().copied();
    let tables = sent.tables.iter().cloned().map(Text);
    Some(RoundWagers {
        jurisdiction: known.find(|known| known.name() == sent.jurisdiction)?,
        terms: sent.terms.into(),
        tables: List(tables.collect()),
        bonus: Some(List(cards(&sent.bonus))),
        seats: List(sent.seats.iter().map(seat).collect()),
    })
}

fn seat(sent: &round_wagers::SeatWagers) -> SeatWagers {
    let wagers = sent.wagers.iter().map(|placed| PlacedWager {
        wager: Text(RoundWager::Fixed(placed.wager)),
        amount: Text(Unsigned(placed.amount)),
        numbers: None,
        team: None,
    });
    SeatWagers {
        seat: sent.seat.0,
        player: sent.player.clone().map(Text),
        end: Some(Text(sent.end)),
        wagers: List(wagers.collect()),
    }
}
