//! Requests to stop: Ctrl-C or SIGTERM.

use tokio::signal::unix::{SignalKind, signal};
use tokio_util::sync::CancellationToken;

use crate::failure::Failure;

/// Returns a token that is cancelled at the first Ctrl-C or SIGTERM. A second one ends the process
/// immediately.
pub(crate) fn stop_requested() -> Result<CancellationToken, Failure> {
    let failed = |error| Failure::internal("could not listen for signals", error);
    let mut interrupt = signal(SignalKind::interrupt()).map_err(failed)?;
    let mut terminate = signal(SignalKind::terminate()).map_err(failed)?;
    let stop = CancellationToken::new();
    let asked = stop.clone();
    tokio::spawn(async move {
        for attempt in 0.. {
            tokio::select! {
                _ = interrupt.recv() => {}
                _ = terminate.recv() => {}
            }
            if attempt > 0 {
                eprintln!("meterhouse: stopped without waiting, as asked twice");
                std::process::exit(130);
            }
            asked.cancel();
        }
    });
    Ok(stop)
}
