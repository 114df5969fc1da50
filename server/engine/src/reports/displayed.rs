//! Displayed amounts at the beginning and the end of a period, and each decrease with its cause.
//!
//! # Shape
//! The amounts are the stored balances of batches. Decreases are read from two sources: the events that lowered a meter
//! by their entries, and the batches whose stored meter is lower than before. The part of a fall that the events of its
//! batch don't explain is a decrease without a cause. No amount is stored twice.
//!
//! # Limits
//! [`DECREASES_MAX`] decreases. A period with more is refused.

use meterhouse_domain::hit_name::HitName;
use meterhouse_journal::position::Position;
use std::collections::BTreeMap;

use meterhouse_domain::change::Effect;
use meterhouse_domain::entries::entries;
use meterhouse_domain::event::{Event, Origin, Recorded};
use meterhouse_domain::ids::{HitId, LinkId, LinkName, ProposalId, Timestamp};
use meterhouse_domain::link::{ACCOUNTS, Account, Move};
use meterhouse_domain::money::Money;
use meterhouse_domain::refusal::{Refusal, RefusalCode};
use meterhouse_domain::state::LinkState;
use meterhouse_journal::record::from_row;
use meterhouse_store::{MeterFall, NOTABLE_MAX, PositionedEvent, Store};

use crate::answer::{NotExecuted, damaged, unavailable};
use crate::context::Engine;
use crate::reports::period::is_over;
use crate::reports::sums::too_much;
use crate::stored_rows::displayed;
use crate::view::{Cause, CauseKind, Decrease, DisplayedLevel, DisplayedView};

/// Maximum number of decreases in one report.
const DECREASES_MAX: usize = 10_000;

/// The moves of one event on the meters, for one cause.
struct Moved<'a> {
    cause: Cause,
    moves: &'a [Move],
}

impl Engine {
    /// Returns the displayed amounts before two times, and every decrease in between.
    ///
    /// # Errors
    /// [`NotExecuted`] if there is no such link, the period has too many decreases, or the database can't be queried.
    pub async fn displayed_between(
        &self,
        link: &LinkName,
        from: Timestamp,
        to: Timestamp,
    ) -> Result<DisplayedView, NotExecuted> {
        let id = self.context.registry.find_link(link).await?;
        let known = self.context.registry.confirmed_state(id).await?;
        let state = &known.state;
        let terms = &state.terms;
        let levels = terms.content().levels.len();
        let (from_batch, opening) = self.shown_before(id, from, levels).await?;
        let (to_batch, closing) = self.shown_before(id, to, levels).await?;
        let store = &self.context.store;
        let decreases = decreases_between(store, id, state, (from_batch, to_batch)).await?;
        let names = terms.content().levels.iter();
        let shown = names.zip(opening.into_iter().zip(closing));
        let level = |(level, (opening, closing)): (&meterhouse_domain::paytable::Level, _)| {
            DisplayedLevel {
                level: level.name.clone(),
                opening,
                closing,
            }
        };
        Ok(DisplayedView {
            link: terms.name.clone(),
            from,
            to,
            complete: is_over(to),
            from_batch,
            to_batch,
            levels: shown.map(level).collect(),
            decreases,
        })
    }

    /// Returns the last batch before a time, with the displayed amounts after it.
    async fn shown_before(
        &self,
        link: LinkId,
        moment: Timestamp,
        levels: usize,
    ) -> Result<(u64, Vec<Money>), NotExecuted> {
        let last = Timestamp(moment.0.saturating_sub(1));
        let found = self.context.store.balances_at(link, last).await;
        Ok(match found.map_err(unavailable)? {
            Some(found) => (found.batch, displayed(&found.after, levels)),
            None => (0, vec![Money::ZERO; levels]),
        })
    }
}

/// Returns every decrease of a range of batches, in the journal's order.
pub(crate) async fn decreases_between(
    store: &Store,
    link: LinkId,
    state: &LinkState,
    (from_batch, to_batch): (u64, u64),
) -> Result<Vec<Decrease>, NotExecuted> {
    let mut report = Decreases::default();
    let mut after = Position::behind(from_batch);
    loop {
        let page = store
            .notable_after(link, after, to_batch, NOTABLE_MAX)
            .await;
        let page = page.map_err(unavailable)?;
        for happening in &page {
            report.read(state, happening)?;
        }
        match page.last() {
            Some(last) if page.len() == NOTABLE_MAX => after = last.position,
            Some(_) | None => break,
        }
    }
    let falls = store.meter_falls(link, from_batch, to_batch, DECREASES_MAX);
    for fall in &falls.await.map_err(unavailable)? {
        report.match_fall(state, fall)?;
    }
    Ok(report.in_order())
}

/// The decreases of a period.
#[derive(Default)]
struct Decreases {
    found: Vec<Decrease>,
    /// The sum of the events' moves on each meter, by batch.
    sums: BTreeMap<(u64, usize), i128>,
}

impl Decreases {
    /// Adds the moves and the decreases of an event.
    fn read(&mut self, state: &LinkState, happening: &PositionedEvent) -> Result<(), NotExecuted> {
        let batch = happening.position.batch;
        let recorded = from_row(&happening.event);
        let recorded = recorded.map_err(|error| damaged(&format!("batch {batch}: {error}")))?;
        let levels = state.terms.content().levels.len();
        let all = entries(&state.shares, &recorded.event);
        for level in 0..levels {
            let moved = on_meter(&all, level);
            if moved != 0 {
                *self.sums.entry((batch, level)).or_default() += moved;
            }
        }
        for Moved { cause, moves } in causes(state, &recorded) {
            for level in 0..levels {
                let moved = on_meter(moves, level);
                if moved < 0 {
                    let position = Position {
                        batch,
                        index: happening.position.index,
                    };
                    let cause = Some(cause.clone());
                    self.add(state, (level, -moved), position, happening.at, cause)?;
                }
            }
        }
        Ok(())
    }

    /// Adds the part of a batch's fall that its events don't explain. Wagers only make a fall smaller.
    fn match_fall(&mut self, state: &LinkState, fall: &MeterFall) -> Result<(), NotExecuted> {
        let levels = state.terms.content().levels.len();
        for level in 0..levels {
            let position = level * ACCOUNTS + Account::Meter.index();
            let amount = |balances: &[i64]| balances.get(position).copied().unwrap_or_default();
            let decrease = i128::from(amount(&fall.before)) - i128::from(amount(&fall.after));
            let sum = self.sums.get(&(fall.batch, level));
            let unexplained = decrease + sum.copied().unwrap_or_default();
            if decrease > 0 && unexplained > 0 {
                let position = Position {
                    batch: fall.batch,
                    index: 0,
                };
                self.add(state, (level, unexplained), position, fall.at, None)?;
            }
        }
        Ok(())
    }

    fn add(
        &mut self,
        state: &LinkState,
        (level, micros): (usize, i128),
        position: Position,
        at: Timestamp,
        cause: Option<Cause>,
    ) -> Result<(), NotExecuted> {
        if self.found.len() == DECREASES_MAX {
            let refusal = Refusal::new(RefusalCode::OutOfRange);
            let refusal = refusal.with("decreases", format_args!("more than {DECREASES_MAX}"));
            let advice = "ask for a shorter stretch with from and to";
            return Err(NotExecuted::Refused(refusal.with("stretch", advice)));
        }
        let level = state.terms.content().levels.get(level);
        let level = level.ok_or_else(too_much)?.name.clone();
        self.found.push(Decrease {
            level,
            position,
            at,
            amount: Money::from_micros(i64::try_from(micros).map_err(|_| too_much())?),
            cause,
        });
        Ok(())
    }

    fn in_order(mut self) -> Vec<Decrease> {
        self.found.sort_by_key(|decrease| decrease.position);
        self.found
    }
}

/// Returns the sum of moves on the meter of a level.
pub(crate) fn on_meter(moves: &[Move], level: usize) -> i128 {
    let of_level = moves.iter().filter(|entry| entry.book.index() == level);
    let signed = of_level.map(|entry| match (entry.from, entry.to) {
        (Account::Meter, Account::Meter) => 0,
        (Account::Meter, _) => -i128::from(entry.amount.micros()),
        (_, Account::Meter) => i128::from(entry.amount.micros()),
        _ => 0,
    });
    signed.sum()
}

/// Returns the causes in an event with their entries: one for each hit of a settled round.
fn causes<'a>(state: &LinkState, recorded: &'a Recorded) -> Vec<Moved<'a>> {
    let cause = |kind, hit: Option<HitId>, proposal: Option<ProposalId>| {
        let named = |id: HitId| Some(HitName::of(&state.table(id.table)?.name, id));
        Cause {
            kind,
            hit: hit.and_then(named),
            proposal,
        }
    };
    let own = |number| match recorded.origin {
        Origin::Table { table, sequence } => Some(HitId {
            table,
            sequence,
            number,
        }),
        Origin::Person => None,
    };
    let one = |cause, moves| vec![Moved { cause, moves }];
    match &recorded.event {
        Event::HitRecorded(hit) => one(cause(CauseKind::Hit, own(0), None), &hit.moves),
        Event::RoundSettled { hits, .. } => {
            let numbered = (1..).zip(hits);
            let hit = |(number, hit): (u8, &'a meterhouse_domain::event::HitRecorded)| Moved {
                cause: cause(CauseKind::Hit, own(number), None),
                moves: &hit.moves,
            };
            numbered.map(hit).collect()
        }
        Event::HitCancelled { hit, moves } => {
            one(cause(CauseKind::Cancelled, Some(*hit), None), moves)
        }
        Event::HitRejected { hit, moves, .. } => {
            one(cause(CauseKind::Rejected, Some(*hit), None), moves)
        }
        Event::RoundVoided { moves, .. } => one(cause(CauseKind::Void, None, None), moves),
        Event::ChangeApproved {
            proposal,
            effect,
            moves,
            ..
        } => {
            let (kind, hit) = match effect.as_ref() {
                Effect::Corrected { hit, .. } => (CauseKind::Correction, Some(*hit)),
                Effect::LateHitRecorded { hit, .. } => (CauseKind::LateHit, Some(*hit)),
                _ => (CauseKind::Adjustment, None),
            };
            one(cause(kind, hit, Some(*proposal)), moves)
        }
        _ => Vec::new(),
    }
}
