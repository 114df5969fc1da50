//! Reconciliation: the books of each level between two times, computed from the events, against the stored balances.
//!
//! # Shape
//! Contributions of wagers are summed from the coin-ins ([`contributions`]). All other moves are read event by event.
//! The closing amounts are the balances stored with the last batch. The difference has to be zero.

use meterhouse_domain::change::Effect;
use meterhouse_domain::entries::entries;
use meterhouse_domain::event::Event;
use meterhouse_domain::ids::{LinkId, LinkName, Timestamp};
use meterhouse_domain::link::{ACCOUNTS, Account, LinkTerms, Move};
use meterhouse_domain::money::Money;
use meterhouse_journal::position::Position;
use meterhouse_journal::record::from_row;
use meterhouse_store::{NOTABLE_MAX, Store};

use crate::answer::{NotExecuted, unavailable};
use crate::clock::now;
use crate::context::Engine;
use crate::reports::contributions::{contributions, of_share};
use crate::reports::sums::{FIXED, too_much};
use crate::view::{Reconciliation, ReconciliationLine};

/// A batch with the balances after it.
pub(crate) type Held = (u64, Vec<i64>);

impl Engine {
    /// Returns a link's books after one time up to another; by default from its opening up to now.
    ///
    /// # Errors
    /// [`NotExecuted`] if there is no such link or the database can't be queried.
    pub async fn reconcile(
        &self,
        link: &LinkName,
        from: Option<Timestamp>,
        to: Option<Timestamp>,
    ) -> Result<Reconciliation, NotExecuted> {
        let id = self.context.registry.find_link(link).await?;
        let terms = self.context.registry.terms(id).await?;
        let books = terms.content().levels.len() + 1;
        let nothing = || (0, vec![0; books * ACCOUNTS]);
        let opening = match from {
            Some(from) => self.balances_at(id, from).await?.unwrap_or_else(nothing),
            None => nothing(),
        };
        let closing = self
            .balances_at(id, to.unwrap_or_else(now))
            .await?
            .unwrap_or_else(nothing);
        let lines = lines_between(&self.context.store, id, &terms, &opening, &closing).await?;
        Ok(Reconciliation {
            terms,
            from_batch: opening.0,
            to_batch: closing.0,
            lines,
        })
    }

    async fn balances_at(
        &self,
        link: LinkId,
        at: Timestamp,
    ) -> Result<Option<(u64, Vec<i64>)>, NotExecuted> {
        let found = self
            .context
            .store
            .balances_at(link, at)
            .await
            .map_err(unavailable)?;
        Ok(found.map(|end| (end.batch, end.after)))
    }
}

/// Returns the books between the balances after two batches, level by level.
pub(crate) async fn lines_between(
    store: &Store,
    link: LinkId,
    terms: &LinkTerms,
    opening: &Held,
    closing: &Held,
) -> Result<Vec<ReconciliationLine>, NotExecuted> {
    let levels = &terms.content().levels;
    let mut flows = vec![Flow::default(); levels.len() + 1];
    if closing.0 > opening.0 {
        let range = (opening.0, closing.0);
        add_coin_ins(store, link, terms, range, &mut flows).await?;
        add_others(store, link, terms, range, &mut flows).await?;
    }
    let names = levels.iter().map(|level| level.name.as_str());
    let held = opening.1.chunks_exact(ACCOUNTS);
    let held = held.zip(closing.1.chunks_exact(ACCOUNTS));
    let lines = names.chain([FIXED]).zip(held).zip(&flows);
    let lines = lines.map(|((name, (opening, closing)), flow)| {
        line(name, opening, closing, flow).ok_or(NotExecuted::LinkFaulted {
            reason: "a sum of the reconciliation leaves the range of money".to_owned(),
        })
    });
    lines.collect()
}

/// Adds the contributions of coin-ins.
async fn add_coin_ins(
    store: &Store,
    link: LinkId,
    terms: &LinkTerms,
    (after, through): (u64, u64),
    flows: &mut [Flow],
) -> Result<(), NotExecuted> {
    let shares = terms.shares().unwrap_or_default();
    let (after, through) = (Position::behind(after), Position::behind(through));
    let sums = contributions(store, link, shares.len(), after, through).await?;
    for (index, share) in shares.iter().enumerate() {
        let sum = of_share(&sums, index).ok_or_else(too_much)?;
        if let Some(flow) = flows.get_mut(share.book.index()) {
            flow.contributions += i128::from(sum);
        }
    }
    Ok(())
}

/// Adds the moves of all other events.
async fn add_others(
    store: &Store,
    link: LinkId,
    terms: &LinkTerms,
    (after, through): (u64, u64),
    flows: &mut [Flow],
) -> Result<(), NotExecuted> {
    let shares = terms.shares().unwrap_or_default();
    let mut after = Position::behind(after);
    loop {
        let page = store.notable_after(link, after, through, NOTABLE_MAX).await;
        let page = page.map_err(unavailable)?;
        for happening in &page {
            let recorded = from_row(&happening.event).map_err(|error| {
                let batch = happening.position.batch;
                NotExecuted::LinkFaulted {
                    reason: format!("batch {batch}: {error}"),
                }
            })?;
            let adjusts = is_adjustment(&recorded.event);
            for it in entries(&shares, &recorded.event) {
                if let Some(flow) = flows.get_mut(it.book.index()) {
                    flow.add(&it, adjusts);
                }
            }
        }
        match page.last() {
            Some(last) if page.len() == NOTABLE_MAX => after = last.position,
            Some(_) | None => return Ok(()),
        }
    }
}

/// The moves into a book from outside, in micro-dollars.
#[derive(Clone, Debug, Default)]
struct Flow {
    contributions: i128,
    house: i128,
    paid: i128,
    adjustments: i128,
}

/// Returns `true` if two people moved the operator's money by an adjustment.
fn is_adjustment(event: &Event) -> bool {
    let Event::ChangeApproved { effect, .. } = event else {
        return false;
    };
    matches!(effect.as_ref(), Effect::Adjusted { .. })
}

impl Flow {
    fn add(&mut self, moved: &Move, adjusts: bool) {
        let amount = i128::from(moved.amount.micros());
        for (account, amount) in [(moved.from, amount), (moved.to, -amount)] {
            match account {
                Account::Players => self.contributions += amount,
                Account::House if adjusts => self.adjustments += amount,
                Account::House => self.house += amount,
                Account::Paid => self.paid -= amount,
                Account::Meter
                | Account::Reserve
                | Account::Overflow
                | Account::Pending
                | Account::InTransit => {}
            }
        }
    }
}

/// Returns one level's line. Returns nothing if a sum leaves the range of money.
fn line(name: &str, opening: &[i64], closing: &[i64], flow: &Flow) -> Option<ReconciliationLine> {
    let held = |book: &[i64]| {
        let accounts = [
            Account::Meter,
            Account::Reserve,
            Account::Overflow,
            Account::Pending,
        ];
        let micros = accounts
            .iter()
            .filter_map(|account| book.get(account.index()));
        micros.map(|micros| i128::from(*micros)).sum::<i128>()
    };
    let money = |micros: i128| i64::try_from(micros).ok().map(Money::from_micros);
    let (opening, closed) = (held(opening), held(closing));
    let expected = opening + flow.contributions + flow.house - flow.paid + flow.adjustments;
    Some(ReconciliationLine {
        name: name.to_owned(),
        opening: money(opening)?,
        contributions: money(flow.contributions)?,
        house: money(flow.house)?,
        paid: money(flow.paid)?,
        adjustments: money(flow.adjustments)?,
        closing: money(closed)?,
        pending: Money::from_micros(*closing.get(Account::Pending.index())?),
        difference: money(closed - expected)?,
    })
}
