//! The state of a table and its link as a message, from which a controller resumes and draws its
//! keypad.

use meterhouse_domain::hand::Hand;
use meterhouse_domain::ids::{Sequence, TableNo};
use meterhouse_domain::money::Money;
use meterhouse_domain::state::{Hit, PayoutState, Round};
use meterhouse_edge::hit::split_due;
use meterhouse_engine::view::TableView;
use meterhouse_journal::hit::HitState;
use meterhouse_proto::table as proto;

use crate::fields::{holder, listed, name_of, payout};

/// Returns the state of a table and its link, without the round and the hits.
pub(crate) fn brief(view: &TableView) -> proto::Standing {
    proto::Standing {
        link_state: view.word().name().to_owned(),
        reason: view.reason().unwrap_or_default(),
        disabled: view.disabled().iter().map(ToString::to_string).collect(),
        lost: view.lost().is_some(),
        table_state: view.status().name().to_owned(),
        table_reason: view
            .disabled_reason()
            .map_or_else(String::new, ToString::to_string),
        open_round: view.round().map_or(0, |round| round.sequence.0),
        displayed_micros: view.state.displayed().map(Money::micros).collect(),
        batch: view.batch,
        round: None,
        closed_hits: Vec::new(),
    }
}

/// Returns the state of a table and its link, with the open round and the hits.
pub(crate) fn whole(view: &TableView) -> proto::Standing {
    let closed = view.closed_hits();
    proto::Standing {
        round: view.round().map(|open| round(view, open)),
        closed_hits: closed
            .map(|closed| hit(view, closed.round, &closed.hit))
            .collect(),
        ..brief(view)
    }
}

fn round(view: &TableView, round: &Round) -> proto::Round {
    let players = round.players.iter();
    let magic_card = round.draws.magic_card.map(|card| card.to_string());
    proto::Round {
        round: round.sequence.0,
        seats: listed(round.own),
        dealer_seats: listed(round.dealer),
        dealt: listed(round.dealt),
        folded: listed(round.folded),
        magic_card: magic_card.unwrap_or_default(),
        lucky_position: round.draws.lucky_position.map(holder),
        players: players
            .map(|(seat, player)| proto::SeatedPlayer {
                seat: u32::from(seat.0),
                player: player.to_string(),
            })
            .collect(),
        hits: round
            .hits
            .iter()
            .map(|keyed| hit(view, round.sequence, keyed))
            .collect(),
    }
}

fn hit(view: &TableView, round: Sequence, hit: &Hit) -> proto::RoundHit {
    let table: TableNo = view.number;
    let levels = &view.state.terms.content().levels;
    let level = hit
        .taken
        .and_then(|taken| levels.get(usize::from(taken.level)));
    let payouts: Vec<_> = hit
        .payouts
        .iter()
        .map(|payout| payout.payout.clone())
        .collect();
    let (due, envy_due) = split_due(&payouts);
    proto::RoundHit {
        hit: name_of(&view.state, hit.id(table)),
        round: round.0,
        order: hit.order.0,
        kind: hit.kind.name().to_owned(),
        holder: Some(holder(hit.holder)),
        hand: hit.hand.map(Hand::name).unwrap_or_default().to_owned(),
        state: HitState::of(hit).name().to_owned(),
        level: level
            .map(|level| level.name.to_string())
            .unwrap_or_default(),
        percent: hit.taken.and_then(|taken| taken.percent).map(u32::from),
        due_micros: due.micros(),
        envy_due_micros: envy_due.micros(),
        payouts: hit.payouts.iter().map(round_payout).collect(),
    }
}

fn round_payout(of: &PayoutState) -> proto::RoundPayout {
    let document = of.paid.as_ref().and_then(|paid| paid.document.as_ref());
    proto::RoundPayout {
        payout: Some(payout(&of.payout)),
        paid: of.paid.is_some(),
        document: document.map(ToString::to_string).unwrap_or_default(),
    }
}
