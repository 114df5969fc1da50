//! Notifications to the service manager (systemd): ready, stopping, alive.
//!
//! # Shape
//! Without the variable `NOTIFY_SOCKET` nothing is sent. With `WATCHDOG_USEC` a server says that it is alive twice in
//! that time, as long as all its background tasks run. Then systemd starts it again.

use std::future::pending;

use meterhouse_engine::Engine;
use sd_notify::NotifyState;
use tokio::time::{MissedTickBehavior, interval};

/// Says that the server takes requests.
pub(crate) fn ready() {
    notify(&[NotifyState::Ready]);
}

/// Says that the server stops.
pub(crate) fn stopping() {
    notify(&[NotifyState::Stopping]);
}

/// Says again and again that the server is alive, if somebody watches. Never returns.
pub(crate) async fn keep(engine: &Engine) {
    let Some(watched) = sd_notify::watchdog_enabled() else {
        return pending().await;
    };
    let mut every = interval(watched / 2);
    every.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        every.tick().await;
        match &engine.ended_tasks()[..] {
            [] => notify(&[NotifyState::Watchdog]),
            ended => tracing::error!(
                tasks = ended.join(", "),
                "a background task ended: waiting for the service manager to start the server again"
            ),
        }
    }
}

fn notify(states: &[NotifyState<'_>]) {
    if let Err(error) = sd_notify::notify(states) {
        tracing::warn!(%error, "the service manager can't be notified");
    }
}
