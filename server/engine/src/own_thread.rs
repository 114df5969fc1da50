//! Transactions that run to their end on a thread of their own.

use std::panic::resume_unwind;

use tokio::runtime::Handle;
use tokio::task::{JoinError, spawn_blocking};

/// Runs a transaction to its end, even if the caller is gone: a caller that disconnects cancels only its own wait.
///
/// It has a separate thread, because the compiler can't prove that the closure of a transaction is `Send`.
///
/// # Errors
/// [`JoinError`] if the transaction panicked, or the runtime has ended. Its outcome is unknown then.
pub(crate) async fn to_the_end<T: Send + 'static>(
    transaction: impl AsyncFnOnce() -> T + Send + 'static,
) -> Result<T, JoinError> {
    let runtime = Handle::current();
    spawn_blocking(move || runtime.block_on(transaction())).await
}

/// Returns the result of a transaction whose caller needs none if the runtime has ended, and with it the server.
pub(crate) fn unless_ended<E>(ran: Result<Result<(), E>, JoinError>) -> Result<(), E> {
    match ran {
        Ok(done) => done,
        Err(error) if error.is_panic() => resume_unwind(error.into_panic()),
        Err(_) => Ok(()),
    }
}
