//! Fields that outcomes and standings share: payouts, holders, seats, the names of hits.

use meterhouse_domain::command::Holder;
use meterhouse_domain::event::Payout;
use meterhouse_domain::ids::HitId;
use meterhouse_domain::seat::SeatSet;
use meterhouse_domain::state::LinkState;
use meterhouse_edge::value::hit_text;
use meterhouse_proto::table as proto;

/// Returns a payout on the wire.
pub(crate) fn payout(it: &Payout) -> proto::Payout {
    let player = it.player.as_ref().map(ToString::to_string);
    proto::Payout {
        kind: it.kind.name().to_owned(),
        seat: u32::from(it.seat.0),
        player: player.unwrap_or_default(),
        amount_micros: it.amount.micros(),
        charged_to: it.charged_to.name().to_owned(),
        handed_over: it.handed_over.name().to_owned(),
    }
}

/// Returns the holder of a hand on the wire.
pub(crate) fn holder(holder: Holder) -> proto::Holder {
    use proto::holder::Holder as Wire;
    let holder = match holder {
        Holder::Seat(seat) => Wire::Seat(u32::from(seat.0)),
        Holder::Dealer => Wire::Dealer(proto::Dealer {}),
    };
    proto::Holder {
        holder: Some(holder),
    }
}

/// Seats, ascending.
pub(crate) fn listed(seats: SeatSet) -> Vec<u32> {
    seats.ascending().map(|it| u32::from(it.0)).collect()
}

/// A hit as people write it.
pub(crate) fn name_of(link: &LinkState, hit: HitId) -> String {
    match link.table(hit.table) {
        Some(table) => hit_text(&table.name, hit.sequence, hit.number),
        None => hit_text(hit.table, hit.sequence, hit.number),
    }
}
