//! The outcome of a table's command, made from its event alone: a replay gets the same outcome.

use meterhouse_api::hit::Hit;
use meterhouse_api::level::ContributedLevel;
use meterhouse_api::outcome::{
    CancelHitOutcome, CloseOutcome, CoinInOutcome, CommandResponse, CountOutcome, FoldOutcome,
    HitOutcome, Outcome, SettleOutcome, VoidOutcome,
};
use meterhouse_api::round_settlement::RoundSettlement;
use meterhouse_api::text::Text;
use meterhouse_domain::event::{CoinInAccepted, Event, HitKind, HitRecorded, Origin};
use meterhouse_domain::ids::HitId;
use meterhouse_domain::link::Account;
use meterhouse_domain::money::Money;
use meterhouse_domain::paytable::Level;
use meterhouse_domain::round_wagers::RecordedWagers;
use meterhouse_edge::problem::Problem;
use meterhouse_edge::round_wagers::recorded as settled_wagers;
use meterhouse_engine::answer::Answer;
use meterhouse_journal::position::Position;

use crate::problem::Failure;
use crate::render::hit::recorded_hit;
use crate::render::names::Names;
use crate::render::value::{betting_position, level_amounts, seat_list};
use crate::replay::Written;

/// Returns the response: 201, 200 for a replay, or the refusal.
pub(crate) fn written(answer: &Answer) -> Result<Written<CommandResponse>, Failure> {
    let decided = &answer.outcome;
    let Origin::Table { table, sequence } = decided.recorded.origin else {
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
    let outcome = outcome(answer, names, own)?;
    let position = Position {
        batch: decided.batch,
        index: decided.position,
    };
    let body = CommandResponse {
        table: names.table(table),
        sequence: sequence.0,
        outcome,
        at: Text(decided.at),
        position: Text(position),
    };
    Ok(Written {
        body,
        replayed: answer.replayed,
    })
}

/// Returns the result of the command; `own` is the name of a hit that it recorded.
fn outcome(answer: &Answer, names: Names<'_>, own: HitId) -> Result<Outcome, Failure> {
    let levels = || level_amounts(names.terms(), answer.outcome.displayed.amounts());
    Ok(match &answer.outcome.recorded.event {
        Event::CoinInAccepted(accepted) => Outcome::CoinIn(coin_in(answer, names, own, accepted)),
        Event::ChipsCounted { chips, accepted } => Outcome::Count(CountOutcome {
            chips: *chips,
            accepted: *accepted,
            differ: chips != accepted,
            levels: levels(),
        }),
        Event::SeatsFolded { seats } => Outcome::Fold(FoldOutcome {
            seats: seat_list(*seats),
            levels: levels(),
        }),
        Event::HitRecorded(recorded) => {
            let hit = recorded_hit(names, names.hit(own).0, recorded);
            let levels = levels();
            hit_outcome(recorded, HitOutcome { hit, levels })
        }
        Event::RoundSettled { hits, wagers, .. } => {
            let hits = recorded_hits(names, own, hits);
            Outcome::Settle(SettleOutcome {
                hits,
                levels: levels(),
                settlement: settlement(wagers.as_deref())?,
            })
        }
        Event::HitCancelled { hit, .. } => Outcome::CancelHit(CancelHitOutcome {
            hit: names.hit(*hit),
            levels: levels(),
        }),
        Event::RoundClosed { hits, .. } => Outcome::Close(CloseOutcome {
            hits: names.hits(hits),
            levels: levels(),
        }),
        Event::RoundVoided { reason, hits, .. } => Outcome::Void(VoidOutcome {
            reason: Text(*reason),
            hits: names.hits(hits),
            levels: levels(),
        }),
        Event::Refused { refusal, command } => {
            let problem = Problem::of_refused(refusal, command);
            return Err(Failure::of(problem).replayed(answer.replayed));
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

/// Returns the hits of a settled round, numbered from 1.
fn recorded_hits(names: Names<'_>, own: HitId, hits: &[HitRecorded]) -> Vec<Hit> {
    let numbered = (1..).zip(hits);
    let hits = numbered.map(|(number, recorded)| {
        recorded_hit(names, names.hit(HitId { number, ..own }).0, recorded)
    });
    hits.collect()
}

/// Returns the settlement of the fixed wagers, if the command had any.
fn settlement(wagers: Option<&RecordedWagers>) -> Result<Option<Box<RoundSettlement>>, Failure> {
    let Some(wagers) = wagers else {
        return Ok(None);
    };
    let shown = settled_wagers(wagers).map(|shown| Some(Box::new(shown)));
    shown.ok_or_else(|| Failure::internal("the settled wagers of an event can't be shown"))
}

fn hit_outcome(recorded: &HitRecorded, outcome: HitOutcome) -> Outcome {
    let outcome = Box::new(outcome);
    match recorded.kind {
        HitKind::Line => Outcome::Hit(outcome),
        HitKind::Envy => Outcome::Envy(outcome),
        HitKind::MagicCard | HitKind::LuckyBonus => Outcome::Bonus(outcome),
    }
}

fn coin_in(
    answer: &Answer,
    names: Names<'_>,
    own: HitId,
    accepted: &CoinInAccepted,
) -> CoinInOutcome {
    let shares = answer.link.shares.iter().zip(accepted.added.amounts());
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
        let added = to_meters
            .iter()
            .find(|(share, _)| share.book.index() == index);
        let over = accepted
            .over_ceiling
            .iter()
            .find(|(book, _)| book.index() == index);
        ContributedLevel {
            level: Text(level.name.clone()),
            amount: Text(*amount),
            contribution: Text(added.map(|(_, added)| **added).unwrap_or_default()),
            over_ceiling: over.map(|(_, amount)| Text(*amount)),
        }
    };
    CoinInOutcome {
        round: names.round(own.table, own.sequence),
        seats: seat_list(accepted.own),
        dealer_seats: seat_list(accepted.dealer),
        wagers: accepted.own.len() + accepted.dealer.len(),
        magic_card: accepted.draws.magic_card.map(Text),
        lucky_position: accepted.draws.lucky_position.map(betting_position),
        levels: levels.enumerate().map(level).collect(),
    }
}

#[cfg(test)]
mod tests;
