//! Displays that are up to date share one writer. What each of them hears and says is as if it had its own.

use futures_util::future::join_all;
use futures_util::{SinkExt as _, StreamExt as _};
use meterhouse_engine::clock::now;
use meterhouse_tests::{FIVE_CARD_C, Feed, House, TestServer, in_time};
use serde_json::Value;
use tokio::net::TcpStream;
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::client::IntoClientRequest as _;

/// Displays of each form.
const DISPLAYS: usize = 12;

/// A display of which every frame is seen.
struct Raw(WebSocketStream<TcpStream>);

impl Raw {
    async fn open(server: &TestServer, token: Option<&str>) -> Self {
        let url = format!("ws://{}/v1/links/main/feed", server.address);
        let mut request = url.into_client_request().expect("an address");
        if let Some(token) = token {
            let bearer = format!("Bearer {token}").parse().expect("a header");
            request.headers_mut().insert("authorization", bearer);
        }
        let stream = TcpStream::connect(server.address).await;
        let stream = stream.expect("the server listens");
        let opened = tokio_tungstenite::client_async(request, stream);
        let (stream, _) = in_time("the feed opens", opened).await.expect("it opens");
        Self(stream)
    }

    /// Reads until a frame is the one; nothing if the server ends the connection before.
    async fn reads(&mut self, what: &str, is_it: impl Fn(&Message) -> bool) -> Option<Message> {
        let reading = async {
            loop {
                match self.0.next().await {
                    Some(Ok(message)) if is_it(&message) => return Some(message),
                    Some(Ok(_)) => {}
                    Some(Err(_)) | None => return None,
                }
            }
        };
        in_time(what, reading).await
    }

    /// Reads two heartbeats. The display joins a group after the first one.
    async fn joins(&mut self) {
        for _ in 0..2 {
            let heartbeat = self.reads("a heartbeat", is_heartbeat).await;
            heartbeat.expect("the feed goes on");
        }
    }

    /// Reads the code of the server's close frame.
    async fn close_code(&mut self) -> u16 {
        match self.reads("a close frame", Message::is_close).await {
            Some(Message::Close(Some(frame))) => frame.code.into(),
            other => panic!("no close frame: {other:?}"),
        }
    }
}

fn is_heartbeat(message: &Message) -> bool {
    matches!(message, Message::Text(text) if text.contains("\"heartbeat\""))
}

/// What was heard but amounts and heartbeats, behind the first snapshot.
fn events(feed: &Feed) -> Vec<&Value> {
    let heard = feed.heard.iter().skip(1);
    let is_event = |it: &&Value| it["type"] != "meters" && it["type"] != "heartbeat";
    heard.filter(is_event).collect()
}

/// Every display of a group, in either form, hears every event in order and only ever newer amounts.
#[tokio::test]
async fn a_group_hears_what_one_display_hears() {
    let (house, dealers) = House::playing(FIVE_CARD_C, &["T1"]).await;
    let address = house.server.address;
    let texts = join_all((0..DISPLAYS).map(|_| Feed::open(address, "main", None))).await;
    let frames = (0..DISPLAYS).map(|_| Feed::open_binary(address, "main", None, None));
    let frames = join_all(frames).await;
    let mut displays: Vec<Feed> = texts.into_iter().chain(frames).collect();
    for display in &mut displays {
        display.hears("heartbeat", |_| true).await;
    }
    for round in 0..4 {
        drop(dealers[0].coin_in(&[1, 2, 3]).await.created());
        drop(dealers[0].hit_unseen(3, "flush").await.created());
        drop(dealers[0].cancel(2 + 4 * round).await.created());
        drop(dealers[0].close().await.created());
    }
    let newest = house.nobody().get("/v1/links/main/meters").await.is(200);
    for display in &mut displays {
        display
            .hears("hit_changed", |it| it["hit"] == "T1.14")
            .await;
        let is_newest = |it: &Value| it["batch"] == newest["batch"];
        display
            .until("the newest amounts", |heard| heard.iter().any(is_newest))
            .await;
    }
    let expected: Vec<String> = (0..4)
        .flat_map(|round| {
            let hit = format!("T1.{}", 2 + 4 * round);
            [format!("hit {hit}"), format!("hit_changed {hit}")]
        })
        .collect();
    for display in &displays {
        let word = |it: &&Value| {
            let text = |name: &str| it[name].as_str().unwrap_or_default().to_owned();
            format!("{} {}", text("type"), text("hit"))
        };
        let events: Vec<String> = events(display).iter().map(word).collect();
        assert_eq!(events, expected);
        let batches = display.heard.iter().filter_map(|it| it["batch"].as_u64());
        let batches: Vec<u64> = batches.collect();
        assert!(batches.is_sorted_by(|one, next| one < next), "{batches:?}");
    }
    house.end().await;
}

/// A display in a group gets pongs to its pings, and its connection ends after its close frame.
#[tokio::test]
async fn what_a_display_says_is_answered() {
    let (house, _) = House::playing(FIVE_CARD_C, &["T1"]).await;
    let mut displays = [
        Raw::open(&house.server, None).await,
        Raw::open(&house.server, None).await,
    ];
    for display in &mut displays {
        display.joins().await;
    }
    for payload in ["one", "another"] {
        let ping = Message::Ping(payload.into());
        displays[0].0.send(ping).await.expect("it is open");
        let is_pong = |it: &Message| matches!(it, Message::Pong(told) if told == payload);
        let answer = displays[0].reads("a pong", is_pong).await;
        answer.expect("the feed goes on");
    }
    let [mut leaves, mut stays] = displays;
    leaves
        .0
        .send(Message::Close(None))
        .await
        .expect("it is open");
    let ended = leaves.reads("the end", |_| false).await;
    assert!(ended.is_none());
    stays.joins().await;
    house.end().await;
}

/// A server that stops says so to every display of a group. One whose token is revoked is told that. One whose token is
/// valid goes on after the same checks.
#[tokio::test]
async fn ends_of_displays_in_a_group() {
    let (house, _) = House::playing(FIVE_CARD_C, &["T1"]).await;
    let second = house.another_server().await;
    let token = house.token("floor", "auditor", None, None).await;
    let mut revoked = Raw::open(&second, Some(&token)).await;
    let token = house.token("office", "auditor", None, None).await;
    let mut others = vec![Raw::open(&second, Some(&token)).await];
    for _ in 1..DISPLAYS {
        others.push(Raw::open(&second, None).await);
    }
    revoked.joins().await;
    let ended = house.server.store.revoke_tokens("floor", now()).await;
    assert_eq!(ended.expect("the database answers"), 1);
    assert_eq!(revoked.close_code().await, 1008);
    for display in &mut others {
        display.joins().await;
    }
    second.stop().await;
    for display in &mut others {
        assert_eq!(display.close_code().await, 1001);
    }
    house.end().await;
}
