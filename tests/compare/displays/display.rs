//! One display: a WebSocket with as little behind it as can be, so that thousands of them are cheap beside the server.
//!
//! # What bounds it
//! What it reads at a time, [`READ_BYTES`]; what it keeps of a message that came in part, [`MESSAGE_BYTES_MAX`].

use std::io::ErrorKind;
use std::mem;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Duration;

use meterhouse_engine::clock;
use time::OffsetDateTime;
use time::format_description::well_known::Rfc3339;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::time::timeout;

use crate::Failure;

/// Bytes that are read at a time.
const READ_BYTES: usize = 2 * 1_024;
/// Bytes of the largest message: a snapshot of a link with some tables.
const MESSAGE_BYTES_MAX: usize = 64 * 1_024;
/// How long the server may take to open a feed while thousands open theirs.
const OPEN_MAX: Duration = Duration::from_secs(30);
/// The end of the head of an answer.
const HEAD_END: &[u8] = b"\r\n\r\n";
/// What a change to WebSocket is answered with.
const SWITCHING: &[u8] = b"HTTP/1.1 101 ";
/// The bits of a frame's first byte that say its kind, and kinds that are not texts.
const KIND: u8 = 0xf;
const CLOSE: u8 = 0x8;
const PING: u8 = 0x9;
/// An empty pong as clients send it: final, masked, with a mask of zeros.
const PONG: [u8; 6] = [0x8a, 0x80, 0, 0, 0, 0];
/// What the texts of amounts begin with.
const METERS: &str = r#"{"type":"meters","batch":"#;
/// What stands before their time.
const AT: &str = r#""at":""#;
/// Nanoseconds of a microsecond.
const NANOS_PER_MICRO: i128 = 1_000;

/// Amounts that were heard.
#[derive(Copy, Clone, Debug)]
pub(super) struct Heard {
    /// The batch that they are as of.
    pub(super) sequence: u64,
    /// How long after the server made the message it was read, µs.
    pub(super) late: i64,
    /// Bytes of the text.
    pub(super) bytes: usize,
}

/// Which amounts count: those that the server made in this time, µs since 1970.
#[derive(Debug)]
pub(super) struct Window {
    from: AtomicI64,
    until: AtomicI64,
}

impl Window {
    /// One that has not begun.
    pub(super) const fn new() -> Self {
        Self {
            from: AtomicI64::new(i64::MAX),
            until: AtomicI64::new(i64::MAX),
        }
    }

    /// Says when it is. Amounts that were made at its end or later end a display.
    pub(super) fn set(&self, from: i64, until: i64) {
        self.until.store(until, Ordering::Relaxed);
        self.from.store(from, Ordering::Relaxed);
    }
}

/// A display that listens.
pub(super) struct Display {
    stream: TcpStream,
    /// The beginning of a frame whose rest has not come yet.
    kept: Vec<u8>,
    /// The batch of the newest amounts.
    newest: u64,
    heard: Vec<Heard>,
}

impl Display {
    /// Begins to listen to a link.
    pub(super) async fn open(address: SocketAddr, link: &str) -> Result<Self, Failure> {
        let opened = timeout(OPEN_MAX, Self::connect(address, link)).await;
        opened.map_err(|_| "a feed did not open in time")?
    }

    async fn connect(address: SocketAddr, link: &str) -> Result<Self, Failure> {
        let mut stream = TcpStream::connect(address).await?;
        // Its port is free at once when it goes.
        stream.set_zero_linger()?;
        let request = format!(
            "GET /v1/links/{link}/feed HTTP/1.1\r\nHost: {address}\r\nConnection: Upgrade\r\n\
             Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\n\
             Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
        );
        stream.write_all(request.as_bytes()).await?;
        let mut kept = Vec::new();
        let head = loop {
            if stream.read_buf(&mut kept).await? == 0 || kept.len() > MESSAGE_BYTES_MAX {
                return Err("the server did not change to WebSocket".into());
            }
            let end = kept.windows(HEAD_END.len()).position(|it| it == HEAD_END);
            if let Some(end) = end {
                break end + HEAD_END.len();
            }
        };
        if !kept.starts_with(SWITCHING) {
            let said = String::from_utf8_lossy(&kept).into_owned();
            return Err(format!("the server did not change to WebSocket: {said}").into());
        }
        kept.drain(..head);
        Ok(Self {
            stream,
            kept,
            newest: 0,
            heard: Vec::new(),
        })
    }

    /// Hears everything until amounts come that were made after the window; answers those of the window.
    pub(super) async fn listen(mut self, window: Arc<Window>) -> Result<Vec<Heard>, Failure> {
        loop {
            self.stream.readable().await?;
            if self.read(&window)? {
                return Ok(self.heard);
            }
        }
    }

    /// Reads what is there; answers whether the window is over.
    fn read(&mut self, window: &Window) -> Result<bool, Failure> {
        let mut bytes = [0; READ_BYTES];
        let length = match self.stream.try_read(&mut bytes) {
            Ok(0) => return Err("the server closed a feed".into()),
            Ok(length) => length,
            Err(error) if error.kind() == ErrorKind::WouldBlock => return Ok(false),
            Err(error) => return Err(error.into()),
        };
        let now = clock::now().0;
        let new = bytes.get(..length).unwrap_or_default();
        if self.kept.is_empty() {
            let (rest, is_over) = self.frames(new, now, window)?;
            self.kept.extend_from_slice(rest);
            return Ok(is_over);
        }
        let mut kept = mem::take(&mut self.kept);
        kept.extend_from_slice(new);
        let (rest, is_over) = self.frames(&kept, now, window)?;
        if rest.len() > MESSAGE_BYTES_MAX {
            return Err("a message of the feed is too large".into());
        }
        self.kept = rest.to_vec();
        Ok(is_over)
    }

    /// Takes all whole frames; answers what is left, and whether the window is over.
    fn frames<'a>(
        &mut self,
        bytes: &'a [u8],
        now: i64,
        window: &Window,
    ) -> Result<(&'a [u8], bool), Failure> {
        let mut rest = bytes;
        let mut is_over = false;
        while let Some((kind, payload, behind)) = frame(rest) {
            rest = behind;
            match kind {
                CLOSE => return Err("the server closed a feed".into()),
                // Whoever can't even take a pong is closed by the server.
                PING => drop(self.stream.try_write(&PONG)),
                _ => is_over |= self.message(payload, now, window)?,
            }
        }
        Ok((rest, is_over))
    }

    fn message(&mut self, payload: &[u8], now: i64, window: &Window) -> Result<bool, Failure> {
        let Some((sequence, at)) = amounts(payload) else {
            return Ok(false);
        };
        if sequence <= self.newest {
            return Err("older amounts came behind newer ones".into());
        }
        self.newest = sequence;
        if at >= window.until.load(Ordering::Relaxed) {
            return Ok(true);
        }
        if at >= window.from.load(Ordering::Relaxed) {
            self.heard.push(Heard {
                sequence,
                late: now.saturating_sub(at).max(0),
                bytes: payload.len(),
            });
        }
        Ok(false)
    }
}

/// The first frame: its kind, what is in it, and what stands behind it; nothing where it is not whole.
fn frame(bytes: &[u8]) -> Option<(u8, &[u8], &[u8])> {
    let (first, second) = (*bytes.first()?, *bytes.get(1)?);
    let (length, from) = match second {
        126 => {
            let length = bytes.get(2..4)?;
            (usize::from(u16::from_be_bytes(length.try_into().ok()?)), 4)
        }
        127 => {
            let length = u64::from_be_bytes(bytes.get(2..10)?.try_into().ok()?);
            (usize::try_from(length).ok()?, 10)
        }
        length => (usize::from(length), 2),
    };
    let payload = bytes.get(from..)?;
    let (payload, behind) = payload.split_at_checked(length)?;
    Some((first & KIND, payload, behind))
}

/// The batch of new amounts and when they were made; nothing where the text says something else.
fn amounts(text: &[u8]) -> Option<(u64, i64)> {
    let text = str::from_utf8(text).ok()?.strip_prefix(METERS)?;
    let (sequence, text) = text.split_once(',')?;
    let (at, _) = text.split_once(AT)?.1.split_once('"')?;
    let at = OffsetDateTime::parse(at, &Rfc3339).ok()?;
    let micros = i64::try_from(at.unix_timestamp_nanos() / NANOS_PER_MICRO).ok()?;
    Some((sequence.parse().ok()?, micros))
}
