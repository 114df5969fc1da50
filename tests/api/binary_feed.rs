//! Binary frames: the same messages as the texts, for whoever asks for the subprotocol.

use meterhouse_tests::feed::{Ways, assert_same};
use meterhouse_tests::{FIVE_CARD_C, Feed, HAND_BONUS, House, in_time};
use serde_json::Value;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

/// Texts and binary frames.
struct TextsAndFrames;

impl Ways for TextsAndFrames {
    async fn open(&self, house: &House, after: Option<&str>, token: Option<&str>) -> [Feed; 2] {
        let address = house.server.address;
        [
            Feed::open_as(address, "main", after, token).await,
            Feed::open_binary(address, "main", after, token).await,
        ]
    }
}

#[tokio::test]
async fn binary_frames_say_the_same_as_texts() {
    Box::pin(assert_same(&TextsAndFrames)).await;
}

/// The dealer's hand has no seat.
#[tokio::test]
async fn a_hit_of_the_dealer() {
    let (house, dealers) = House::playing(HAND_BONUS, &["T1"]).await;
    let [dealer] = &dealers[..] else {
        panic!("one table")
    };
    let [mut texts, mut frames] = TextsAndFrames.open(&house, None, None).await;
    drop(dealer.coin_in_on_dealer(&[1, 2]).await.created());
    drop(dealer.dealer_hit("royal-flush").await.created());
    let text = texts.hears("hit", |it| it["seat"] == Value::Null).await;
    assert_eq!(frames.hears("hit", |_| true).await, text);
    house.end().await;
}

/// Asks for a feed and for these subprotocols: the head of the answer, and the first byte of its first frame.
async fn asks_for(house: &House, protocols: &str) -> (String, u8) {
    let stream = TcpStream::connect(house.server.address).await;
    let mut stream = stream.expect("the server listens");
    let request = format!(
        "GET /v1/links/main/feed HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\
         Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\
         Sec-WebSocket-Protocol: {protocols}\r\n\r\n"
    );
    stream.write_all(request.as_bytes()).await.expect("sent");
    let mut head = Vec::new();
    while !head.ends_with(b"\r\n\r\n") {
        head.push(in_time("the head", stream.read_u8()).await.expect("a byte"));
    }
    let first = in_time("a frame", stream.read_u8()).await.expect("a byte");
    let head = String::from_utf8(head).expect("text");
    (head.to_lowercase(), first)
}

/// RFC 6455 § 4.2.2: the server names the subprotocol that it chose of those that it was asked for, and none that it
/// doesn't know.
#[tokio::test]
async fn subprotocols() {
    /// First bytes of whole frames (§ 5.2).
    const TEXT: u8 = 0x81;
    const BINARY: u8 = 0x82;
    let (house, _) = House::playing(FIVE_CARD_C, &["T1"]).await;
    for (asked, chosen, first) in [
        ("meterhouse.v1.proto", true, BINARY),
        ("graphql-ws, meterhouse.v1.proto", true, BINARY),
        ("graphql-ws", false, TEXT),
        ("meterhouse.v2.proto", false, TEXT),
        ("METERHOUSE.V1.PROTO", false, TEXT),
    ] {
        let (head, frame) = asks_for(&house, asked).await;
        assert!(head.starts_with("http/1.1 101 "), "{head}");
        let named = "\r\nsec-websocket-protocol: meterhouse.v1.proto\r\n";
        assert_eq!(head.contains(named), chosen, "{asked}: {head}");
        assert_eq!(head.contains("sec-websocket-protocol"), chosen, "{head}");
        assert_eq!(frame, first, "{asked}");
    }
    house.end().await;
}
