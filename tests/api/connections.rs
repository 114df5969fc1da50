//! Connections that say nothing, or nothing that is HTTP: told or closed, and in nobody's way.

use meterhouse_tests::{FIVE_CARD_C, House, in_time};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

/// Connections that say nothing: as many as a process may have without asking for more, with room for the others.
const SILENT: usize = 200;

/// Connects and sends this.
async fn say(house: &House, said: &[u8]) -> TcpStream {
    let connecting = TcpStream::connect(house.server.address);
    let connected = in_time("a connection", connecting).await;
    let mut stream = connected.expect("it listens");
    stream.write_all(said).await.expect("a connection");
    stream
}

/// What comes until the other side closes; a reset is an end as well.
async fn rest(stream: &mut TcpStream) -> String {
    let mut heard = Vec::new();
    drop(in_time("it is closed", stream.read_to_end(&mut heard)).await);
    String::from_utf8_lossy(&heard).into_owned()
}

/// Among many that say nothing a table plays; a stop waits for none of them.
#[tokio::test]
async fn silence_is_in_nobodys_way() {
    let (house, dealers) = House::playing(FIVE_CARD_C, &["T1"]).await;
    let mut silent = Vec::new();
    for _ in 0..SILENT / 2 {
        silent.push(say(&house, b"").await);
        silent.push(say(&house, b"GET /v1/tables HTTP/1.1\r\nHo").await);
    }
    drop(dealers[0].coin_in(&[1]).await.created());
    house.end().await;
    for mut it in silent {
        assert_eq!(rest(&mut it).await, "");
    }
}

/// Whoever speaks something else is told so, and closed.
#[tokio::test]
async fn nonsense_is_told() {
    let (house, dealers) = House::playing(FIVE_CARD_C, &["T1"]).await;
    let mut noise = say(&house, b"\xff\xfe\r\n\r\n").await;
    let heard = rest(&mut noise).await;
    assert!(heard.starts_with("HTTP/1.1 400 "), "{heard}");
    let mut another = say(&house, b"EHLO table\r\n\r\n").await;
    let heard = rest(&mut another).await;
    assert!(heard.starts_with("HTTP/1.1 400 "), "{heard}");
    drop(dealers[0].coin_in(&[1]).await.created());
    house.end().await;
}
