//! The payoff of a hit (CONFORMANCE 57): the level's opening amount after its last win, the wagers' contributions by
//! table, and all other moves.
//!
//! # Shape
//! The range begins with the level's last win that stands, or with the link's opening, and ends with the hit.
//! [`contributions`] sums the wagers. Hits are taken in their present state, so neither an undone hit nor its reversal
//! counts. Void rounds and adjustments come from their events. The amount above ceilings is the growth of the overflow.
//! The sum has to equal the amount before the hit exactly.
//!
//! # Limits
//! The hits, void rounds and proposals between two wins of a level, read in pages.

mod recorded;

use meterhouse_domain::change::Effect;
use meterhouse_domain::event::Event;
use meterhouse_domain::hit_name::HitName;
use meterhouse_domain::ids::{HitOrder, LinkId, Timestamp};
use meterhouse_domain::link::{Account, Book, Move, Share};
use meterhouse_domain::money::Money;
use meterhouse_domain::paytable::ChargedTo;
use meterhouse_domain::state::LinkState;
use meterhouse_journal::hit::HitRow;
use meterhouse_journal::kind::{CHANGE_APPROVED, ROUND_VOIDED};
use meterhouse_journal::position::Position;
use meterhouse_journal::record::from_row;
use meterhouse_store::{Entered, FoundHit, HITS_MAX, NOTABLE_MAX, NewestHits, PositionedEvent};

use crate::answer::{NotExecuted, damaged, unavailable};
use crate::context::Engine;
use crate::reports::contributions::{Contributions, contributions};
use crate::reports::sums::too_much;
use crate::stored_rows::{event_of, stands};
use crate::view::{PayoffEntry, PayoffSince, PayoffTable, PayoffView, PayoffWhat};

use self::recorded::taken_by;

pub(crate) use self::recorded::{approved, recorded_by, records};

/// The beginning of the range: a win, or the opening.
struct Beginning {
    since: PayoffSince,
    position: Position,
    order: HitOrder,
    /// The meter at the beginning.
    meter: i64,
    /// The overflow at the beginning: the part of the restart above the ceiling.
    overflow: i64,
}

/// A hit whose payoff is computed.
struct Paid<'a> {
    link: LinkId,
    state: &'a LinkState,
    level: u8,
    row: &'a HitRow,
    position: Position,
    at: Timestamp,
}

impl Engine {
    /// Returns the payoff of a hit: the amount of its level since the last win.
    ///
    /// # Errors
    /// [`NotExecuted`] if there is no such hit, it took nothing from a level, or the database can't be queried.
    pub async fn payoff(&self, hit: &HitName) -> Result<PayoffView, NotExecuted> {
        let table_ref = self.table_of_hit(hit).await?;
        let view = self.hit(hit).await?;
        let known = self
            .context
            .registry
            .confirmed_state(table_ref.link)
            .await?;
        let unknown = || NotExecuted::UnknownHit(hit.to_string());
        let (level, name) = view.row.level.zip(view.level.clone()).ok_or_else(unknown)?;
        let (before, after) = view.row.before.zip(view.row.after).ok_or_else(unknown)?;
        let recorded = self.recorded(table_ref.link, &view.row).await?;
        let paid = Paid {
            link: table_ref.link,
            state: &known.state,
            level,
            row: &view.row,
            position: recorded.position,
            at: recorded.at,
        };
        let beginning = self.beginning(&paid).await?;
        let contributions = self.meter_contributions(&paid, &beginning).await?;
        let mut entries = self.earlier_hits(&paid, &beginning).await?;
        let overflow = paid.row.overflow_before.unwrap_or_default();
        let mut over = overflow.saturating_sub(beginning.overflow);
        over = self
            .voids_and_adjustments(&paid, &beginning, over, &mut entries)
            .await?;
        entries.sort_by_key(|entry| entry.position);
        if over != 0 {
            entries.push(paid.entry(PayoffWhat::Ceiling, -over));
        }
        let added = contributions.iter().map(|table| table.amount);
        let moved = added.chain(entries.iter().map(|entry| entry.amount));
        let sum: i128 = moved.map(|amount| i128::from(amount.micros())).sum();
        let difference = i128::from(before) - i128::from(beginning.meter) - sum;
        let before = Money::from_micros(before);
        Ok(PayoffView {
            level: name,
            since: beginning.since,
            opening: Money::from_micros(beginning.meter),
            contributions,
            entries,
            before,
            displayed: before.displayed(),
            due: from_level(&view.row, before),
            after: Money::from_micros(after),
            difference: money(difference)?,
            hit: view,
        })
    }

    /// Returns the event that recorded a hit.
    async fn recorded(&self, link: LinkId, row: &HitRow) -> Result<PositionedEvent, NotExecuted> {
        let store = &self.context.store;
        let found = store.notable_at(link, Timestamp(row.keyed_at)).await;
        for happening in found.map_err(unavailable)? {
            if records(&happening, row.id())? {
                return Ok(happening);
            }
        }
        let archived = store.archived_at(link, &[Timestamp(row.keyed_at)]).await;
        if let Some(end) = archived.map_err(unavailable)? {
            return Err(NotExecuted::archived(&end));
        }
        let order = row.hit_order;
        Err(damaged(&format!("hit {order} was never recorded")))
    }

    /// Returns the level's last win that stands, or the opening.
    async fn beginning(&self, paid: &Paid<'_>) -> Result<Beginning, NotExecuted> {
        let store = &self.context.store;
        let order = HitOrder(paid.row.hit_order);
        let reset = store.last_reset(paid.link, paid.level, order).await;
        let Some(reset) = reset.map_err(unavailable)? else {
            return self.opening(paid).await;
        };
        let recorded = self.recorded(paid.link, &reset.hit).await?;
        let id = reset.hit.id();
        // A hit that is still kept may have got other amounts after its event.
        let kept = paid.state.hit(id).and_then(|hit| hit.taken);
        let taken = match kept {
            Some(taken) => Some(taken),
            None => taken_by(&event_of(&recorded)?, id),
        };
        let restart = taken.and_then(|taken| taken.reset);
        let restarted: i64 = restart.map_or(0, |reset| {
            let parts = [reset.from_house, reset.from_reserve, reset.from_overflow];
            parts.iter().map(|part| part.micros()).sum()
        });
        let won = Money::from_micros(reset.hit.before.unwrap_or_default());
        let left = won.micros() - from_level(&reset.hit, won).micros() + restarted;
        let meter = reset.hit.after.unwrap_or_default();
        Ok(Beginning {
            overflow: left.saturating_sub(meter),
            since: PayoffSince::Hit {
                hit: named(&reset)?,
                at: recorded.at,
            },
            position: recorded.position,
            order: HitOrder(reset.hit.hit_order),
            meter,
        })
    }

    async fn opening(&self, paid: &Paid<'_>) -> Result<Beginning, NotExecuted> {
        let first = self.context.store.batch(paid.link, 1).await;
        let first = first.map_err(unavailable)?;
        let first = first.ok_or_else(|| damaged("batch 1 is missing"))?;
        let row = first.batch.events.first();
        let opened = row
            .and_then(|row| from_row(row).ok())
            .map(|recorded| recorded.event);
        let Some(Event::LinkOpened { moves, .. }) = opened else {
            return Err(damaged("batch 1: the link was not opened first"));
        };
        let seeds = moves.iter().filter(|moved| moved.book == paid.book());
        Ok(Beginning {
            since: PayoffSince::Opening { at: first.batch.at },
            position: Position { batch: 1, index: 0 },
            order: HitOrder(0),
            overflow: 0,
            meter: seeds.map(|seed| seed.amount.micros()).sum(),
        })
    }

    /// Returns the wagers' contributions to the meter, by table.
    async fn meter_contributions(
        &self,
        paid: &Paid<'_>,
        beginning: &Beginning,
    ) -> Result<Vec<PayoffTable>, NotExecuted> {
        let shares = &paid.state.shares;
        let of_meter = |share: &Share| share.book == paid.book() && share.account == Account::Meter;
        let Some(column) = shares.iter().position(of_meter) else {
            return Ok(Vec::new());
        };
        let store = &self.context.store;
        let stretch = (beginning.position, paid.position);
        let counted = contributions(store, paid.link, column + 1, stretch.0, stretch.1).await?;
        let table = |sum: &Contributions| {
            Some(PayoffTable {
                table: paid.state.table(sum.table)?.name.clone(),
                wagers: sum.wagers,
                amount: Money::from_micros(*sum.added.get(column)?),
            })
        };
        Ok(counted.iter().filter_map(table).collect())
    }

    /// Returns the amounts taken by other hits, in their present state.
    async fn earlier_hits(
        &self,
        paid: &Paid<'_>,
        beginning: &Beginning,
    ) -> Result<Vec<PayoffEntry>, NotExecuted> {
        let mut entries = Vec::new();
        let mut before = HitOrder(paid.row.hit_order);
        loop {
            let filter = NewestHits {
                entered: Entered::default(),
                level: Some(paid.level),
                state: None,
                before: Some(before),
            };
            let store = &self.context.store;
            let page = store.newest_hits(paid.link, filter, HITS_MAX).await;
            let page = page.map_err(unavailable)?;
            for found in &page {
                let row = &found.hit;
                if row.hit_order <= beginning.order.0 {
                    return Ok(entries);
                }
                let (Some(then), Some(left), true) = (row.before, row.after, stands(row.state))
                else {
                    continue;
                };
                let recorded = self.recorded(paid.link, row).await?;
                let is_late = matches!(event_of(&recorded)?, Event::ChangeApproved { .. });
                let what = if is_late {
                    PayoffWhat::LateHit
                } else {
                    PayoffWhat::Hit
                };
                entries.push(PayoffEntry {
                    position: recorded.position,
                    at: recorded.at,
                    what,
                    hit: Some(named(found)?),
                    amount: money(i128::from(left) - i128::from(then))?,
                });
            }
            match page.last() {
                Some(last) if page.len() == HITS_MAX => before = HitOrder(last.hit.hit_order),
                Some(_) | None => return Ok(entries),
            }
        }
    }

    /// Adds the moves of void rounds and adjustments, newest first. Returns the amount above ceilings: the overflow at
    /// the hit and the amount that void rounds took from it.
    async fn voids_and_adjustments(
        &self,
        paid: &Paid<'_>,
        beginning: &Beginning,
        mut over: i64,
        entries: &mut Vec<PayoffEntry>,
    ) -> Result<i64, NotExecuted> {
        let kinds = &[ROUND_VOIDED, CHANGE_APPROVED];
        let mut before = paid.position;
        loop {
            let store = &self.context.store;
            let page = store.notable(paid.link, kinds, Some(before), NOTABLE_MAX);
            let page = page.await.map_err(unavailable)?;
            for happening in &page {
                if happening.position <= beginning.position {
                    return Ok(over);
                }
                let (what, moves) = match event_of(happening)? {
                    // The hits of a void round don't stand, so only its wagers count.
                    Event::RoundVoided { moves, .. } => (PayoffWhat::Void, moves),
                    Event::ChangeApproved { effect, moves, .. }
                        if matches!(effect.as_ref(), Effect::Adjusted { .. }) =>
                    {
                        (PayoffWhat::Adjustment, moves)
                    }
                    _ => continue,
                };
                let amount = paid.moved(what, Account::Meter, &moves);
                over = over.saturating_sub(paid.moved(what, Account::Overflow, &moves));
                if amount != 0 {
                    entries.push(PayoffEntry {
                        position: happening.position,
                        at: happening.at,
                        what,
                        hit: None,
                        amount: Money::from_micros(amount),
                    });
                }
            }
            match page.last() {
                Some(last) if page.len() == NOTABLE_MAX => before = last.position,
                Some(_) | None => return Ok(over),
            }
        }
    }
}

impl Paid<'_> {
    const fn book(&self) -> Book {
        Book(self.level)
    }

    fn entry(&self, what: PayoffWhat, micros: i64) -> PayoffEntry {
        PayoffEntry {
            position: self.position,
            at: self.at,
            what,
            hit: None,
            amount: Money::from_micros(micros),
        }
    }

    /// Returns the amount that a void round's wagers, or an adjustment, added to an account of the level.
    fn moved(&self, what: PayoffWhat, account: Account, moves: &[Move]) -> i64 {
        let outside = match what {
            PayoffWhat::Void => Account::Players,
            _ => Account::House,
        };
        let of_level = moves.iter().filter(|moved| moved.book == self.book());
        let signed = of_level.map(|moved| match (moved.from, moved.to) {
            (from, to) if from == outside && to == account => moved.amount.micros(),
            (from, to) if from == account && to == outside => -moved.amount.micros(),
            _ => 0,
        });
        signed.sum()
    }
}

/// Returns the amount due from the level: the payouts charged to the meter, at most the displayed amount.
pub(crate) fn from_level(row: &HitRow, before: Money) -> Money {
    let payouts = row.payouts.iter();
    let of_meter = payouts.filter(|payout| payout.charged_to == ChargedTo::Meter.code());
    let due: i128 = of_meter.map(|payout| i128::from(payout.amount)).sum();
    let due = i64::try_from(due).unwrap_or(i64::MAX);
    Money::from_micros(due).min(before.displayed())
}

fn named(found: &FoundHit) -> Result<HitName, NotExecuted> {
    let table = found.table_name.parse();
    let table = table.map_err(|_| damaged("a stored name can't be read"))?;
    Ok(HitName::of(&table, found.hit.id()))
}

fn money(micros: i128) -> Result<Money, NotExecuted> {
    let micros = i64::try_from(micros).map_err(|_| too_much())?;
    Ok(Money::from_micros(micros))
}
