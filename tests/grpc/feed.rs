//! `MeterFeed/Watch`: what displays hear over gRPC is what they hear over WebSocket.

use std::net::SocketAddr;

use meterhouse_engine::clock::now;
use meterhouse_proto::feed::meter_feed_client::MeterFeedClient;
use meterhouse_proto::feed::{FeedMessage, WatchRequest};
use meterhouse_tests::feed::{Ways, assert_same};
use meterhouse_tests::{FIVE_CARD_C, Feed, House, eventually, in_time};
use serde_json::Value;
use tonic::transport::Channel;
use tonic::{Code, Status, Streaming};
use tonic_types::StatusExt as _;

/// Texts of WebSocket and a stream of gRPC.
struct TextsAndStream;

impl Ways for TextsAndStream {
    async fn open(&self, house: &House, after: Option<&str>, token: Option<&str>) -> [Feed; 2] {
        let stream = Feed::watch_as(house.server.grpc, "main", after, token).await;
        [
            Feed::open_as(house.server.address, "main", after, token).await,
            stream.expect("a feed"),
        ]
    }
}

#[tokio::test]
async fn a_stream_says_the_same_as_texts() {
    Box::pin(assert_same(&TextsAndStream)).await;
}

/// The reason of a status, and what it is about.
fn reason(status: &Status, field: &str) -> (String, String) {
    let info = status.get_details_error_info().expect("details");
    assert_eq!(info.domain, "meterhouse");
    let value = info.metadata.get(field).cloned();
    (info.reason, value.unwrap_or_default())
}

/// No link, no name, no place: each a status with the code that HTTP has.
#[tokio::test]
async fn what_is_no_feed() {
    let (house, _) = House::playing(FIVE_CARD_C, &["T1"]).await;
    for (link, after, code, expected) in [
        ("other", None, Code::NotFound, ("unknown_link", "other")),
        ("a b", None, Code::InvalidArgument, ("invalid_name", "a b")),
        ("", None, Code::InvalidArgument, ("invalid_name", "")),
    ] {
        let status = Feed::watch(house.server.grpc, link, after).await;
        let status = status.expect_err("no feed");
        assert_eq!(status.code(), code, "{status}");
        let (reason, value) = reason(&status, "link");
        assert_eq!((reason.as_str(), value.as_str()), expected);
    }
    for after in ["18446744073709551615.0", "1.4294967295"] {
        let status = Feed::watch(house.server.grpc, "main", Some(after)).await;
        let status = status.expect_err("no feed");
        assert_eq!(status.code(), Code::InvalidArgument, "{status}");
        let expected = ("invalid_parameter".to_owned(), after.to_owned());
        assert_eq!(reason(&status, "after"), expected);
    }
    let unknown = "x".repeat(64);
    let status = Feed::watch_as(house.server.grpc, "main", None, Some(&unknown)).await;
    let status = status.expect_err("no feed");
    assert_eq!(status.code(), Code::Unauthenticated, "{status}");
    assert_eq!(reason(&status, "link").0, "unauthenticated");
    house.end().await;
}

/// The floor's feed ends with its token, and says so.
#[tokio::test]
async fn a_revoked_token_ends_its_feed() {
    let (house, _) = House::playing(FIVE_CARD_C, &["T1"]).await;
    let token = house.token("floor", "auditor", None, None).await;
    let floor = Feed::watch_as(house.server.grpc, "main", None, Some(&token)).await;
    let mut floor = floor.expect("a feed");
    drop(floor.next().await.expect("a snapshot"));
    let revoked = house.server.store.revoke_tokens("floor", now()).await;
    assert_eq!(revoked.expect("the database answers"), 1);
    while floor.next().await.is_some() {}
    let status = floor.ended.expect("a status");
    assert_eq!(status.code(), Code::Unauthenticated, "{status}");
    assert_eq!(reason(&status, "").0, "unauthenticated");
    house.end().await;
}

/// A connection whose displays take no more than a few bytes before somebody reads them.
async fn narrow(address: SocketAddr) -> MeterFeedClient<Channel> {
    /// Less than any message.
    const NARROW: u32 = 16;
    let endpoint = Channel::from_shared(format!("http://{address}")).expect("an address");
    let endpoint = endpoint.initial_stream_window_size(NARROW);
    let connected = in_time("a connection", endpoint.connect()).await;
    MeterFeedClient::new(connected.expect("it listens"))
}

/// A display on a connection.
async fn watch(client: &mut MeterFeedClient<Channel>) -> Streaming<FeedMessage> {
    let request = WatchRequest {
        link: "main".to_owned(),
        after: None,
        seal: String::new(),
    };
    let answer = in_time("the feed opens", client.watch(request)).await;
    answer.expect("a feed").into_inner()
}

/// Reads to the end: how many messages came, and why no more do.
async fn ends(mut display: Streaming<FeedMessage>) -> (usize, Status) {
    /// More than come in a minute.
    const MOST: usize = 64;
    for messages in 0..MOST {
        match in_time("a message, or the end", display.message()).await {
            Ok(Some(_)) => {}
            Ok(None) => panic!("it ended without a status"),
            Err(status) => return (messages, status),
        }
    }
    panic!("it goes on");
}

/// A display that takes nothing is ended and told why; one that doesn't take that either loses its connection. A
/// display on another connection goes on, and tells the time: it hears a heartbeat each second.
#[tokio::test]
async fn displays_that_take_nothing() {
    /// Heartbeats after which a display is ended that takes nothing, and still has its connection.
    const ENDED: usize = 16;
    let (house, _) = House::playing(FIVE_CARD_C, &["T1"]).await;
    let address = house.server.grpc;
    let mut quick = Feed::watch(address, "main", None).await.expect("a feed");
    let mut connection = narrow(address).await;
    let late = watch(&mut connection).await;
    let mut lost = narrow(address).await;
    let never = watch(&mut lost).await;
    // On the same connection, and well: it sees when that is taken.
    let beside = ends(watch(&mut lost).await);
    let reads_late = async {
        let is_time = |heard: &[Value]| {
            let beats = heard.iter().filter(|it| it["type"] == "heartbeat");
            beats.count() >= ENDED
        };
        quick.until("heartbeats", is_time).await;
        ends(late).await
    };
    let ((taken, told), (before, closed)) = tokio::join!(reads_late, beside);
    assert_eq!(told.code(), Code::ResourceExhausted, "{told}");
    assert_eq!(reason(&told, "").0, "messages_not_read");
    assert!(taken < ENDED, "{taken} messages were kept for it");
    assert!(before > ENDED, "it ended after {before}: {closed}");
    assert!(closed.get_details_error_info().is_none(), "{closed}");
    let (_, gone) = ends(never).await;
    assert!(gone.get_details_error_info().is_none(), "{gone}");
    let heard = quick.heard.len();
    quick.until("more", |it| it.len() > heard + 1).await;
    drop(quick);
    house.end().await;
}

/// A server that stops ends its feeds, and says so; where another serves the link, the display goes on there.
#[tokio::test]
async fn a_server_that_stops_says_so() {
    let (house, dealers) = House::playing(FIVE_CARD_C, &["T1"]).await;
    let [dealer] = &dealers[..] else {
        panic!("one table")
    };
    let second = house.another_server().await;
    let mut display = Feed::watch(second.grpc, "main", None)
        .await
        .expect("a feed");
    drop(dealer.coin_in(&[1, 3]).await.created());
    drop(dealer.hit_unseen(3, "flush").await.created());
    let hit = display.hears("hit", |it| it["hit"] == "T1.2").await;
    second.stop().await;
    while display.next().await.is_some() {}
    let status = display.ended.expect("a status");
    assert_eq!(status.code(), Code::Unavailable, "{status}");
    assert_eq!(reason(&status, "").0, "server_stops");

    drop(dealer.cancel(2).await.created());
    let place = hit["position"].as_str();
    let again = eventually("the other server serves", async || {
        Feed::watch(house.server.grpc, "main", place).await.ok()
    });
    let mut again = again.await;
    again
        .hears("hit_changed", |it| it["state"] == "undone")
        .await;
    assert!(again.of("hit").is_empty(), "it was heard before");
    house.end().await;
}
