//! One table's flood over HTTP, on many connections at once.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;

use super::streams::Abuser;
use crate::Failure;

/// Connections of the one table.
pub(super) const CONNECTIONS: usize = 16;
/// Bytes of the largest answer.
const ANSWER_BYTES_MAX: usize = 16 * 1_024;
/// What stands before the length of a body.
const LENGTH: &str = "content-length: ";
/// What the table asks for: it moves no money.
const BODY: &str = r#"{"count": {"chips": 1}}"#;

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
    let mut stream = TcpStream::connect(abuser.http).await?;
    stream.set_nodelay(true)?;
    let mut heard = Vec::new();
    loop {
        let number = shared.next.fetch_add(1, Ordering::Relaxed);
        let request = format!(
            "PUT /v1/tables/{}/commands/{number} HTTP/1.1\r\nHost: {}\r\nAuthorization: Bearer {}\r\n\
             Content-Type: application/json\r\nContent-Length: {}\r\n\r\n{BODY}",
            abuser.table,
            abuser.http,
            abuser.token,
            BODY.len()
        );
        loop {
            stream.write_all(request.as_bytes()).await?;
            if answer(&mut stream, &mut heard).await? {
                shared.accepted.fetch_add(1, Ordering::Relaxed);
                break;
            }
            shared.refused.fetch_add(1, Ordering::Relaxed);
        }
    }
}

/// Reads one answer; whether the command was counted.
async fn answer(stream: &mut TcpStream, heard: &mut Vec<u8>) -> Result<bool, Failure> {
    heard.clear();
    loop {
        if stream.read_buf(heard).await? == 0 || heard.len() > ANSWER_BYTES_MAX {
            return Err("the server closed a connection without an answer".into());
        }
        let text = String::from_utf8_lossy(heard);
        let Some((first, body)) = text.split_once("\r\n\r\n") else {
            continue;
        };
        let length = first.lines().find_map(|it| it.strip_prefix(LENGTH));
        let length: usize = length.ok_or("an answer without a length")?.parse()?;
        if body.len() >= length {
            return Ok(first.starts_with("HTTP/1.1 20"));
        }
    }
}
