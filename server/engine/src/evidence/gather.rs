//! Reading the batches of a bundle, each with its way to the newest signed head.
//!
//! # Shape
//! The hit's row names the events by their times. The journal gives the commands of the round. The batches around the hit
//! show the meters. What follows from the batches is compared with the hit's row, so that no event is left out.
//!
//! # Limits
//! [`COMMANDS_MAX`] commands of a round. The house's chain is read once, in pages.

use std::collections::BTreeSet;

use meterhouse_domain::event::Event;
use meterhouse_domain::hit_name::HitName;
use meterhouse_domain::ids::{ActorId, LinkId, Sequence, TableNo};
use meterhouse_journal::batch::ChainHash;
use meterhouse_journal::hit::HitRow;
use meterhouse_journal::house::{HouseFact, SIGNING_KEY, SIGNING_KEY_ENDED};
use meterhouse_journal::kind::TABLE_JOINED;
use meterhouse_journal::tree::{TreeHash, inclusion_spans};
use meterhouse_journal::tree_head::{HOUSE, SignedHead};
use meterhouse_store::{HOUSE_PAGE_MAX, NOTABLE_MAX, StoredHouseEntry, TABLE_EVENTS_MAX};

use super::EvidenceView;
use super::bundle::{EvidenceProof, HISTORY, ProvenBatch, ProvenEntry};
use super::derived::{Derived, derive};
use crate::answer::{NotExecuted, damaged, unavailable};
use crate::context::Engine;
use crate::signing::chain_tree::hashes;
use crate::signing::proof::{not_signed, unproven};
use crate::stored_rows::event_of;
use crate::view::{HitView, PayoffSince, PayoffView};

/// Maximum number of commands of the round, refused ones included.
pub(super) const COMMANDS_MAX: u64 = TABLE_EVENTS_MAX;
/// Maximum number of attempts while the hit changes.
const ATTEMPTS_MAX: u32 = 3;

impl Engine {
    /// Returns the evidence of a hit.
    ///
    /// # Errors
    /// [`NotExecuted`] if there is no such hit, no signed head covers its events yet, some of them are archived, or the
    /// database can't be queried.
    pub async fn evidence(&self, hit: &HitName) -> Result<EvidenceView, NotExecuted> {
        for _ in 0..ATTEMPTS_MAX {
            let view = self.hit(hit).await?;
            let payoff = match view.row.level.zip(view.row.before) {
                Some(_) => Some(self.payoff(hit).await?),
                None => None,
            };
            let (proof, derived) = self.proven(hit, &view, payoff.as_ref()).await?;
            if derived.hit.row == view.row && derived.gaps.is_empty() {
                return Ok(EvidenceView {
                    proof,
                    derived,
                    payoff,
                });
            }
        }
        Err(NotExecuted::HitDiffers {
            hit: hit.to_string(),
        })
    }

    /// Returns the batches of a hit with their proofs, and what follows from them.
    async fn proven(
        &self,
        hit: &HitName,
        view: &HitView,
        payoff: Option<&PayoffView>,
    ) -> Result<(EvidenceProof, Derived), NotExecuted> {
        let link = self.table_of_hit(hit).await?.link;
        let head = self.newest_head(link).await?;
        let house_head = self.newest_head(HOUSE).await?;
        let numbers = self.numbers(link, hit, view, payoff, &head).await?;
        let mut proof = EvidenceProof {
            hit: hit.clone(),
            batches: self.batches(&numbers, &head).await?,
            head,
            entries: Vec::new(),
            house_head,
        };
        let what = |what: String| damaged(&what);
        let derived = derive(&proof).map_err(what)?;
        let own = [&derived.opened, &derived.joined];
        let actors = derived.commands.iter().chain(own);
        let actors: BTreeSet<ActorId> = actors.map(|entry| entry.recorded.actor).collect();
        proof.entries = self
            .entries(&proof.house_head, &actors, derived.content)
            .await?;
        let derived = derive(&proof).map_err(what)?;
        Ok((proof, derived))
    }

    async fn newest_head(&self, link: LinkId) -> Result<SignedHead, NotExecuted> {
        let store = &self.context.store;
        let chain = store.tree_chain(link).await.map_err(unavailable)?;
        let newest = match chain {
            Some(chain) => store
                .newest_signed_head(&chain)
                .await
                .map_err(unavailable)?,
            None => None,
        };
        newest.ok_or(NotExecuted::NotSigned {
            head: 0,
            through: 0,
        })
    }

    /// Returns the numbers of the batches that the bundle needs.
    async fn numbers(
        &self,
        link: LinkId,
        hit: &HitName,
        view: &HitView,
        payoff: Option<&PayoffView>,
        head: &SignedHead,
    ) -> Result<BTreeSet<u64>, NotExecuted> {
        let row = &view.row;
        let events = self.hit_events(link, row).await?;
        let recorded_in = events.keys().next().map_or(0, |first| first.batch);
        let mut numbers = BTreeSet::from([1]);
        numbers.extend(events.keys().map(|position| position.batch));
        numbers.extend(self.proposal_batches((link, &view.link), &events).await?);
        numbers.extend(self.round_batches(link, row).await?);
        let mut tables = BTreeSet::from([TableNo(row.table)]);
        if let Some(PayoffSince::Hit { hit: since, .. }) = payoff.map(|payoff| &payoff.since)
            && since != hit
        {
            let since = self.hit(since).await?;
            tables.insert(TableNo(since.row.table));
            let events = self.hit_events(link, &since.row).await?;
            numbers.extend(events.keys().map(|position| position.batch));
        }
        numbers.extend(self.joins(link, tables).await?);
        let last = numbers.last().copied().unwrap_or_default();
        if last > head.head.batch {
            return Err(not_signed(head));
        }
        let first = recorded_in.saturating_sub(HISTORY).max(1);
        let last = recorded_in.saturating_add(HISTORY).min(head.head.batch);
        numbers.extend(first..=last);
        Ok(numbers)
    }

    /// Returns the batches of the round's commands, up to GAME OVER or the void.
    async fn round_batches(
        &self,
        link: LinkId,
        row: &HitRow,
    ) -> Result<BTreeSet<u64>, NotExecuted> {
        let store = &self.context.store;
        let (table, from) = (TableNo(row.table), Sequence(row.round));
        let events = store.table_events(link, table, from, COMMANDS_MAX);
        let mut batches = BTreeSet::new();
        for happening in events.await.map_err(unavailable)? {
            batches.insert(happening.position.batch);
            let event = event_of(&happening)?;
            if matches!(event, Event::RoundClosed { .. } | Event::RoundVoided { .. }) {
                break;
            }
        }
        Ok(batches)
    }

    /// Returns the batches by which tables joined.
    async fn joins(
        &self,
        link: LinkId,
        mut tables: BTreeSet<TableNo>,
    ) -> Result<BTreeSet<u64>, NotExecuted> {
        let store = &self.context.store;
        let mut batches = BTreeSet::new();
        let mut before = None;
        loop {
            let page = store.notable(link, &[TABLE_JOINED], before, NOTABLE_MAX);
            let page = page.await.map_err(unavailable)?;
            for happening in &page {
                if let Event::TableJoined(joined) = event_of(happening)?
                    && tables.remove(&joined.table)
                {
                    batches.insert(happening.position.batch);
                }
            }
            match page.last() {
                Some(last) if !tables.is_empty() => before = Some(last.position),
                Some(_) | None => break,
            }
        }
        Ok(batches)
    }

    /// Reads batches with their ways to a head.
    async fn batches(
        &self,
        numbers: &BTreeSet<u64>,
        head: &SignedHead,
    ) -> Result<Vec<ProvenBatch>, NotExecuted> {
        let store = &self.context.store;
        let link = head.head.link;
        if let Some(first) = numbers.first() {
            self.refuse_archived(link, *first).await?;
        }
        let mut batches: Vec<ProvenBatch> = Vec::with_capacity(numbers.len());
        for number in numbers {
            let stored = store.batch(link, *number).await.map_err(unavailable)?;
            let missing = || damaged(&format!("batch {number} is missing"));
            let stored = stored.ok_or_else(missing)?;
            let hash_before = match batches.last() {
                Some(last) if last.batch.number + 1 == *number => last.chain_hash,
                _ if *number == 1 => ChainHash::GENESIS,
                _ => {
                    let before = store.batch_hash(link, number - 1).await;
                    before.map_err(unavailable)?.ok_or_else(missing)?
                }
            };
            batches.push(ProvenBatch {
                path: self.path(head, *number).await?,
                batch: stored.batch,
                hash_before,
                chain_hash: stored.chain_hash,
            });
        }
        Ok(batches)
    }

    async fn refuse_archived(&self, link: LinkId, first: u64) -> Result<(), NotExecuted> {
        let end = self.context.store.archived_end(link).await;
        match end.map_err(unavailable)? {
            Some(end) if end.through.batch >= first => Err(NotExecuted::archived(&end)),
            Some(_) | None => Ok(()),
        }
    }

    async fn path(&self, head: &SignedHead, number: u64) -> Result<Vec<TreeHash>, NotExecuted> {
        let index = number.checked_sub(1);
        let spans = index.and_then(|index| inclusion_spans(index, head.head.batch));
        let spans = spans.ok_or_else(|| not_signed(head))?;
        let path = hashes(&self.context.store, head.head.link, &spans).await;
        path.map_err(unproven)
    }

    /// Reads the entries of the house's chain about these actors, a paytable and all keys.
    async fn entries(
        &self,
        head: &SignedHead,
        actors: &BTreeSet<ActorId>,
        paytable: [u8; 32],
    ) -> Result<Vec<ProvenEntry>, NotExecuted> {
        let is_needed = |stored: &StoredHouseEntry| match stored.entry.fact() {
            Ok(Some(HouseFact::Actor { actor, .. })) => actors.contains(&actor),
            Ok(Some(HouseFact::Paytable { content, .. })) => content == paytable,
            Ok(_) => matches!(stored.entry.kind, SIGNING_KEY | SIGNING_KEY_ENDED),
            Err(_) => false,
        };
        let mut needed = Vec::new();
        let (mut after, mut before) = (0, ChainHash::GENESIS);
        loop {
            let page = self.context.store.house_entries(after).await;
            let page = page.map_err(unavailable)?;
            let is_last = page.len() < HOUSE_PAGE_MAX;
            for stored in page {
                let (number, hash) = (stored.entry.number, stored.hash);
                let is_key = matches!(stored.entry.kind, SIGNING_KEY | SIGNING_KEY_ENDED);
                // A key's entry behind the head says nothing about the head.
                let is_signed = number <= head.head.batch;
                if is_needed(&stored) && (is_signed || !is_key) {
                    needed.push(ProvenEntry {
                        path: self.path(head, number).await?,
                        entry: stored.entry,
                        hash_before: before,
                        hash,
                    });
                }
                (after, before) = (number, hash);
            }
            if is_last {
                return Ok(needed);
            }
        }
    }
}
