//! The fixed wagers beside the cards of a table's `settle`.

use meterhouse_api::request::List;
use meterhouse_api::round_settlement::ROUND_SEATS_MAX;
use meterhouse_api::round_wagers::{RoundWagers, SeatWagers};
use meterhouse_edge::value::{self, bounded_by};
use meterhouse_edge::wire_error::EdgeError;
use meterhouse_proto::table as proto;

use crate::settlement::{cards, perhaps, terms, texts, wagers};
use crate::values;

/// Returns the wagers of a message.
pub(crate) fn sent(message: &proto::RoundWagers) -> Result<RoundWagers, EdgeError> {
    bounded_by("settle.wagers.seats", &message.seats, ROUND_SEATS_MAX)?;
    let seats = message.seats.iter().enumerate();
    let seats = seats.map(|(index, sent)| seat(index, sent));
    Ok(RoundWagers {
        jurisdiction: value::read("settle.wagers.jurisdiction", &message.jurisdiction)?,
        terms: terms("settle.wagers.terms", message.terms.as_ref())?,
        tables: texts("settle.wagers.tables", &message.tables)?,
        bonus: cards("settle.wagers.bonus", &message.bonus)?,
        seats: seats.collect::<Result<Vec<_>, _>>().map(List)?,
    })
}

fn seat(index: usize, sent: &proto::SeatWagers) -> Result<SeatWagers, EdgeError> {
    let field = |name: &str| format!("settle.wagers.seats[{index}].{name}");
    Ok(SeatWagers {
        seat: values::small(sent.seat, || field("seat"))?,
        player: perhaps(&field("player"), &sent.player)?,
        end: perhaps(&field("end"), &sent.end)?,
        wagers: wagers(&field("wagers"), &sent.wagers)?,
    })
}
