//! A connection of HTTP/1.1 that is kept open: one request after the other, each written whole and read whole.

use std::net::SocketAddr;

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

use crate::Failure;

/// Bytes of the largest answer.
const ANSWER_BYTES_MAX: usize = 16 * 1_024;
/// What stands before the length of a body.
const LENGTH: &str = "content-length: ";
/// What stands before whether an answer was given before.
const REPLAYED: &str = "meterhouse-replayed: true";

/// A connection, and who speaks over it.
pub(crate) struct Line {
    stream: TcpStream,
    address: SocketAddr,
    heard: Vec<u8>,
}

/// An answer.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Answer {
    /// Its status.
    pub(crate) status: u16,
    /// Whether it was given before.
    pub(crate) is_replayed: bool,
}

impl Answer {
    /// Whether what was asked for was done.
    pub(crate) const fn is_success(self) -> bool {
        self.status / 100 == 2
    }
}

impl Line {
    /// Connects.
    pub(crate) async fn open(address: SocketAddr) -> Result<Self, Failure> {
        let stream = TcpStream::connect(address).await?;
        stream.set_nodelay(true)?;
        Ok(Self {
            stream,
            address,
            heard: Vec::new(),
        })
    }

    /// A request with a token and a body.
    pub(crate) fn request(&self, what: &str, token: &str, body: &str) -> String {
        format!(
            "{what} HTTP/1.1\r\nHost: {}\r\nAuthorization: Bearer {token}\r\n\
             Content-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}",
            self.address,
            body.len()
        )
    }

    /// Sends a request and reads its answer.
    pub(crate) async fn ask(&mut self, request: &str) -> Result<Answer, Failure> {
        self.stream.write_all(request.as_bytes()).await?;
        self.heard.clear();
        loop {
            let heard = &mut self.heard;
            if self.stream.read_buf(heard).await? == 0 || heard.len() > ANSWER_BYTES_MAX {
                return Err("the server closed a connection without an answer".into());
            }
            let text = String::from_utf8_lossy(heard);
            let Some((first, body)) = text.split_once("\r\n\r\n") else {
                continue;
            };
            let length = first.lines().find_map(|it| it.strip_prefix(LENGTH));
            let length: usize = length.ok_or("an answer without a length")?.parse()?;
            if body.len() >= length {
                let status = first
                    .split(' ')
                    .nth(1)
                    .ok_or("an answer without a status")?;
                return Ok(Answer {
                    status: status.parse()?,
                    is_replayed: first.lines().any(|it| it == REPLAYED),
                });
            }
        }
    }
}
