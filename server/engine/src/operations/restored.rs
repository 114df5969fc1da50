//! Links whose journal is not the one that was acknowledged, after a restore or a lost end.
//!
//! # Shape
//! The program compares the heads that its folder knows, before the server listens ([`Engine::fault_restored`]).
//! Tables and displays show the seal of what they were sent last, when they connect. A verified seal above the
//! journal's end proves the loss, whoever shows it. A seal that does not verify proves nothing and has no effect.
//!
//! # Order
//! A fault is journaled before the answer to the table or display that proved it. Once two people have cleared such a
//! fault, older seals prove only what they accepted.
//!
//! # Limits
//! A seal that is not above the journal's end costs no query of a table, and one of a display. The last
//! [`APPROVALS_MAX`] approvals of a link are searched for its last accepted restore.

use meterhouse_domain::change::Effect;
use meterhouse_domain::command::PersonCommand;
use meterhouse_domain::event::Event;
use meterhouse_domain::ids::{LinkId, LinkName, TableName, Timestamp};
use meterhouse_journal::kind::CHANGE_APPROVED;
use meterhouse_journal::record::from_row;
use meterhouse_journal::seal::Seal;
use tokio::time::Instant;

use crate::answer::{NotExecuted, damaged, unavailable};
use crate::context::Engine;
use crate::fault_reason::{HEAD_MISSING, RESTORED_FAULT};
use crate::server_command::by_server;

/// Maximum number of approvals that are searched for the last accepted restore.
const APPROVALS_MAX: usize = 1_000;

impl Engine {
    /// Faults a link whose journal is not the one that was acknowledged. `why` completes the reason.
    ///
    /// # Errors
    /// [`NotExecuted`] if the fault could not be journaled.
    pub async fn fault_restored(&self, link: &LinkName, why: &str) -> Result<(), NotExecuted> {
        let id = self.context.registry.find_link(link).await?;
        self.fault_lost(id, why).await
    }

    /// Compares the last command that a table was sent with the journal. Faults the link if the journal lacks the
    /// command.
    ///
    /// # Errors
    /// [`NotExecuted`] if there is no such table, or the database can't be queried.
    pub async fn compare_table_seal(
        &self,
        table: &TableName,
        seal: &Seal,
    ) -> Result<(), NotExecuted> {
        if !self.context.seal_key.is_of_table(seal, table) {
            tracing::warn!(%table, "the table showed a seal that this database did not make");
            return Ok(());
        }
        let table_ref = self.context.registry.find_table(table).await?;
        let known = self
            .context
            .registry
            .confirmed_state(table_ref.link)
            .await?;
        let last = known.state.table(table_ref.number);
        let last = last.map_or(0, |table| table.last_sequence.0);
        let sealed = seal.number;
        if sealed <= last {
            return Ok(());
        }
        let why = format!(
            "table {table} was sent the outcome of its command {sealed}, its last command here is {last}"
        );
        self.fault_proven(table_ref.link, seal, &why).await
    }

    /// Compares the batch that a display was sent with the journal. Faults the link if the journal lacks the batch.
    ///
    /// # Errors
    /// [`NotExecuted`] if there is no such link, or the database can't be queried.
    pub async fn compare_link_seal(&self, link: &LinkName, seal: &Seal) -> Result<(), NotExecuted> {
        if !self.context.seal_key.is_of_link(seal, link) {
            tracing::debug!(%link, "a display showed a seal that this database did not make");
            return Ok(());
        }
        let id = self.context.registry.find_link(link).await?;
        let store = &self.context.store;
        let heads = store.heads(&[id]).await.map_err(unavailable)?;
        let head = heads.first().ok_or_else(|| NotExecuted::LinkFaulted {
            reason: HEAD_MISSING.to_owned(),
        })?;
        let (sealed, last) = (seal.number, head.batch);
        if sealed > last {
            let why =
                format!("a display was sent batch {sealed}, the journal ends at batch {last}");
            return self.fault_proven(id, seal, &why).await;
        }
        // A batch that was archived is not here, and proves nothing.
        match store.batch_hash(id, sealed).await.map_err(unavailable)? {
            Some(hash) if !seal.has_hash(&hash) => {
                let why = format!("a display was sent another batch {sealed}");
                self.fault_proven(id, seal, &why).await
            }
            Some(_) | None => Ok(()),
        }
    }

    /// Faults a link for a seal that proves a loss, unless two people accepted the loss after the seal was made.
    async fn fault_proven(&self, link: LinkId, seal: &Seal, why: &str) -> Result<(), NotExecuted> {
        let accepted = self.restore_accepted_at(link).await?;
        if accepted.is_some_and(|accepted| seal.at <= accepted) {
            return Ok(());
        }
        tracing::error!(
            link = link.0,
            why,
            "the journal is not the one that was acknowledged"
        );
        self.fault_lost(link, why).await
    }

    /// Returns the time at which two people last cleared such a fault of a link.
    async fn restore_accepted_at(&self, link: LinkId) -> Result<Option<Timestamp>, NotExecuted> {
        let store = &self.context.store;
        let approvals = store.notable(link, &[CHANGE_APPROVED], None, APPROVALS_MAX);
        for approval in &approvals.await.map_err(unavailable)? {
            let batch = approval.position.batch;
            let recorded = from_row(&approval.event);
            let recorded = recorded.map_err(|error| damaged(&format!("batch {batch}: {error}")))?;
            if let Event::ChangeApproved { effect, .. } = recorded.event
                && let Effect::FaultCleared { fault } = *effect
                && fault.starts_with(RESTORED_FAULT)
            {
                return Ok(Some(approval.at));
            }
        }
        Ok(None)
    }

    async fn fault_lost(&self, link: LinkId, why: &str) -> Result<(), NotExecuted> {
        let reason = format!("{RESTORED_FAULT}: {why}");
        let fault = by_server(PersonCommand::FaultLink { reason });
        let registry = &self.context.registry;
        match registry.submit(link, fault, Instant::now()).await {
            // A link that is faulted already, or can't be loaded, accepts nothing either.
            Ok(_) | Err(NotExecuted::LinkFaulted { .. }) => Ok(()),
            Err(denied) => Err(denied),
        }
    }
}
