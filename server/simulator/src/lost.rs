//! A lost answer: the message goes out on a connection of its own, which is dropped before the answer is read.

use std::time::Duration;

use reqwest::Url;
use tokio::io::AsyncWriteExt;
use tokio::net::TcpStream;
use tokio::time::timeout;

use crate::client::Request;

/// How long the connection may take to open, and the message to be written.
const SENDING_MAX: Duration = Duration::from_secs(2);
/// How long an answer is waited for before it is lost.
const ANSWER_MAX: Duration = Duration::from_secs(2);

/// When the connection is dropped.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum Dropped {
    /// As soon as the message is written: the server may not even have read it.
    AtOnce,
    /// When the answer has arrived, unread.
    WithTheAnswer,
}

/// Sends a message and loses its answer. Failing to send it is no error: then it is lost on the way there.
pub(crate) async fn send(base: &Url, token: &str, request: &Request, dropped: Dropped) {
    let sent = timeout(SENDING_MAX, write(base, token, request)).await;
    let stream = match sent {
        Ok(Ok(stream)) => stream,
        Ok(Err(error)) => {
            tracing::debug!(%error, request.path = request.path, "the message was lost too");
            return;
        }
        Err(_) => return,
    };
    if dropped == Dropped::WithTheAnswer {
        // Whether it came or not, it is not read.
        let waited = timeout(ANSWER_MAX, stream.readable()).await;
        tracing::trace!(arrived = waited.is_ok(), "answer dropped");
    }
}

async fn write(base: &Url, token: &str, request: &Request) -> std::io::Result<TcpStream> {
    let host = base.host_str().unwrap_or_default();
    let port = base.port_or_known_default().unwrap_or_default();
    let body = request.body.as_deref().unwrap_or_default();
    let message = format!(
        "{} {} HTTP/1.1\r\nhost: {host}:{port}\r\nauthorization: Bearer {token}\r\n\
         content-type: application/json\r\ncontent-length: {}\r\n\r\n{body}",
        request.method,
        request.path,
        body.len(),
    );
    let mut stream = TcpStream::connect((host.trim_matches(['[', ']']), port)).await?;
    stream.write_all(message.as_bytes()).await?;
    Ok(stream)
}
