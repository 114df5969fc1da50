//! The answer to a table's command, made from the event alone: a repeat reads the same again.

use meterhouse_domain::event::{CoinInAccepted, Event, HitKind, HitRecorded, Origin};
use meterhouse_domain::ids::HitId;
use meterhouse_domain::link::Account;
use meterhouse_domain::money::Money;
use meterhouse_domain::paytable::Level;
use meterhouse_engine::answer::Answer;
use meterhouse_journal::position::Position;

use super::done::{
    CancelHitDone, CloseDone, CoinInDone, CommandAnswer, ContributedLevel, CountDone, Done,
    FoldDone, HitDone, SettleDone, VoidDone,
};
use crate::problem::Failure;
use crate::render::{Amount, At, Drawn, HitKeyed, LevelAmount, Names, listed};
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
    let own = HitId {
        table,
        sequence,
        number: 0,
    };
    let done = done(answer, names, own)?;
    let position = Position {
        batch: outcome.batch,
        index: outcome.position,
    };
    let body = CommandAnswer {
        table: names.table(table),
        sequence: sequence.0,
        done,
        at: At(outcome.at),
        position: position.to_string(),
    };
    Ok(Written {
        body,
        replayed: answer.replayed,
    })
}

/// What the command did; `own` is the name of a hit that it keyed.
fn done(answer: &Answer, names: Names<'_>, own: HitId) -> Result<Done, Failure> {
    let levels = LevelAmount::all(names.terms(), answer.outcome.displayed.amounts());
    Ok(match &answer.outcome.recorded.event {
        Event::CoinInAccepted(it) => Done::CoinIn(coin_in(answer, names, own, it)),
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
        Event::HitRecorded(it) => hit(it, names, own, levels),
        Event::RoundSettled { hits, .. } => {
            let numbered = (1..).zip(hits);
            let keyed = numbered.map(|(number, it)| keyed(it, names, HitId { number, ..own }));
            let hits = keyed.collect();
            Done::Settle(SettleDone { hits, levels })
        }
        Event::HitCancelled { hit, .. } => Done::CancelHit(CancelHitDone {
            hit: names.hit(*hit),
            levels,
        }),
        Event::RoundClosed { hits, .. } => Done::Close(CloseDone {
            hits: names.hits(hits),
            levels,
        }),
        Event::RoundVoided { reason, hits, .. } => Done::Void(VoidDone {
            reason: reason.name(),
            hits: names.hits(hits),
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
        | Event::ValuesAccepted { .. }
        | Event::LinkSuspended { .. }
        | Event::LinkResumed
        | Event::LevelDisabled { .. }
        | Event::LevelEnabled { .. }
        | Event::TableLost { .. }
        | Event::TableBack { .. }
        | Event::TableDisabled { .. }
        | Event::TableEnabled { .. }
        | Event::TableLeft { .. }
        | Event::ChangeProposed { .. }
        | Event::ChangeApproved { .. }
        | Event::ChangeDeclined { .. }
        | Event::LinkFaulted { .. } => {
            return Err(Failure::internal(
                "a table's command was answered with a person's event",
            ));
        }
    })
}

fn coin_in(answer: &Answer, names: Names<'_>, own: HitId, it: &CoinInAccepted) -> CoinInDone {
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
        let over = it
            .over_ceiling
            .iter()
            .find(|(book, _)| book.index() == index);
        ContributedLevel {
            level: level.name.to_string(),
            contribution: Amount(own.map(|(_, added)| **added).unwrap_or_default()),
            over_ceiling: over.map(|(_, amount)| Amount(*amount)),
            amount: Amount(*amount),
        }
    };
    CoinInDone {
        round: names.numbered(own.table, own.sequence),
        seats: listed(it.own),
        dealer_seats: listed(it.dealer),
        wagers: it.own.len() + it.dealer.len(),
        drawn: Drawn::from(&it.draws),
        levels: levels.enumerate().map(level).collect(),
    }
}

fn hit(it: &HitRecorded, names: Names<'_>, own: HitId, levels: Vec<LevelAmount>) -> Done {
    let done = Box::new(HitDone {
        keyed: keyed(it, names, own),
        levels,
    });
    match it.kind {
        HitKind::Line => Done::Hit(done),
        HitKind::Envy => Done::Envy(done),
        HitKind::MagicCard | HitKind::LuckyBonus => Done::Bonus(done),
    }
}

fn keyed(it: &HitRecorded, names: Names<'_>, id: HitId) -> HitKeyed {
    HitKeyed::new(names, names.hit(id), names.numbered(id.table, it.round), it)
}

#[cfg(test)]
mod tests;
