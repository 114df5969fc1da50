//! `meterhouse ready`: the health check of a container, whose image holds no other program that could ask.
//!
//! # Limits
//! [`ANSWER_MAX`] for each step of the exchange. The answer is read up to [`LENGTH_MAX`].

use std::io::{self, Read as _, Write as _};
use std::net::{TcpStream, ToSocketAddrs as _};
use std::time::Duration;

use crate::failure::Failure;
use crate::output::outln;
use crate::settings::Settings;

/// Maximum wait for the connection and for each read. The server takes at most 8 s for its checks.
const ANSWER_MAX: Duration = Duration::from_secs(9);
/// Maximum length of the answer, in bytes.
const LENGTH_MAX: u64 = 65_536;

/// Asks the server that runs with these settings. The address of the metrics answers in plain text, without a
/// certificate whose name would have to fit.
pub(crate) fn run(settings: &Settings) -> Result<(), Failure> {
    let Some(address) = &settings.metrics_listen else {
        return Err(Failure::Configuration(
            "the readiness is asked on the address of the metrics: set metrics.listen".to_owned(),
        ));
    };
    let answer = ask(address)
        .map_err(|error| Failure::NotReady(format!("no server answers on {address}: {error}")))?;
    let (head, body) = answer.split_once("\r\n\r\n").unwrap_or((&answer, ""));
    if head.split(' ').nth(1) != Some("200") {
        return Err(Failure::NotReady(body.trim_end().to_owned()));
    }
    outln!("{}", body.trim_end());
    Ok(())
}

/// Returns the whole answer. A wildcard address, such as 0.0.0.0, reaches this machine.
fn ask(address: &str) -> io::Result<String> {
    let mut refused = io::Error::from(io::ErrorKind::AddrNotAvailable);
    for at in address.to_socket_addrs()? {
        match TcpStream::connect_timeout(&at, ANSWER_MAX) {
            Ok(stream) => return exchange(stream),
            Err(error) => refused = error,
        }
    }
    Err(refused)
}

fn exchange(mut stream: TcpStream) -> io::Result<String> {
    stream.set_read_timeout(Some(ANSWER_MAX))?;
    stream.set_write_timeout(Some(ANSWER_MAX))?;
    // The server closes a connection of HTTP/1.0 after its answer.
    stream.write_all(b"GET /readyz HTTP/1.0\r\n\r\n")?;
    let mut answer = String::new();
    stream.take(LENGTH_MAX).read_to_string(&mut answer)?;
    Ok(answer)
}
