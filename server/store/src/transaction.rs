//! The only way to run a transaction: named, limited, with a pause between attempts.
//!
//! # Shape
//! [`Store::run_tx`] begins, runs a body and commits, and retries only if Postgres reports a
//! conflict (serialization failure or deadlock). Opening links and admitting people use it. A
//! link's commands do not: each batch is one statement.
//!
//! # Limits
//! At most [`ATTEMPTS_MAX`] attempts, a random pause of up to [`PAUSE_MAX`] between them, and
//! [`LONG_WAIT_MAX`] for each. In the server, the limits are every session's `lock_timeout`,
//! `statement_timeout` and `idle_in_transaction_session_timeout`.
//!
//! # Order and locking
//! READ COMMITTED. The caller must be a task of this program, never a request's future, which may
//! be dropped.

use std::hash::{BuildHasher as _, RandomState};
use std::time::Duration;

use sqlx::Connection as _;
use sqlx::postgres::PgConnection;

use crate::database::{LONG_WAIT_MAX, return_unless_timed_out};
use crate::error::StoreError;
use crate::session::with_timeout;
use crate::sql::commit::{BEGIN, COMMIT};
use crate::sql::statement::ResultExt as _;
use crate::store::Store;

/// Maximum number of attempts of a transaction.
const ATTEMPTS_MAX: u32 = 10;
/// The longest pause before the next attempt.
const PAUSE_MAX: Duration = Duration::from_millis(50);

impl Store {
    /// Runs `body` in one transaction, and retries if Postgres reports a conflict.
    ///
    /// `body` may run more than once, so that it may do nothing that a rollback does not undo.
    pub(crate) async fn run_tx<T>(
        &self,
        name: &'static str,
        body: impl AsyncFn(&mut PgConnection) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        for attempt in 1..=ATTEMPTS_MAX {
            match self.run_tx_once(name, &body).await {
                Err(conflict) if conflict.is_conflict() => {
                    tracing::debug!(
                        tx.name = name,
                        tx.attempt = attempt,
                        "transaction conflicted"
                    );
                    tokio::time::sleep(pause(attempt)).await;
                }
                settled => return settled,
            }
        }
        Err(StoreError::Contended {
            name,
            attempts: ATTEMPTS_MAX,
        })
    }

    async fn run_tx_once<T>(
        &self,
        name: &'static str,
        body: &impl AsyncFn(&mut PgConnection) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        let mut connection = self.inner.reader().await?;
        let work = async {
            let mut transaction = connection.begin().await.in_statement(BEGIN)?;
            let done = body(&mut transaction).await?;
            transaction.commit().await.in_statement(COMMIT)?;
            Ok(done)
        };
        let done = with_timeout(name, LONG_WAIT_MAX, work).await;
        return_unless_timed_out(done, connection)
    }
}

/// Returns a random part of [`PAUSE_MAX`]. The randomness only separates conflicting transactions.
/// The keys of the standard library's hasher suffice, and no rule depends on them.
fn pause(attempt: u32) -> Duration {
    let drawn = RandomState::new().hash_one(attempt);
    let longest = u64::try_from(PAUSE_MAX.as_micros()).unwrap_or(u64::MAX);
    Duration::from_micros(drawn % longest.max(1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pauses_differ_and_stay_below_the_longest() {
        let pauses: Vec<Duration> = (1..=ATTEMPTS_MAX).map(pause).collect();
        assert!(pauses.iter().all(|pause| *pause < PAUSE_MAX));
        assert!(pauses.iter().any(|pause| *pause != pauses[0]));
    }
}
