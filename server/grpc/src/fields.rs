//! Fields that outcomes and states of tables share: payouts, holders, seats, names of hits.

use meterhouse_domain::command::Holder;
use meterhouse_domain::event::Payout;
use meterhouse_domain::hit_name::HitName;
use meterhouse_domain::ids::{HitId, TableName};
use meterhouse_domain::seat::SeatSet;
use meterhouse_domain::state::LinkState;
use meterhouse_proto::table as proto;

/// Returns a payout as a message.
pub(crate) fn payout(payout: &Payout) -> proto::Payout {
    let player = payout.player.as_ref().map(ToString::to_string);
    proto::Payout {
        kind: payout.kind.name().to_owned(),
        seat: u32::from(payout.seat.0),
        player: player.unwrap_or_default(),
        amount_micros: payout.amount.micros(),
        charged_to: payout.charged_to.name().to_owned(),
        handed_over: payout.handed_over.name().to_owned(),
    }
}

/// Returns the holder of a hand as a message.
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

/// Returns seats in ascending order.
pub(crate) fn listed(seats: SeatSet) -> Vec<u32> {
    seats.ascending().map(|seat| u32::from(seat.0)).collect()
}

/// Returns the name of a hit.
pub(crate) fn name_of(link: &LinkState, hit: HitId) -> String {
    let table = link.table(hit.table).map(|table| table.name.clone());
    let table = table.unwrap_or_else(|| TableName::of_number(hit.table));
    HitName::of(&table, hit).to_string()
}
