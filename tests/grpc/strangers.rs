//! Connections that have shown no token: as many as there may be keep no table out.

use std::net::SocketAddr;

use meterhouse_grpc::{ANONYMOUS_LIMITS, CONNECTIONS_MAX};
use meterhouse_tests::{FIVE_CARD_C, House, Stream, in_time, raise_open_files};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

use crate::pipelining::rounds;

/// The first bytes of a client of HTTP/2, and empty settings.
const BEGINNING: &[u8] = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0";

/// Connects and speaks HTTP/2, and then no more.
async fn stranger(address: SocketAddr) -> TcpStream {
    let mut stream = TcpStream::connect(address).await.expect("it listens");
    stream.write_all(BEGINNING).await.expect("a connection");
    stream
}

/// With every connection taken by one address a table comes in and plays; the strangers that came first are closed,
/// and however many come afterwards, the table stays.
#[tokio::test]
async fn a_table_comes_in_among_strangers() {
    raise_open_files();
    let (house, dealers) = House::playing(FIVE_CARD_C, &["T1"]).await;
    let address = house.server.grpc;
    let mut strangers = Vec::new();
    for _ in 0..CONNECTIONS_MAX {
        strangers.push(stranger(address).await);
    }
    let mut table = Stream::open(address).await;
    let attached = table.attach(&dealers[0]).await;
    assert_eq!(attached.next_sequence, 1);
    for gone in strangers
        .iter_mut()
        .take(CONNECTIONS_MAX - ANONYMOUS_LIMITS.all)
    {
        // Settings of the server may come first; a reset is an end as well.
        drop(in_time("it is closed", gone.read_to_end(&mut Vec::new())).await);
    }
    for _ in 0..ANONYMOUS_LIMITS.all {
        strangers.push(stranger(address).await);
    }
    table.commands(rounds(attached.handle, 1, 2)).await;
    let (outcomes, ended) = table.outcomes(2).await;
    assert!(ended.is_none(), "{ended:?}");
    assert_eq!(outcomes.len(), 2);
    drop((strangers, table));
    house.end().await;
}
