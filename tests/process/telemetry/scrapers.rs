//! Scrapers that are slow, silent or too many keep no other out.

use std::time::Duration;

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::time::timeout;

use super::Watched;

/// Connections of a scraper that holds them: more than the page admits.
const HELD: usize = 64;
/// Maximum wait for the end of a connection.
const PATIENCE: Duration = Duration::from_mins(1);

/// Silent connections, half requests, pages that are not read, and requests that are too long.
#[tokio::test]
async fn a_slow_scraper_keeps_no_other_out() {
    let server = Watched::start(&[]).await;
    let mut held = Vec::new();
    for request in [
        "",
        "GET /metrics HTTP/1.1\r\nHo",
        "GET /metrics HTTP/1.1\r\nHost: x\r\n\r\n",
    ] {
        for _ in 0..HELD {
            let mut stream = TcpStream::connect(&server.at).await.expect("a connection");
            stream
                .write_all(request.as_bytes())
                .await
                .expect("it is open");
            held.push(stream);
        }
        let page = answer(&server, "").await;
        assert!(page.contains("meterhouse_build_info"), "{request}\n{page}");
    }
    let oldest = held.first_mut().expect("a connection");
    let ended = timeout(PATIENCE, oldest.read(&mut [0]))
        .await
        .expect("an end in time");
    assert_eq!(
        ended.unwrap_or_default(),
        0,
        "the oldest was not closed for a newer one"
    );

    let large = answer(&server, &format!("X: {}\r\n", "x".repeat(16_384))).await;
    assert!(
        large.is_empty() || large.starts_with("HTTP/1.1 431 "),
        "{large}"
    );
}

/// Requests the page with this header on a new connection. Returns all that is answered.
async fn answer(server: &Watched, header: &str) -> String {
    let mut stream = TcpStream::connect(&server.at).await.expect("a connection");
    let request = format!("GET /metrics HTTP/1.1\r\nHost: x\r\nConnection: close\r\n{header}\r\n");
    // The server may answer and close before it has read everything.
    drop(stream.write_all(request.as_bytes()).await);
    let mut answer = Vec::new();
    let read = timeout(PATIENCE, stream.read_to_end(&mut answer)).await;
    drop(read.expect("an end in time"));
    String::from_utf8_lossy(&answer).into_owned()
}
