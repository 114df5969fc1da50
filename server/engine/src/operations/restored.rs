//! Links whose journal is not the one that was acknowledged, after a restore or a lost end.
//!
//! # Order
//! The fault is journaled before the link is served: [`Engine::fault_restored`] is called before the server listens.

use meterhouse_domain::command::PersonCommand;
use meterhouse_domain::ids::LinkName;
use tokio::time::Instant;

use crate::answer::NotExecuted;
use crate::context::Engine;
use crate::fault_reason::RESTORED_FAULT;
use crate::server_command::by_server;

impl Engine {
    /// Faults a link whose journal is not the one that was acknowledged. `why` completes the reason.
    ///
    /// # Errors
    /// [`NotExecuted`] if the fault could not be journaled.
    pub async fn fault_restored(&self, link: &LinkName, why: &str) -> Result<(), NotExecuted> {
        let id = self.context.registry.find_link(link).await?;
        let reason = format!("{RESTORED_FAULT}: {why}");
        let fault = by_server(PersonCommand::FaultLink { reason });
        match self
            .context
            .registry
            .submit(id, fault, Instant::now())
            .await
        {
            // A link that is faulted already, or can't be loaded, accepts nothing either.
            Ok(_) | Err(NotExecuted::LinkFaulted { .. }) => Ok(()),
            Err(denied) => Err(denied),
        }
    }
}
