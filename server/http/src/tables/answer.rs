//! The answer to a table's command, made from the event alone: a repeat reads the same again.

use meterhouse_domain::command::Holder;
use meterhouse_domain::event::{CoinInAccepted, Event, HitKind, HitRecorded, Origin};
use meterhouse_domain::link::Account;
use meterhouse_domain::money::Money;
use meterhouse_domain::name::{Sequence, TableNo};
use meterhouse_domain::paytable::Level;
use meterhouse_domain::seat::SeatSet;
use meterhouse_edge::value;
use meterhouse_engine::answer::Answer;
use meterhouse_engine::view::Place;
use meterhouse_journal::hit::HitState;

use super::done::{
    CancelHitDone, CloseDone, CoinInDone, CommandAnswer, ContributedLevel, CountDone, Done,
    FoldDone, HitDone, VoidDone,
};
use crate::problem::Failure;
use crate::render::{Amount, At, LevelAmount, Names, PayoutView, split_due};
use crate::replay::Written;

/// The answer as it is written: 201, 200 again, or the refusal.
pub(crate) fn written(answer: &Answer) -> Result<Written<CommandAnswer>, Failure> {
    let outcome = &answer.outcome;
    let Origin::Table { table, sequence } = outcome.recorded.origin else {
        return Err(Failure::internal(
            "a table's command was answered with no event of a table",
        ));
    };
    let names = Names::of_state(&answer.link);
    let done = done(answer, names, table, sequence)?;
    let place = Place {
        batch: outcome.batch,
        position: outcome.position,
    };
    let body = CommandAnswer {
        table: names.table(table),
        sequence: sequence.0,
        done,
        at: At(outcome.at),
        place: value::place_text(place),
    };
    Ok(Written {
        body,
        replayed: answer.replayed,
    })
}

fn done(
    answer: &Answer,
    names: Names<'_>,
    table: TableNo,
    sequence: Sequence,
) -> Result<Done, Failure> {
    let levels = LevelAmount::all(names.terms(), answer.outcome.displayed.amounts());
    let hits = |hits: &[Sequence]| hits.iter().map(|it| names.numbered(table, it)).collect();
    Ok(match &answer.outcome.recorded.event {
        Event::CoinInAccepted(it) => {
            Done::CoinIn(coin_in(answer, names, names.numbered(table, sequence), it))
        }
        Event::ChipsCounted { chips, accepted } => Done::Count(CountDone {
            chips: *chips,
            accepted: *accepted,
            differ: chips != accepted,
            levels,
        }),
        Event::SeatsFolded { seats } => Done::Fold(FoldDone {
            seats: listed(*seats),
            levels,
        }),
        Event::HitRecorded(it) => {
            let done = Box::new(hit(it, names, table, sequence, levels));
            match it.kind {
                HitKind::Line => Done::Hit(done),
                HitKind::Envy => Done::Envy(done),
            }
        }
        Event::HitCancelled { hit, .. } => Done::CancelHit(CancelHitDone {
            hit: names.hit(*hit),
            levels,
        }),
        Event::RoundClosed { hits: paid, .. } => Done::Close(CloseDone {
            hits: hits(paid),
            levels,
        }),
        Event::RoundVoided {
            reason,
            hits: reversed,
            ..
        } => Done::Void(VoidDone {
            reason: reason.name(),
            hits: hits(reversed),
            levels,
        }),
        Event::Refused { refusal, .. } => {
            return Err(Failure::from(refusal.clone()).replayed(answer.replayed));
        }
        Event::LinkOpened { .. }
        | Event::TableJoined(_)
        | Event::HitValidated { .. }
        | Event::HitRejected { .. }
        | Event::PayoutPaid { .. }
        | Event::LinkFaulted { .. } => {
            return Err(Failure::internal(
                "a table's command was answered with a person's event",
            ));
        }
    })
}

fn coin_in(answer: &Answer, names: Names<'_>, round: String, it: &CoinInAccepted) -> CoinInDone {
    let shares = answer.link.shares.iter().zip(it.added.amounts());
    let to_meters: Vec<_> = shares
        .filter(|(share, _)| share.account == Account::Meter)
        .collect();
    let levels = names
        .terms()
        .content()
        .levels
        .iter()
        .zip(answer.outcome.displayed.amounts());
    let level = |(index, (level, amount)): (usize, (&Level, &Money))| {
        let own = to_meters
            .iter()
            .find(|(share, _)| share.book.index() == index);
        ContributedLevel {
            level: level.name.to_string(),
            contribution: Amount(own.map(|(_, added)| **added).unwrap_or_default()),
            amount: Amount(*amount),
        }
    };
    CoinInDone {
        round,
        seats: listed(it.own),
        dealer_seats: listed(it.dealer),
        wagers: it.own.len() + it.dealer.len(),
        levels: levels.enumerate().map(level).collect(),
    }
}

fn hit(
    it: &HitRecorded,
    names: Names<'_>,
    table: TableNo,
    sequence: Sequence,
    levels: Vec<LevelAmount>,
) -> HitDone {
    let (due, envy_due) = split_due(&it.payouts);
    let state = if it.needs_validation {
        HitState::Pending
    } else {
        HitState::ValidatedByRule
    };
    let (seat, dealer) = match it.holder {
        Holder::Seat(seat) => (Some(seat.0), None),
        Holder::Dealer => (None, Some(true)),
    };
    HitDone {
        hit: names.numbered(table, sequence),
        round: names.numbered(table, it.round),
        order: it.order.0,
        kind: it.kind.name(),
        state: state.name(),
        seat,
        dealer,
        hand: it.hand.name(),
        level: it.taken.map(|it| names.level(it.level).to_owned()),
        percent: it.taken.map(|it| it.percent),
        before: it.taken.map(|it| Amount(it.before)),
        after: it.taken.map(|it| Amount(it.after)),
        due: Amount(due),
        envy_due: Amount(envy_due),
        needs_validation: it.needs_validation,
        payouts: (1..)
            .zip(&it.payouts)
            .map(|(n, it)| PayoutView::of_event(n, it))
            .collect(),
        levels,
    }
}

fn listed(seats: SeatSet) -> Vec<u8> {
    seats.ascending().map(|it| it.0).collect()
}
