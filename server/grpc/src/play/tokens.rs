//! Periodic checks of a stream's tokens: a revoked or expired token ends its stream.
//!
//! # Limits
//! Every [`TOKENS_EVERY`] the stream looks at what its tokens are worth, without a query. If one has
//! ended, or can't be confirmed, the tokens of all tables are looked up, one after another,
//! concurrently with the commands; in the second case every [`TOKENS_LOOKED_UP_EVERY`].

use meterhouse_domain::ids::TableName;
use meterhouse_edge::wire_error::WireError;
use meterhouse_edge::{authenticate, authorize};
use meterhouse_engine::Engine;
use meterhouse_engine::held_credentials::Standing;
use meterhouse_tls::ClientCertificate;
use tokio::time::{Instant, Interval, MissedTickBehavior, interval};
use tokio_util::task::AbortOnDropHandle;
use tonic::Status;

use super::limits::{TOKENS_EVERY, TOKENS_LOOKED_UP_EVERY};
use super::tables::{Authorization, Tables};
use crate::status::{About, status};

/// The periodic check of a stream's tokens.
pub(super) struct TokenCheck {
    engine: Engine,
    every: Interval,
    looked_up_at: Option<Instant>,
    running: Option<AbortOnDropHandle<Result<(), Status>>>,
}

impl TokenCheck {
    /// Creates the check of a new stream.
    pub(super) fn new(engine: Engine) -> Self {
        let mut every = interval(TOKENS_EVERY);
        every.set_missed_tick_behavior(MissedTickBehavior::Delay);
        Self {
            engine,
            every,
            looked_up_at: None,
            running: None,
        }
    }

    /// Waits until a token is no longer valid, and returns the status that ends the stream. The
    /// future may be dropped and created again.
    pub(super) async fn refused(&mut self, tables: &Tables) -> Status {
        loop {
            if let Some(running) = &mut self.running {
                let checked = running.await;
                self.running = None;
                if let Ok(Err(refused)) = checked {
                    return refused;
                }
            }
            self.every.tick().await;
            if !self.is_due(tables) {
                continue;
            }
            self.looked_up_at = Some(Instant::now());
            let held = tables.all().iter();
            let held = held.map(|table| (table.name.clone(), table.authorization.clone()));
            let check = check(self.engine.clone(), held.collect());
            self.running = Some(AbortOnDropHandle::new(tokio::spawn(check)));
        }
    }

    /// Returns `true` if the tokens of the tables have to be looked up.
    fn is_due(&self, tables: &Tables) -> bool {
        let mut standings = tables.all().iter().map(|table| table.token.standing());
        let recently = |at: Instant| at.elapsed() < TOKENS_LOOKED_UP_EVERY;
        standings.any(|standing| match standing {
            Standing::Valid => false,
            Standing::Unconfirmed => !self.looked_up_at.is_some_and(recently),
            Standing::Ended => true,
        })
    }
}

async fn check(engine: Engine, held: Vec<(TableName, Authorization)>) -> Result<(), Status> {
    for (table, authorization) in held {
        let about = About {
            table: Some(table.as_str()),
            sequence: None,
        };
        // The certificate was checked at the attach and can't change on a connection.
        let certificate = &ClientCertificate::Unchecked;
        match authenticate::caller(&engine, Some(&authorization), certificate).await {
            Ok(caller) => {
                authorize::command_table(&caller, &table).map_err(|error| status(error, about))?;
            }
            Err(WireError::Edge(error)) => return Err(status(error, about)),
            // The check is not possible now and is repeated at the next interval.
            Err(WireError::NotExecuted(_) | WireError::Refused(_)) => {}
        }
    }
    Ok(())
}
