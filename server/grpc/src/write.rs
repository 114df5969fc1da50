//! Conversion of outcomes to messages, from the event alone, so that a repeat has the same outcome.
//!
//! The fields mean the same as over HTTP (`http::tables`). Money is in micro-dollars, and values
//! that follow from others are left out.

use std::sync::Arc;

use meterhouse_domain::event::{CoinInAccepted, Event, HitKind, HitRecorded, Origin};
use meterhouse_domain::hand::Hand;
use meterhouse_domain::ids::HitId;
use meterhouse_domain::link::Account;
use meterhouse_domain::round_wagers::RecordedWagers;
use meterhouse_domain::state::LinkState;
use meterhouse_edge::codes::EdgeCode;
use meterhouse_edge::hit::split_due;
use meterhouse_edge::problem::{Problem, merged};
use meterhouse_edge::round_wagers::recorded;
use meterhouse_edge::wire_error::EdgeError;
use meterhouse_engine::answer::Answer;
use meterhouse_engine::view::TableView;
use meterhouse_journal::hit::HitState;
use meterhouse_proto::table::outcome::Outcome as Done;
use meterhouse_proto::{round, table as proto};

use crate::fields::{holder, listed, name_of, payout};
use crate::settlement::message;
use crate::standing;

/// Returns the outcome of a command of the table with this handle. For a table that follows its
/// hits, includes the state of the table.
pub(crate) fn outcome(
    answer: &Answer,
    handle: u32,
    follows: bool,
) -> Result<proto::Outcome, EdgeError> {
    let outcome = &answer.outcome;
    let recorded = &outcome.recorded;
    let Origin::Table { table, sequence } = recorded.origin else {
        return Err(internal(
            "a table's command was answered with no event of a table",
        ));
    };
    let own = HitId {
        table,
        sequence,
        number: 0,
    };
    let done = done(&recorded.event, &answer.link, own)?;
    let displayed_micros = match done {
        Done::Refused(_) => Vec::new(),
        _ => outcome
            .displayed
            .amounts()
            .iter()
            .map(|amount| amount.micros())
            .collect(),
    };
    let standing = follows.then(|| {
        standing::whole(&TableView {
            number: table,
            state: Arc::clone(&answer.link),
            batch: answer.as_of,
            heard_at: None,
            seal: None,
        })
    });
    Ok(proto::Outcome {
        standing,
        handle,
        sequence: sequence.0,
        replayed: answer.replayed,
        at_micros: outcome.at.0,
        batch: outcome.batch,
        position: outcome.position,
        displayed_micros,
        outcome: Some(done),
    })
}

/// Returns the effects of a command; `own` is the name of a hit that it keyed.
fn done(event: &Event, link: &LinkState, own: HitId) -> Result<Done, EdgeError> {
    Ok(match event {
        Event::CoinInAccepted(accepted) => Done::CoinIn(coin_in(accepted, link)),
        Event::ChipsCounted { chips, accepted } => Done::Count(proto::CountDone {
            chips: *chips,
            accepted: *accepted,
        }),
        Event::SeatsFolded { seats } => Done::Fold(proto::FoldDone {
            seats: listed(*seats),
        }),
        Event::HitRecorded(hit) => {
            let keyed = keyed(hit, link, own);
            match hit.kind {
                HitKind::Line => Done::Hit(keyed),
                HitKind::Envy => Done::Envy(keyed),
                HitKind::MagicCard | HitKind::LuckyBonus => Done::Bonus(keyed),
            }
        }
        Event::RoundSettled { hits, wagers, .. } => {
            let numbered = (1..).zip(hits);
            let hits = numbered.map(|(number, hit)| keyed(hit, link, HitId { number, ..own }));
            Done::Settle(proto::SettleDone {
                hits: hits.collect(),
                settlement: settlement(wagers.as_deref())?,
            })
        }
        Event::HitCancelled { hit, .. } => Done::CancelHit(proto::CancelHitDone {
            hit: name_of(link, *hit),
        }),
        Event::RoundClosed { hits, .. } => Done::Close(proto::CloseDone {
            hits: names_of(link, hits),
        }),
        Event::RoundVoided { reason, hits, .. } => Done::Void(proto::VoidDone {
            reason: reason.name().to_owned(),
            hits: names_of(link, hits),
        }),
        Event::Refused { refusal, command } => {
            Done::Refused(refused(Problem::of_refused(refusal, command)))
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
            return Err(internal(
                "a table's command was answered with a person's event",
            ));
        }
    })
}

/// Returns the settlement of the fixed wagers, if the command had any.
fn settlement(wagers: Option<&RecordedWagers>) -> Result<Option<round::Settlement>, EdgeError> {
    let Some(wagers) = wagers else {
        return Ok(None);
    };
    let shown = recorded(wagers).map(|shown| Some(message(&shown)));
    shown.ok_or_else(|| internal("the settled wagers of an event can't be shown"))
}

fn refused(problem: Problem) -> proto::Refused {
    let fields = merged(&problem.fields).into_iter();
    proto::Refused {
        code: problem.code.to_owned(),
        fields: fields
            .map(|(name, value)| (name.to_owned(), value))
            .collect(),
        detail: problem.detail,
    }
}

fn coin_in(accepted: &CoinInAccepted, link: &LinkState) -> proto::CoinInDone {
    let levels = link.terms.content().levels.len();
    let mut contribution_micros = vec![0; levels];
    for (share, added) in link.shares.iter().zip(accepted.added.amounts()) {
        if share.account == Account::Meter
            && let Some(level) = contribution_micros.get_mut(share.book.index())
        {
            *level = added.micros();
        }
    }
    let mut over_ceiling_micros = Vec::new();
    for (book, over) in &accepted.over_ceiling {
        over_ceiling_micros.resize(levels, 0);
        if let Some(level) = over_ceiling_micros.get_mut(book.index()) {
            *level = over.micros();
        }
    }
    let magic_card = accepted.draws.magic_card.map(|card| card.to_string());
    proto::CoinInDone {
        seats: listed(accepted.own),
        dealer_seats: listed(accepted.dealer),
        contribution_micros,
        over_ceiling_micros,
        magic_card: magic_card.unwrap_or_default(),
        lucky_position: accepted.draws.lucky_position.map(holder),
    }
}

fn keyed(hit: &HitRecorded, link: &LinkState, own: HitId) -> proto::HitDone {
    let state = if hit.needs_validation {
        HitState::Pending
    } else {
        HitState::ValidatedByRule
    };
    let level = |index: u8| link.terms.content().levels.get(usize::from(index));
    let taken = hit.taken.map(|taken| proto::Taken {
        level: level(taken.level)
            .map(|level| level.name.to_string())
            .unwrap_or_default(),
        percent: taken.percent.map(u32::from),
        before_micros: taken.before.micros(),
        after_micros: taken.after.micros(),
    });
    let (due, envy_due) = split_due(&hit.payouts);
    proto::HitDone {
        hit: name_of(link, own),
        round: hit.round.0,
        order: hit.order.0,
        kind: hit.kind.name().to_owned(),
        holder: Some(holder(hit.holder)),
        hand: hit.hand.map(Hand::name).unwrap_or_default().to_owned(),
        state: state.name().to_owned(),
        taken,
        due_micros: due.micros(),
        envy_due_micros: envy_due.micros(),
        payouts: hit.payouts.iter().map(payout).collect(),
    }
}

fn names_of(link: &LinkState, hits: &[HitId]) -> Vec<String> {
    hits.iter().map(|hit| name_of(link, *hit)).collect()
}

/// Returns an internal error, which is logged only here.
fn internal(what: &str) -> EdgeError {
    tracing::error!(what, "a command could not be answered");
    EdgeError::new(EdgeCode::Internal)
}
