//! The report of a day: balances at its beginning and its end, the money between, and every decrease with its cause.
//!
//! # Shape
//! Everything is read from batches and events up to the end of the day, and from clearances. So the report of a day that is
//! over is the same whenever it is made. `verify` makes the reports of signed days again.
//!
//! # Limits
//! [`CLOSING_ENTRIES_MAX`] hits, payments and exceptions each. A day with more is refused.

use meterhouse_domain::change::Effect;
use meterhouse_domain::entries::entries;
use meterhouse_domain::event::{Event, HitRecorded, Origin, Recorded};
use meterhouse_domain::hit_name::HitName;
use meterhouse_domain::ids::{Document, HitId, LinkId, Timestamp};
use meterhouse_domain::link::{ACCOUNTS, Account, Move};
use meterhouse_domain::money::Money;
use meterhouse_domain::refusal::{Refusal, RefusalCode};
use meterhouse_domain::state::LinkState;
use meterhouse_journal::position::Position;
use meterhouse_journal::record::from_row;
use meterhouse_store::{NOTABLE_MAX, PositionedEvent, Store};

use crate::answer::{NotExecuted, damaged, unavailable};
use crate::operations::proposal_history::LinkNames;
use crate::reports::balances::book_balances;
use crate::reports::displayed::decreases_between;
use crate::reports::exceptions::exceptions_between;
use crate::reports::period::is_over;
use crate::reports::reconciliation::{Held, lines_between};
use crate::reports::sums::{FIXED, too_much};
use crate::view::{ClosingHit, ClosingLevel, ClosingPayment, ClosingView, Day};

/// Maximum number of hits, of payments and of exceptions in the report of one day.
const CLOSING_ENTRIES_MAX: usize = 10_000;

/// Returns the report of a day; nothing if the link has no batch before the end of the day.
pub(crate) async fn closing_of(
    store: &Store,
    link: LinkId,
    state: &LinkState,
    day: Day,
) -> Result<Option<ClosingView>, NotExecuted> {
    let content = state.terms.content();
    let books = content.levels.len() + 1;
    let opening = held_before(store, link, day.begin(), books).await?;
    let closing = held_before(store, link, day.end(), books).await?;
    let (from_batch, to_batch) = (opening.0, closing.0);
    let hash = store
        .batch_hash(link, to_batch)
        .await
        .map_err(unavailable)?;
    let Some(chain_hash) = hash else {
        return Ok(None);
    };
    let lines = lines_between(store, link, &state.terms, &opening, &closing).await?;
    let decreases = decreases_between(store, link, state, (from_batch, to_batch)).await?;
    let unmatched = decreases.iter().filter(|decrease| decrease.cause.is_none());
    let unmatched = unmatched.map(|decrease| decrease.amount);
    let unmatched = sum(unmatched)?;
    let mut events = DayEvents::of(state);
    events.read_all(store, link, (from_batch, to_batch)).await?;
    let range = (from_batch, to_batch);
    let mut exceptions = exceptions_between(store, link, state, range).await?;
    within_limit(exceptions.len(), "exceptions")?;
    exceptions.reverse();
    let names = content.levels.iter().map(|level| level.name.as_str());
    let held = opening.1.chunks_exact(ACCOUNTS);
    let held = held.zip(closing.1.chunks_exact(ACCOUNTS)).zip(lines);
    let levels = names.chain([FIXED]).zip(held);
    let levels = levels.map(|(name, ((opening, closing), flows))| ClosingLevel {
        opening: book_balances(name, opening),
        closing: book_balances(name, closing),
        flows,
    });
    Ok(Some(ClosingView {
        link: state.terms.name.clone(),
        day,
        complete: is_over(day.end()),
        from_batch,
        to_batch,
        chain_hash,
        levels: levels.collect(),
        decreases,
        unmatched,
        hits: events.hits,
        payments: events.payments,
        exceptions,
    }))
}

/// Returns the last batch before a moment with the balances after it; 0 and nothing before the opening.
async fn held_before(
    store: &Store,
    link: LinkId,
    moment: Timestamp,
    books: usize,
) -> Result<Held, NotExecuted> {
    let last = Timestamp(moment.0.saturating_sub(1));
    let found = store.balances_at(link, last).await.map_err(unavailable)?;
    Ok(found.map_or_else(
        || (0, vec![0; books * ACCOUNTS]),
        |found| (found.batch, found.after),
    ))
}

fn within_limit(entries: usize, what: &str) -> Result<(), NotExecuted> {
    if entries <= CLOSING_ENTRIES_MAX {
        return Ok(());
    }
    let refusal = Refusal::new(RefusalCode::OutOfRange);
    let refusal = refusal.with(what, format_args!("more than {CLOSING_ENTRIES_MAX}"));
    let advice = "the day has too much of it for one report; read the journal";
    Err(NotExecuted::Refused(refusal.with("day", advice)))
}

fn sum(amounts: impl Iterator<Item = Money>) -> Result<Money, NotExecuted> {
    let mut sum = Money::ZERO;
    for amount in amounts {
        sum = sum.plus(amount).map_err(|_| too_much())?;
    }
    Ok(sum)
}

/// The hits and payments of a day.
struct DayEvents<'a> {
    state: &'a LinkState,
    names: LinkNames<'a>,
    hits: Vec<ClosingHit>,
    payments: Vec<ClosingPayment>,
}

impl<'a> DayEvents<'a> {
    fn of(state: &'a LinkState) -> Self {
        Self {
            state,
            names: LinkNames::of(state),
            hits: Vec::new(),
            payments: Vec::new(),
        }
    }

    /// Reads the notable events of a range of batches.
    async fn read_all(
        &mut self,
        store: &Store,
        link: LinkId,
        (after, through): (u64, u64),
    ) -> Result<(), NotExecuted> {
        let mut after = Position::behind(after);
        loop {
            let page = store.notable_after(link, after, through, NOTABLE_MAX).await;
            let page = page.map_err(unavailable)?;
            for happening in &page {
                self.read(happening)?;
            }
            within_limit(self.hits.len(), "hits")?;
            within_limit(self.payments.len(), "payments")?;
            match page.last() {
                Some(last) if page.len() == NOTABLE_MAX => after = last.position,
                Some(_) | None => return Ok(()),
            }
        }
    }

    fn read(&mut self, happening: &PositionedEvent) -> Result<(), NotExecuted> {
        let batch = happening.position.batch;
        let recorded = from_row(&happening.event);
        let recorded = recorded.map_err(|error| damaged(&format!("batch {batch}: {error}")))?;
        let own = |number| match recorded.origin {
            Origin::Table { table, sequence } => Some(HitId {
                table,
                sequence,
                number,
            }),
            Origin::Person => None,
        };
        match &recorded.event {
            Event::HitRecorded(hit) => self.add_hit(happening, own(0), hit)?,
            Event::RoundSettled { hits, .. } => {
                for (number, hit) in (1..).zip(hits) {
                    self.add_hit(happening, own(number), hit)?;
                }
            }
            Event::ChangeApproved { effect, .. } => {
                if let Effect::LateHitRecorded { hit, recorded, .. } = effect.as_ref() {
                    self.add_hit(happening, Some(*hit), recorded)?;
                }
            }
            _ => {}
        }
        self.add_payment(happening, &recorded)
    }

    fn add_hit(
        &mut self,
        happening: &PositionedEvent,
        id: Option<HitId>,
        hit: &HitRecorded,
    ) -> Result<(), NotExecuted> {
        let name = id.and_then(|id| self.names.hit(id));
        let Some(name) = name else {
            return Err(damaged("a hit of no table was recorded"));
        };
        let taken = hit.taken.as_ref();
        self.hits.push(ClosingHit {
            hit: name,
            position: happening.position,
            at: happening.at,
            order: hit.order.0,
            level: taken.and_then(|taken| self.names.level(taken.level)),
            before: taken.map(|taken| taken.before),
            after: taken.map(|taken| taken.after),
            due: sum(hit.payouts.iter().map(|payout| payout.amount))?,
        });
        Ok(())
    }

    /// Adds the money that an event paid to players, less the money that it took back.
    fn add_payment(
        &mut self,
        happening: &PositionedEvent,
        recorded: &Recorded,
    ) -> Result<(), NotExecuted> {
        let paid = to_players(&entries(&self.state.shares, &recorded.event));
        if paid == 0 {
            return Ok(());
        }
        let (hits, payout, document) = subject(&recorded.event);
        let named = |hit: &HitId| self.names.hit(*hit);
        self.payments.push(ClosingPayment {
            position: happening.position,
            at: happening.at,
            hits: hits.iter().filter_map(named).collect::<Vec<HitName>>(),
            payout,
            document,
            amount: Money::from_micros(i64::try_from(paid).map_err(|_| too_much())?),
        });
        Ok(())
    }
}

/// Returns the hits of a payment, with payout and document if there are any.
fn subject(event: &Event) -> (Vec<HitId>, Option<u32>, Option<Document>) {
    match event {
        Event::PayoutPaid {
            hit,
            number,
            document,
            ..
        } => (vec![*hit], Some(*number), Some(document.clone())),
        Event::RoundClosed { hits, .. } => (hits.clone(), None, None),
        Event::ChangeApproved { effect, .. } => match effect.as_ref() {
            Effect::Corrected { hit, .. } | Effect::LateHitRecorded { hit, .. } => {
                (vec![*hit], None, None)
            }
            _ => (Vec::new(), None, None),
        },
        _ => (Vec::new(), None, None),
    }
}

/// Returns the sum that moves paid to players, in micro-dollars.
fn to_players(moves: &[Move]) -> i128 {
    let signed = moves.iter().map(|entry| match (entry.from, entry.to) {
        (Account::Paid, Account::Paid) => 0,
        (_, Account::Paid) => i128::from(entry.amount.micros()),
        (Account::Paid, _) => -i128::from(entry.amount.micros()),
        _ => 0,
    });
    signed.sum()
}
