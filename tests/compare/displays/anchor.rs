//! The anchor of the displays: a loop that writes one encoded frame to all sockets, with no server behind it.
//!
//! # Shape
//! [`serve`] is a process of its own, this program again. It answers handshakes without reading them, and ten times a
//! second writes a text of amounts as long as the server's. It does no more than a display needs to be measured.

use std::io::{ErrorKind, Read as _, Write as _};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::process::Stdio;
use std::sync::mpsc::{Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

use time::OffsetDateTime;
use time::format_description::well_known::Rfc3339;
use tokio::io::{AsyncBufReadExt as _, BufReader};
use tokio::process::{Child, Command};

use crate::Failure;

/// Interval between two texts.
const EVERY: Duration = Duration::from_millis(100);
/// What the handshake is answered with.
const SWITCHING: &[u8] = b"HTTP/1.1 101 Switching Protocols\r\n\r\n";
/// The end of a handshake.
const HEAD_END: &[u8] = b"\r\n\r\n";
/// The first byte of a text that is one frame.
const TEXT: u8 = 0x81;
/// What says that the length follows in two bytes.
const TWO_BYTES: u8 = 126;

/// A socket, and the rest of what it did not take.
struct Socket {
    stream: TcpStream,
    rest: Vec<u8>,
}

/// Writes texts of so many bytes until the process is killed; says first where.
pub(crate) fn serve(bytes: usize) -> Result<(), Failure> {
    let listener = TcpListener::bind("127.0.0.1:0")?;
    println!("{}", listener.local_addr()?);
    let (opened, new) = channel();
    thread::spawn(move || accept(&listener, &opened));
    let mut sockets: Vec<Socket> = Vec::new();
    let mut due = Instant::now();
    for batch in 1_u64.. {
        thread::sleep(due.saturating_duration_since(Instant::now()));
        due += EVERY;
        sockets.extend(new.try_iter());
        let frame = frame(batch, bytes)?;
        sockets.retain_mut(|socket| socket.write(&frame));
    }
    Ok(())
}

/// Answers the handshakes.
fn accept(listener: &TcpListener, opened: &Sender<Socket>) {
    for stream in listener.incoming() {
        let socket = stream.ok().and_then(Socket::open);
        if socket.is_some_and(|socket| opened.send(socket).is_err()) {
            return;
        }
    }
}

impl Socket {
    fn open(mut stream: TcpStream) -> Option<Self> {
        let mut head = Vec::new();
        let mut bytes = [0; 1_024];
        while !head.ends_with(HEAD_END) {
            let length = stream.read(&mut bytes).ok().filter(|length| *length > 0)?;
            head.extend_from_slice(bytes.get(..length)?);
        }
        stream.write_all(SWITCHING).ok()?;
        stream.set_nodelay(true).ok()?;
        stream.set_nonblocking(true).ok()?;
        let rest = Vec::new();
        Some(Self { stream, rest })
    }

    /// Writes a frame, or nothing where an earlier one is not taken yet. Returns `false` once the display has gone.
    fn write(&mut self, frame: &[u8]) -> bool {
        let rest = std::mem::take(&mut self.rest);
        let due = if rest.is_empty() { frame } else { &rest };
        let taken = match self.stream.write(due) {
            Ok(taken) => taken,
            Err(error) if error.kind() == ErrorKind::WouldBlock => 0,
            Err(_) => return false,
        };
        if taken > 0 || !rest.is_empty() {
            self.rest = due.get(taken..).unwrap_or_default().to_vec();
        }
        true
    }
}

/// A text of amounts of so many bytes, as one frame.
fn frame(batch: u64, bytes: usize) -> Result<Vec<u8>, Failure> {
    let at = OffsetDateTime::now_utc().format(&Rfc3339)?;
    let mut text = format!(r#"{{"type":"meters","batch":{batch},"at":"{at}","rest":""#);
    while text.len() + 2 < bytes {
        text.push('0');
    }
    text.push_str(r#""}"#);
    let length = u16::try_from(text.len())?.to_be_bytes();
    let header = [TEXT, TWO_BYTES, length[0], length[1]];
    Ok([&header[..], text.as_bytes()].concat())
}

/// The running loop. Dropped, it is killed.
pub(super) struct Running {
    child: Child,
    pub(super) address: SocketAddr,
}

impl Running {
    /// Starts this program again as the loop.
    pub(super) async fn start(bytes: usize) -> Result<Self, Failure> {
        let mut child = Command::new(std::env::current_exe()?)
            .args(["--write-loop", &bytes.to_string()])
            .stdout(Stdio::piped())
            .kill_on_drop(true)
            .spawn()?;
        let output = child.stdout.take().ok_or("the loop has no output")?;
        let line = BufReader::new(output).lines().next_line().await?;
        let address = line.ok_or("the loop ended at once")?.parse()?;
        Ok(Self { child, address })
    }

    /// Its process.
    pub(super) fn pid(&self) -> Option<u32> {
        self.child.id()
    }

    /// Ends it, and waits.
    pub(super) async fn stop(mut self) -> Result<(), Failure> {
        Ok(self.child.kill().await?)
    }
}
