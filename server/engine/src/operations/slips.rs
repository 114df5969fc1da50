//! Slips of payouts: made once for an amount, printed again under numbers of their own, read and listed.
//!
//! # Order
//! A slip is made in one transaction with its entry in the house's chain. Asking again is safe: the slip of a payout is the
//! same as long as its amount is. The transaction compares what was read before, so that the newest slip has the newest
//! amount.

use std::collections::BTreeMap;
use std::sync::Arc;

use meterhouse_domain::hit_name::HitName;
use meterhouse_domain::ids::{ActorId, LinkId, Note, TableNo, Timestamp};
use meterhouse_domain::link::LinkTerms;
use meterhouse_domain::paytable::HandedOver;
use meterhouse_domain::refusal::{Refusal, RefusalCode};
use meterhouse_journal::hit::{HitState, PayoutRow};
use meterhouse_journal::slip::{Slip, SlipContent, SlipReprint};
use meterhouse_store::{MadeSlip, NewSlip, Reprinted, SLIPS_MAX, TableRow};

use crate::answer::{Idempotent, NotExecuted, damaged, unavailable};
use crate::clock::now;
use crate::context::Engine;
use crate::own_thread::to_the_end;
use crate::view::{HitView, Page, Person, ReprintView, SlipView};

/// Maximum number of times that a payout is read for a slip. It is read again if it changed meanwhile.
const SLIP_READS_MAX: u32 = 3;

impl Engine {
    /// Makes the slip of a payout. A replay if the payout has one with the same amount.
    ///
    /// # Errors
    /// [`NotExecuted`] if the payout has no slip: it is not validated, paid without one, not handed over by slip, or does not
    /// exist.
    pub async fn make_slip(
        &self,
        person: &Person,
        hit: &HitName,
        payout: u32,
    ) -> Result<Idempotent<SlipView>, NotExecuted> {
        for _ in 0..SLIP_READS_MAX {
            let view = self.hit(hit).await?;
            let row = payout_by_slip(&view, payout)?;
            let content = SlipContent {
                keyed_by: view.keyed_by().map(str::to_owned),
                ..SlipContent::of(&view.row, row)
            };
            let new = NewSlip {
                at: now(),
                actor: person.actor,
                link: self.table_of_hit(hit).await?.link,
                hit_state: view.row.state,
                is_paid: row.paid_at.is_some(),
                content,
            };
            let (value, replayed) = match self.add_slip(new).await? {
                MadeSlip::Made(slip) => (slip, false),
                MadeSlip::Before(slip) => (slip, true),
                MadeSlip::Paid => {
                    let refusal = Refusal::new(RefusalCode::HitPaid);
                    let refusal = refusal.with("hit", view.name()).with("payout", payout);
                    return Err(NotExecuted::Refused(refusal));
                }
                MadeSlip::Changed => continue,
            };
            let value = self.one_view(value).await?;
            return Ok(Idempotent { value, replayed });
        }
        Err(NotExecuted::Busy)
    }

    async fn add_slip(&self, new: NewSlip) -> Result<MadeSlip, NotExecuted> {
        let store = self.context.store.clone();
        let making = to_the_end(async move || store.make_slip(&new).await);
        let made = making.await.map_err(|_| NotExecuted::OutcomeUnknown)?;
        made.map_err(unavailable)
    }

    /// Returns a slip with its reprints.
    ///
    /// # Errors
    /// [`NotExecuted`] if there is no such slip or the database can't be queried.
    pub async fn slip(&self, number: u64) -> Result<SlipView, NotExecuted> {
        let before = number.checked_sub(1);
        let before = before.ok_or(NotExecuted::UnknownSlip(number))?;
        let found = self.context.store.slips(before, (None, None), 1).await;
        let found = found.map_err(unavailable)?.into_iter().next();
        let found = found.filter(|slip| slip.number == number);
        let slip = found.ok_or(NotExecuted::UnknownSlip(number))?;
        self.one_view(slip).await
    }

    /// Returns the slips after a number that were made in a period, in pages.
    ///
    /// # Errors
    /// [`NotExecuted`] if the database can't be queried.
    pub async fn slips(
        &self,
        after: u64,
        period: (Option<Timestamp>, Option<Timestamp>),
        limit: u32,
    ) -> Result<Page<SlipView, u64>, NotExecuted> {
        let limit = usize::try_from(limit).unwrap_or(SLIPS_MAX);
        let limit = limit.clamp(1, SLIPS_MAX);
        let found = self.context.store.slips(after, period, limit).await;
        let found = found.map_err(unavailable)?;
        let last = found.last().filter(|_| found.len() == limit);
        let next = last.map(|slip| slip.number);
        let items = self.views(found).await?;
        Ok(Page { items, next })
    }

    /// Records a further print of a slip. A replay if the same person had recorded it under this number with the same reason.
    ///
    /// # Errors
    /// [`NotExecuted`] if there is no such slip, or another number comes next.
    pub async fn reprint_slip(
        &self,
        person: &Person,
        number: u64,
        reprint: u32,
        reason: Note,
    ) -> Result<Idempotent<SlipView>, NotExecuted> {
        drop(self.slip(number).await?);
        let asked = SlipReprint {
            number,
            reprint,
            at: now(),
            actor: person.actor,
            reason: reason.to_string(),
        };
        let (store, sent) = (self.context.store.clone(), asked.clone());
        let making = to_the_end(async move || store.reprint_slip(&sent).await);
        let made = making.await.map_err(|_| NotExecuted::OutcomeUnknown)?;
        let replayed = match made.map_err(unavailable)? {
            Reprinted::Made(_) => false,
            Reprinted::Before(before)
                if before.actor == asked.actor && before.reason == asked.reason =>
            {
                true
            }
            Reprinted::Before(before) => {
                let reason = format!("reprint {}, asked {}", before.reason, asked.reason);
                return Err(NotExecuted::RequestReused(vec![(
                    "reason".to_owned(),
                    reason,
                )]));
            }
            Reprinted::Next(next) => {
                let refusal = Refusal::new(RefusalCode::OutOfRange);
                let refusal = refusal.with("reprint", reprint).with("next", next);
                return Err(NotExecuted::Refused(refusal));
            }
        };
        Ok(Idempotent {
            value: self.slip(number).await?,
            replayed,
        })
    }

    async fn one_view(&self, slip: Slip) -> Result<SlipView, NotExecuted> {
        let mut views = self.views(vec![slip]).await?;
        views.pop().ok_or_else(|| damaged("a slip has no names"))
    }

    /// Adds the names that slips lack, and their reprints.
    async fn views(&self, slips: Vec<Slip>) -> Result<Vec<SlipView>, NotExecuted> {
        let store = &self.context.store;
        let numbers: Vec<u64> = slips.iter().map(|slip| slip.number).collect();
        let reprints = store.reprints(&numbers).await.map_err(unavailable)?;
        let replaced = store.replaced_slips(&numbers).await.map_err(unavailable)?;
        let replaced: BTreeMap<u64, u64> = replaced.into_iter().collect();
        let makers = slips.iter().map(|slip| slip.actor);
        let actors: Vec<ActorId> = makers.chain(reprints.iter().map(|one| one.actor)).collect();
        let names = store.actor_names(&actors).await.map_err(unavailable)?;
        let names: BTreeMap<ActorId, String> = names.into_iter().collect();
        let mut links: BTreeMap<LinkId, (Arc<LinkTerms>, Vec<TableRow>)> = BTreeMap::new();
        let mut views = Vec::with_capacity(slips.len());
        for slip in slips {
            if let std::collections::btree_map::Entry::Vacant(link) = links.entry(slip.link) {
                let terms = self.context.registry.terms(slip.link).await?;
                let rows = self.link_reader().rows_of(slip.link).await?;
                link.insert((terms, rows));
            }
            let of_slip = reprints.iter().filter(|one| one.number == slip.number);
            let of_slip = of_slip.map(|one| ReprintView {
                reprint: one.reprint,
                at: one.at,
                by: name_of(&names, one.actor),
                reason: one.reason.clone(),
            });
            let (reprints, replaced_by) = (of_slip.collect(), replaced.get(&slip.number).copied());
            let (terms, rows) = &links[&slip.link];
            views.push(view(&slip, terms, rows, &names, reprints, replaced_by)?);
        }
        Ok(views)
    }
}

fn name_of(names: &BTreeMap<ActorId, String>, actor: ActorId) -> String {
    names
        .get(&actor)
        .cloned()
        .unwrap_or_else(|| actor.to_string())
}

/// Returns a payout that is handed over by slip, of a hit that was validated.
fn payout_by_slip(view: &HitView, payout: u32) -> Result<&PayoutRow, NotExecuted> {
    let refused = |code| NotExecuted::Refused(Refusal::new(code).with("hit", view.name()));
    let mut payouts = view.row.payouts.iter();
    let found = payouts.find(|row| row.number == payout);
    let found = found.ok_or_else(|| refused(RefusalCode::NoSuchPayout))?;
    if found.handed_over != HandedOver::Slip.code() {
        return Err(refused(RefusalCode::NotPaidBySlip));
    }
    match view.row.state {
        HitState::Validated | HitState::ValidatedByRule | HitState::Paid => Ok(found),
        HitState::Pending
        | HitState::Cancelled
        | HitState::Rejected
        | HitState::Void
        | HitState::Withdrawn => Err(refused(RefusalCode::NotValidated)),
    }
}

fn view(
    slip: &Slip,
    terms: &LinkTerms,
    rows: &[TableRow],
    names: &BTreeMap<ActorId, String>,
    reprints: Vec<ReprintView>,
    replaced_by: Option<u64>,
) -> Result<SlipView, NotExecuted> {
    let unreadable = || damaged(&format!("slip {} can't be read", slip.number));
    let mut rows = rows.iter();
    let table = rows.find(|row| row.table == TableNo(slip.content.table));
    let table = table.and_then(|row| row.name.parse().ok());
    let levels = &terms.content().levels;
    let level = slip
        .content
        .level
        .and_then(|level| levels.get(usize::from(level)));
    SlipView::new(
        terms.name.clone(),
        &table.ok_or_else(unreadable)?,
        level.map(|level| level.name.clone()),
        name_of(names, slip.actor),
        slip.clone(),
    )
    .map(|view| SlipView {
        title: terms.paytable.title.clone(),
        reprints,
        replaced_by,
        ..view
    })
    .ok_or_else(unreadable)
}
