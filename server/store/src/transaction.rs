//! The one door to a transaction: named, bounded, with a pause between attempts.
//!
//! # Shape
//! [`Store::run_tx`] begins, runs a body, commits; starts over where Postgres reports a conflict
//! (serialization failure or deadlock) and for nothing else. Links are opened and people admitted
//! through it; a link's commands are not, they are one statement.
//!
//! # What bounds it
//! [`ATTEMPTS_MAX`] attempts, a random pause of up to [`PAUSE_MAX`] between them, [`LONG_WAIT_MAX`]
//! for each; in the server `lock_timeout`, `statement_timeout` and
//! `idle_in_transaction_session_timeout` of every session.
//!
//! # What order or lock holds
//! READ COMMITTED. Must be called from a task of ours, never from a request's future: that one may
//! be dropped.

use std::hash::{BuildHasher as _, RandomState};
use std::time::Duration;

use sqlx::Connection as _;
use sqlx::postgres::PgConnection;

use crate::database::{LONG_WAIT_MAX, keep_unless_silent, limited};
use crate::error::StoreError;
use crate::sql::commit::{BEGIN, COMMIT};
use crate::sql::statement::Failed as _;
use crate::store::Store;

/// How often a transaction is tried.
const ATTEMPTS_MAX: u32 = 10;
/// The longest pause before the next attempt.
const PAUSE_MAX: Duration = Duration::from_millis(50);

impl Store {
    /// Runs `body` in one transaction; starts over when Postgres reports a conflict.
    ///
    /// `body` may run more than once, so it must do nothing that a rollback does not undo.
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
            let mut transaction = connection.begin().await.of(BEGIN)?;
            let done = body(&mut transaction).await?;
            transaction.commit().await.of(COMMIT)?;
            Ok(done)
        };
        let done = limited(name, LONG_WAIT_MAX, work).await;
        keep_unless_silent(done, connection)
    }
}

/// A random part of [`PAUSE_MAX`]. The randomness is only to part those who met; the keys of the
/// standard library's hasher are random enough, and no rule ever sees it.
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
        assert!(pauses.iter().all(|it| *it < PAUSE_MAX));
        assert!(pauses.iter().any(|it| *it != pauses[0]));
    }
}
