//! The server's certificates: read at the start, read again when a file changes or at SIGHUP.
//!
//! # Limits
//! The files are compared every [`COMPARED_EVERY`]. Files that can't be used change nothing: the certificates in use
//! stay, and readiness says why.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use meterhouse_engine::clock::now;
use meterhouse_engine::readiness::{AddedCheck, Check};
use meterhouse_tls::{Tls, TlsFiles};
use tokio::signal::unix::{SignalKind, signal};
use tokio::time::{MissedTickBehavior, interval};

use crate::failure::Failure;

/// Interval between two comparisons of the files.
const COMPARED_EVERY: Duration = Duration::from_secs(10);
/// Days before the end of a certificate on which readiness starts to warn.
const WARNING_DAYS: i64 = 14;
/// Seconds of a day.
const DAY: i64 = 24 * 3_600;
/// Microseconds of a second.
const MICROS: i64 = 1_000_000;

/// The certificates in use.
#[derive(Clone)]
pub(crate) struct Certificates {
    /// TLS of the listeners.
    pub(crate) tls: Tls,
    /// Reason why the newest files are not in use.
    refused: Arc<Mutex<Option<String>>>,
}

impl Certificates {
    /// Reads the files, if there are any.
    pub(crate) fn load(files: Option<TlsFiles>) -> Result<Option<Self>, Failure> {
        let Some(files) = files else { return Ok(None) };
        let tls = Tls::load(files, seconds())
            .map_err(|error| Failure::Configuration(format!("TLS: {error}")))?;
        Ok(Some(Self {
            tls,
            refused: Arc::default(),
        }))
    }

    /// Returns the check of the certificates: their end, and whether the newest files are in use.
    pub(crate) fn check(&self) -> AddedCheck {
        let this = self.clone();
        AddedCheck::new(move || {
            let refused = this.refused.lock();
            let refused = refused.unwrap_or_else(PoisonError::into_inner);
            judge(refused.as_deref(), this.tls.expires_at(), seconds())
        })
    }

    /// Keeps the certificates current. Returns only if signals can't be received.
    pub(crate) async fn keep(certificates: Option<&Self>) -> Failure {
        let Some(this) = certificates else {
            return std::future::pending().await;
        };
        let mut hangup = match signal(SignalKind::hangup()) {
            Ok(hangup) => hangup,
            Err(error) => return Failure::internal("could not listen for signals", error),
        };
        let mut every = interval(COMPARED_EVERY);
        every.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            tokio::select! {
                _ = every.tick() => {}
                _ = hangup.recv() => tracing::info!("SIGHUP: reading the certificates again"),
            }
            this.reload();
        }
    }

    fn reload(&self) {
        let refused = match self.tls.reload(seconds()) {
            Ok(is_new) => {
                if is_new {
                    let days = (self.tls.expires_at() - seconds()) / DAY;
                    tracing::info!(certificate.days = days, "new certificates are in use");
                }
                None
            }
            Err(error) => Some(error.to_string()),
        };
        let mut current = self.refused.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(why) = &refused
            && *current != refused
        {
            tracing::warn!(why, "new certificates can't be used, the ones in use stay");
        }
        *current = refused;
    }
}

fn judge(refused: Option<&str>, expires_at: i64, now: i64) -> Check {
    const NAME: &str = "certificate";
    let days = (expires_at - now) / DAY;
    if now > expires_at {
        return Check::failed(NAME, format!("expired {} days ago: renew it", -days));
    }
    if let Some(why) = refused {
        return Check::degraded(NAME, format!("the newest files are not in use: {why}"));
    }
    if days < WARNING_DAYS {
        return Check::degraded(NAME, format!("expires in {days} days: renew it"));
    }
    Check::ok(NAME, format!("expires in {days} days"))
}

/// Returns the time in seconds since 1970.
fn seconds() -> i64 {
    now().0 / MICROS
}

#[cfg(test)]
mod tests {
    use meterhouse_engine::readiness::CheckState;

    use super::{DAY, WARNING_DAYS, judge};

    /// A certificate near its end is reported before it has ended, and so are files that can't be used.
    #[test]
    fn the_end_of_a_certificate_is_reported_early() {
        let state = |expires_in: i64| judge(None, 1_000 + expires_in, 1_000).state;
        assert_eq!(state(WARNING_DAYS * DAY), CheckState::Ok);
        assert_eq!(state(WARNING_DAYS * DAY - 1), CheckState::Degraded);
        assert_eq!(state(0), CheckState::Degraded);
        assert_eq!(state(-1), CheckState::Failed);
        let refused = judge(Some("no key"), 100 * DAY, 0);
        assert_eq!(refused.state, CheckState::Degraded);
        assert_eq!(refused.detail, "the newest files are not in use: no key");
    }
}
