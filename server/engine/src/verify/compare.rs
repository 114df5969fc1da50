//! The comparison of a replayed link with the rows stored in addition to its journal.

use meterhouse_domain::ids::{HitId, HitOrder, TableNo};
use meterhouse_domain::paytable::Paytable;
use meterhouse_domain::state::LinkState;
use meterhouse_journal::codec::{from_bytes, to_bytes};
use meterhouse_journal::signing_keys::SigningKeys;
use meterhouse_journal::terms::content_hash;
use meterhouse_store::StoreError;
use meterhouse_store::verify::LinkReader;

use super::replay::Replay;
use crate::committer::commit::{STATUS_FAULTED, STATUS_OPEN};
use crate::committer::replica::flat_balances;

impl Replay {
    /// Compares all rows stored in addition to the journal.
    pub(super) async fn compare(&mut self, view: &mut LinkReader) -> Result<(), StoreError> {
        let Some(state) = self.state.take() else {
            self.find("the journal is empty".to_owned());
            return Ok(());
        };
        for batch in std::mem::take(&mut self.snapshots).into_keys() {
            self.find(format!("the snapshot of batch {batch} belongs to no batch"));
        }
        for stored in std::mem::take(&mut self.checkpoints) {
            let number = stored.checkpoint.number;
            self.find(format!("checkpoint: {number} belongs to no batch"));
        }
        self.compare_head(view, &state).await?;
        self.compare_terms(view, &state).await?;
        self.compare_tables(view, &state).await?;
        self.state = Some(state);
        self.compare_marks(view).await?;
        self.compare_hits(view).await
    }

    /// Compares the end of the chain with the stored heads, and their keys with the house's.
    pub(super) fn compare_signed(&mut self, keys: &SigningKeys) {
        let Some((_, check)) = self.signed.take() else {
            return;
        };
        let mut findings = Vec::new();
        check.stored_end(&mut findings);
        check.report(keys, &[], &mut self.report.heads);
        findings.extend(self.report.heads.foreign_keys(keys, &[]));
        self.find_all(findings);
    }

    async fn compare_head(
        &mut self,
        view: &mut LinkReader,
        state: &LinkState,
    ) -> Result<(), StoreError> {
        let (head, row) = match view.head().await {
            Err(StoreError::NoSuchLink { .. }) => {
                self.find("link_head: its row is missing".to_owned());
                return Ok(());
            }
            found => found?,
        };
        if head.batch != self.head.batch {
            let last = self.head.batch;
            self.find(format!(
                "link_head: names batch {}, the journal ends at {last}",
                head.batch
            ));
        }
        if head.chain_hash != self.head.chain_hash {
            self.find("link_head: another hash than the last batch's".to_owned());
        }
        if head.epoch < self.head.epoch || head.period != self.head.period {
            self.find("link_head: another epoch or period than the last batch's".to_owned());
        }
        if row.balances != flat_balances(state) {
            self.find("link_head: balances differ from the journal".to_owned());
        }
        let status = if state.fault.is_some() {
            STATUS_FAULTED
        } else {
            STATUS_OPEN
        };
        if row.status != status {
            self.find("link_head: its status differs from the journal".to_owned());
        }
        Ok(())
    }

    async fn compare_terms(
        &mut self,
        view: &mut LinkReader,
        state: &LinkState,
    ) -> Result<(), StoreError> {
        let terms = &state.terms;
        let hash = content_hash(terms.content());
        let same = view.link().await?.is_some_and(|row| {
            row.name == terms.name.as_str()
                && row.paytable_id == terms.paytable.id.as_str()
                && row.content_hash == hash
                && row.wager_micros == terms.wager.micros()
                && row.decks == terms.decks
                && row.reserve_policy == terms.reserve_policy.name()
        });
        if !same {
            self.find("link: its row differs from the terms it was opened with".to_owned());
        }
        // Links with equal content share the row, which names the paytable of the link that was opened first.
        let kept = view.paytable().await?.is_some_and(|row| {
            from_bytes::<Paytable>(&row.document).is_ok_and(|kept| {
                row.content_hash == hash
                    && kept.content == *terms.content()
                    && row.paytable_id == kept.id.as_str()
                    && to_bytes(&kept) == row.document
            })
        });
        if !kept {
            self.find(
                "paytable: its row differs from the terms the link was opened with".to_owned(),
            );
        }
        Ok(())
    }

    async fn compare_tables(
        &mut self,
        view: &mut LinkReader,
        state: &LinkState,
    ) -> Result<(), StoreError> {
        let mut rows = Vec::new();
        let mut after = TableNo(0);
        loop {
            let page = view.tables(after).await?;
            let Some(last) = page.last() else { break };
            after = last.table;
            rows.extend(page);
        }
        let stored = rows
            .iter()
            .map(|row| (row.table.0, row.name.as_str(), row.game.as_str(), row.seats));
        let tables = (1_u32..).zip(state.tables.iter());
        let expected =
            tables.map(|(no, table)| (no, table.name.as_str(), table.game.as_str(), table.seats));
        if !stored.eq(expected) {
            self.find("game_table: its rows differ from the tables that joined".to_owned());
        }
        Ok(())
    }

    async fn compare_marks(&mut self, view: &mut LinkReader) -> Result<(), StoreError> {
        let rows = self.rows.as_mut();
        let mut expected = rows
            .map(|rows| std::mem::take(&mut rows.marks))
            .unwrap_or_default();
        expected.sort_by_key(|mark| (mark.table, mark.sequence));
        let mut expected = expected.into_iter();
        let mut after = (0, 0);
        loop {
            let page = view.marks(after).await?;
            let Some(last) = page.last() else { break };
            after = (last.table, last.sequence);
            for mark in page {
                if expected.next() != Some(mark) {
                    self.find(format!(
                        "table_mark: table {}, sequence {} differs from the journal",
                        mark.table, mark.sequence
                    ));
                    return Ok(());
                }
            }
        }
        if let Some(missing) = expected.next() {
            self.find(format!(
                "table_mark: table {}, sequence {} is missing",
                missing.table, missing.sequence
            ));
        }
        Ok(())
    }

    async fn compare_hits(&mut self, view: &mut LinkReader) -> Result<(), StoreError> {
        let rows = self.rows.as_ref();
        let mut expected = rows
            .map(|rows| rows.book.rows().clone())
            .unwrap_or_default();
        let mut after = HitOrder(0);
        loop {
            let page = view.hits(after).await?;
            let Some(last) = page.last() else { break };
            after = HitOrder(last.hit.hit_order);
            for found in page {
                self.report.hits += 1;
                let hit = numbered(&found.table_name, found.hit.id());
                if expected.remove(&found.hit.id()).as_ref() != Some(&found.hit) {
                    self.find(format!("hit or payout: {hit} differs from the journal"));
                }
            }
        }
        for hit in expected.into_keys() {
            let table = format!("table {}", hit.table);
            self.find(format!("hit: {} is missing", numbered(&table, hit)));
        }
        Ok(())
    }
}

/// Returns the name of a hit.
fn numbered(table: &str, hit: HitId) -> String {
    match hit.number {
        0 => format!("{table}.{}", hit.sequence),
        number => format!("{table}.{}.{number}", hit.sequence),
    }
}
