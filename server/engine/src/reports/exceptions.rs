//! The exceptions of a link: events of the journal that someone has to look at, each with its clearance.
//!
//! # Shape
//! An exception is found in its event alone: chips that differ from the accepted wagers, a lost table, a fault, and a short
//! meter. A meter is short if the house had to pay a part of what is charged to it, or if two people lowered it below
//! the amount that its level restarts with (DECISIONS 210). One event is at most one exception.
//!
//! # Limits
//! The journal is read from its end, in pages. A list of exceptions has the caller's limit, and ends earlier after
//! [`CANDIDATE_PAGES_MAX`] pages: the next list goes on where it ended.

use std::collections::BTreeMap;

use meterhouse_domain::change::{AdjustedAccount, Effect};
use meterhouse_domain::entries::entries;
use meterhouse_domain::event::{Event, Origin, Recorded};
use meterhouse_domain::ids::{HitId, LinkId, LinkName};
use meterhouse_domain::link::{Account, Move};
use meterhouse_domain::money::Money;
use meterhouse_domain::paytable::Pays;
use meterhouse_domain::state::LinkState;
use meterhouse_journal::kind;
use meterhouse_journal::position::Position;
use meterhouse_journal::record::from_row;
use meterhouse_store::{ClearanceRow, NOTABLE_MAX, PositionedEvent, Store};

use crate::answer::{NotExecuted, damaged, unavailable};
use crate::context::Engine;
use crate::operations::proposal_history::LinkNames;
use crate::reports::sums::too_much;
use crate::view::{Clearance, ExceptionFilter, ExceptionKind, ExceptionView, Page, public_reason};

/// Pages of events that one list of exceptions looks through: most hits of a charged link are no exceptions.
const CANDIDATE_PAGES_MAX: usize = 10;
/// The kinds of events that may be exceptions on every link.
const KINDS: &[u8] = &[kind::LINK_FAULTED, kind::TABLE_LOST, kind::CHANGE_APPROVED];
/// The kinds of events that may be exceptions on a link with fixed pays that come off a meter.
const KINDS_WITH_HITS: &[u8] = &[
    kind::LINK_FAULTED,
    kind::TABLE_LOST,
    kind::CHANGE_APPROVED,
    kind::HIT_RECORDED,
    kind::ROUND_SETTLED_WITH_HITS,
    kind::ROUND_SETTLED_WITH_WAGERS_AND_HITS,
];

impl Engine {
    /// Returns the exceptions of a link, newest first.
    ///
    /// # Errors
    /// [`NotExecuted`] if there is no such link, the next exceptions are archived, or the database can't be queried.
    pub async fn exceptions(
        &self,
        link: &LinkName,
        filter: ExceptionFilter,
    ) -> Result<Page<ExceptionView, Position>, NotExecuted> {
        let id = self.context.registry.find_link(link).await?;
        let known = self.context.registry.confirmed_state(id).await?;
        let (from, to) = (filter.from, filter.to);
        let (from_batch, to_batch) = self.batches_between(id, from, to, known.batch).await?;
        let store = &self.context.store;
        let limit = usize::try_from(filter.limit).unwrap_or(NOTABLE_MAX);
        let end = Position::behind(to_batch);
        let mut before = filter.after.map_or(end, |after| after.min(end));
        let mut items = Vec::new();
        let mut pages = 0;
        loop {
            let (page, next) = page(store, id, &known.state, before, from_batch).await?;
            pages += 1;
            let is_asked = |exception: &ExceptionView| {
                let is_cleared = exception.clearance.is_some();
                filter.cleared.is_none_or(|cleared| cleared == is_cleared)
            };
            items.extend(page.into_iter().filter(is_asked));
            if items.len() >= limit {
                items.truncate(limit);
                let next = items.last().map(|last: &ExceptionView| last.position);
                return Ok(Page { items, next });
            }
            match next {
                Some(next) if pages == CANDIDATE_PAGES_MAX => {
                    let next = Some(next);
                    return Ok(Page { items, next });
                }
                Some(next) => before = next,
                None => break,
            }
        }
        // Archived counts are in no list of kinds, so that any archived event may be an exception.
        let first = Position::behind(from_batch);
        match store.refuse_archived(id, first, None).await {
            Ok(()) => Ok(Page { items, next: None }),
            Err(error) => match items.last() {
                // The page behind the live exceptions answers that the next ones are archived.
                Some(last) => {
                    let next = Some(last.position);
                    Ok(Page { items, next })
                }
                None => Err(unavailable(error)),
            },
        }
    }
}

/// Returns all exceptions of a range of batches, newest first, with their clearances.
pub(crate) async fn exceptions_between(
    store: &Store,
    link: LinkId,
    state: &LinkState,
    (from_batch, to_batch): (u64, u64),
) -> Result<Vec<ExceptionView>, NotExecuted> {
    let mut found = Vec::new();
    let mut before = Position::behind(to_batch);
    loop {
        let (page, next) = page(store, link, state, before, from_batch).await?;
        found.extend(page);
        match next {
            Some(next) => before = next,
            None => return Ok(found),
        }
    }
}

/// Returns the exceptions among the next older events, and the position of the last event if older ones follow.
async fn page(
    store: &Store,
    link: LinkId,
    state: &LinkState,
    before: Position,
    from_batch: u64,
) -> Result<(Vec<ExceptionView>, Option<Position>), NotExecuted> {
    let kinds = kinds(state);
    let events = store.exception_candidates(link, kinds, before, from_batch);
    let events = events.await.map_err(unavailable)?;
    let found = events.iter().map(|event| exception_of(state, event));
    let found = found.filter_map(Result::transpose);
    let mut found = found.collect::<Result<Vec<_>, _>>()?;
    add_clearances(store, link, &mut found).await?;
    let last = events.last().filter(|_| events.len() == NOTABLE_MAX);
    Ok((found, last.map(|last| last.position)))
}

/// Adds who cleared these exceptions.
pub(crate) async fn add_clearances(
    store: &Store,
    link: LinkId,
    exceptions: &mut [ExceptionView],
) -> Result<(), NotExecuted> {
    let positions: Vec<Position> = exceptions.iter().map(|found| found.position).collect();
    let rows = store.clearances(link, &positions).await;
    let rows = rows.map_err(unavailable)?.into_iter();
    let mut rows: BTreeMap<Position, ClearanceRow> = rows.map(|row| (row.position, row)).collect();
    for exception in exceptions {
        exception.clearance = rows.remove(&exception.position).map(clearance);
    }
    Ok(())
}

fn clearance(row: ClearanceRow) -> Clearance {
    Clearance {
        by: row.actor_name.unwrap_or_else(|| row.actor.to_string()),
        at: row.at,
        reason: row.reason,
    }
}

/// Returns the kinds of events that may be exceptions on a link.
fn kinds(state: &LinkState) -> &'static [u8] {
    let lines = &state.terms.content().lines;
    let is_charged = |pays: Pays| matches!(pays, Pays::ForOneOf { .. });
    if lines.iter().any(|line| is_charged(line.pays)) {
        KINDS_WITH_HITS
    } else {
        KINDS
    }
}

/// Returns an event as an exception, if it is one.
pub(crate) fn exception_of(
    state: &LinkState,
    happening: &PositionedEvent,
) -> Result<Option<ExceptionView>, NotExecuted> {
    let batch = happening.position.batch;
    let recorded = from_row(&happening.event);
    let recorded = recorded.map_err(|error| damaged(&format!("batch {batch}: {error}")))?;
    let names = LinkNames::of(state);
    let blank = ExceptionView {
        position: happening.position,
        at: happening.at,
        kind: ExceptionKind::MeterShort,
        by: recorded.by.as_ref().map(ToString::to_string),
        table: None,
        level: None,
        hit: None,
        proposal: None,
        counted: None,
        accepted: None,
        short: None,
        heard_at: None,
        reason: None,
        clearance: None,
    };
    let of_table = match recorded.origin {
        Origin::Table { table, .. } => names.table(table),
        Origin::Person => None,
    };
    Ok(match &recorded.event {
        Event::ChipsCounted { chips, accepted } if chips != accepted => Some(ExceptionView {
            kind: ExceptionKind::CountDiffers,
            table: of_table,
            counted: Some(*chips),
            accepted: Some(*accepted),
            ..blank
        }),
        Event::TableLost {
            table, heard_at, ..
        } => Some(ExceptionView {
            kind: ExceptionKind::TableLost,
            table: names.table(*table),
            heard_at: Some(*heard_at),
            ..blank
        }),
        Event::LinkFaulted { reason } => Some(ExceptionView {
            kind: ExceptionKind::LinkFaulted,
            reason: Some(public_reason(reason).to_owned()),
            ..blank
        }),
        _ => short_meter(state, &recorded)?.map(|short| ExceptionView {
            table: of_table,
            level: short.level.and_then(|level| names.level(level)),
            hit: short.hit.and_then(|hit| names.hit(hit)),
            proposal: match &recorded.event {
                Event::ChangeApproved { proposal, .. } => Some(*proposal),
                _ => None,
            },
            short: Some(short.amount),
            ..blank
        }),
    })
}

/// A meter that was short.
struct Short {
    /// The level, if it is one alone.
    level: Option<u8>,
    hit: Option<HitId>,
    amount: Money,
}

/// Returns the amount that a meter was short of in an event.
fn short_meter(state: &LinkState, recorded: &Recorded) -> Result<Option<Short>, NotExecuted> {
    let own = |number| match recorded.origin {
        Origin::Table { table, sequence } => Some(HitId {
            table,
            sequence,
            number,
        }),
        Origin::Person => None,
    };
    let hit = match &recorded.event {
        Event::HitRecorded(_) => own(0),
        Event::RoundSettled { .. } => None,
        Event::ChangeApproved { effect, .. } => match effect.as_ref() {
            Effect::Adjusted {
                level,
                account: AdjustedAccount::Meter,
                before,
                after,
            } => return lowered(state, *level, *before, *after),
            Effect::LateHitRecorded { hit, .. } | Effect::Corrected { hit, .. } => Some(*hit),
            _ => return Ok(None),
        },
        _ => return Ok(None),
    };
    let moves = entries(&state.shares, &recorded.event);
    let levels = state.terms.content().levels.len();
    let of_level = |level| (level, covered(&moves, level));
    let short: Vec<(usize, i128)> = (0..levels)
        .map(of_level)
        .filter(|(_, covered)| *covered > 0)
        .collect();
    let sum: i128 = short.iter().map(|(_, covered)| covered).sum();
    let level = match short.as_slice() {
        [] => return Ok(None),
        [(level, _)] => u8::try_from(*level).ok(),
        _ => None,
    };
    let amount = Money::from_micros(i64::try_from(sum).map_err(|_| too_much())?);
    Ok(Some(Short { level, hit, amount }))
}

/// Returns the amount by which an adjustment left a meter below the amount that its level restarts with. Percentages may
/// leave it there (RULES figures E and F), people need a reason.
fn lowered(
    state: &LinkState,
    level: u8,
    before: Money,
    after: Money,
) -> Result<Option<Short>, NotExecuted> {
    let found = state.terms.content().levels.get(usize::from(level));
    let reseed = found.map_or(0, |level| level.reseed);
    let restart = state.terms.wager.for_one(reseed);
    let restart = restart.map_err(|_| too_much())?;
    if after >= before || after >= restart {
        return Ok(None);
    }
    Ok(Some(Short {
        level: Some(level),
        hit: None,
        amount: restart.minus(after).map_err(|_| too_much())?,
    }))
}

/// Returns the amount that the house paid in a level's book for what is charged to its meter.
fn covered(moves: &[Move], level: usize) -> i128 {
    let of_level = moves.iter().filter(|entry| entry.book.index() == level);
    let signed = of_level.map(|entry| match (entry.from, entry.to) {
        (Account::House, Account::Pending) => i128::from(entry.amount.micros()),
        (Account::Pending, Account::House) => -i128::from(entry.amount.micros()),
        _ => 0,
    });
    signed.sum()
}
