//! One table's flood over HTTP, on many connections at once.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;

use super::streams::Abuser;
use crate::Failure;
use crate::line::Line;

/// Connections of the one table.
pub(super) const CONNECTIONS: usize = 16;
/// What the table asks for: it moves no money.
const BODY: &str = r#"{"command": "count", "chips": 1}"#;

/// What the connections of a table share.
#[derive(Debug)]
struct Shared {
    /// The next number.
    next: AtomicU64,
    accepted: AtomicU64,
    refused: AtomicU64,
}

/// Sends numbers in turn as fast as they are answered, until `stop`; those that come before their turn are sent again.
pub(super) async fn flood(abuser: Abuser, stop: CancellationToken) -> Result<String, Failure> {
    // The round's coin-in has the number 1.
    let shared = Arc::new(Shared {
        next: AtomicU64::new(2),
        accepted: AtomicU64::default(),
        refused: AtomicU64::default(),
    });
    let mut open = JoinSet::new();
    for _ in 0..CONNECTIONS {
        let (abuser, shared) = (abuser.clone(), Arc::clone(&shared));
        open.spawn(async move { send(&abuser, &shared).await });
    }
    let ended = tokio::select! {
        () = stop.cancelled() => None,
        ended = open.join_next() => ended,
    };
    if let Some(ended) = ended {
        ended??;
    }
    open.shutdown().await;
    let of = |count: &AtomicU64| count.load(Ordering::Relaxed);
    let (accepted, refused) = (of(&shared.accepted), of(&shared.refused));
    Ok(format!(
        "{accepted} commands counted, {refused} requests refused"
    ))
}

async fn send(abuser: &Abuser, shared: &Shared) -> Result<(), Failure> {
    let mut line = Line::open(abuser.http).await?;
    loop {
        let number = shared.next.fetch_add(1, Ordering::Relaxed);
        let what = format!("PUT /v1/tables/{}/commands/{number}", abuser.table);
        let request = line.request(&what, &abuser.token, BODY);
        while !line.ask(&request).await?.is_success() {
            shared.refused.fetch_add(1, Ordering::Relaxed);
        }
        shared.accepted.fetch_add(1, Ordering::Relaxed);
    }
}
