//! Whether the tokens of a stream still hold: one that is revoked or expired takes its stream with it.
//!
//! # What bounds it
//! The tokens of all tables are looked at every [`TOKENS_EVERY`], one after another, beside the commands. The engine may
//! remember a revoked one for a few seconds longer.

use meterhouse_domain::ids::TableName;
use meterhouse_edge::wire_error::WireError;
use meterhouse_edge::{authenticate, authorize};
use meterhouse_engine::Engine;
use tokio::time::{Interval, MissedTickBehavior, interval};
use tokio_util::task::AbortOnDropHandle;
use tonic::Status;

use super::limits::TOKENS_EVERY;
use super::tables::{Authorization, Tables};
use crate::status::{About, status};

/// Looks at the tokens of a stream.
pub(super) struct Tokens {
    engine: Engine,
    every: Interval,
    look: Option<AbortOnDropHandle<Result<(), Status>>>,
}

impl Tokens {
    /// Of a stream that begins.
    pub(super) fn new(engine: Engine) -> Self {
        let mut every = interval(TOKENS_EVERY);
        every.set_missed_tick_behavior(MissedTickBehavior::Delay);
        Self {
            engine,
            every,
            look: None,
        }
    }

    /// How the stream ends when a token no longer holds; until then this waits. It may be dropped and asked again.
    pub(super) async fn refused(&mut self, tables: &Tables) -> Status {
        loop {
            if let Some(look) = &mut self.look {
                let looked = look.await;
                self.look = None;
                if let Ok(Err(refused)) = looked {
                    return refused;
                }
            }
            self.every.tick().await;
            let held = tables.all().iter();
            let held = held.map(|it| (it.name.clone(), it.authorization.clone()));
            let look = look(self.engine.clone(), held.collect());
            self.look = Some(AbortOnDropHandle::new(tokio::spawn(look)));
        }
    }
}

async fn look(engine: Engine, held: Vec<(TableName, Authorization)>) -> Result<(), Status> {
    for (table, authorization) in held {
        let about = About {
            table: Some(table.as_str()),
            sequence: None,
        };
        match authenticate::caller(&engine, Some(&authorization)).await {
            Ok(caller) => {
                authorize::command_table(&caller, &table).map_err(|error| status(error, about))?;
            }
            Err(WireError::Edge(error)) => return Err(status(error, about)),
            // It can't be asked now: it is asked again at the next look.
            Err(WireError::Denied(_) | WireError::Refused(_)) => {}
        }
    }
    Ok(())
}
