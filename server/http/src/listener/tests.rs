//! Who is heard, who is closed in time, and who is told that there is no room.

use std::net::SocketAddr;
use std::sync::Arc;

use axum::Extension;
use axum::extract::ws::{WebSocket, WebSocketUpgrade};
use axum::response::Response;
use axum::routing::{get, post};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::sync::Notify;
use tokio::task::JoinHandle;
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;

use super::*;

/// How long anything is waited for.
const PATIENCE: Duration = Duration::from_secs(30);
/// Longer than a test.
const LONG: Duration = Duration::from_hours(1);
/// A head's time where a test waits until it is over.
const SHORT: Duration = Duration::from_millis(300);
/// Pause of whoever sends byte by byte, and of whoever asks again.
const A_LITTLE: Duration = Duration::from_millis(10);

const LIMITS: Limits = Limits {
    connections: 64,
    silent: 64,
    anonymous: ANONYMOUS_LIMITS,
    head_wait: LONG,
    idle: LONG,
};

/// A server of three routes.
struct House {
    address: SocketAddr,
    stopping: CancellationToken,
    /// Heard when a slow request has begun, and awaited by it.
    begun: Arc<Notify>,
    goes_on: Arc<Notify>,
    serving: JoinHandle<()>,
}

async fn house(limits: Limits) -> House {
    let (begun, goes_on) = (Arc::new(Notify::new()), Arc::new(Notify::new()));
    let slow = (Arc::clone(&begun), Arc::clone(&goes_on));
    let router = Router::new()
        .route("/", get(|| async { "here" }))
        .route("/body", post(|body: String| async move { body }))
        .route("/slow", get(move || wait(slow.0, slow.1)))
        .route("/feed", get(feed))
        .route("/known", get(known));
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let address = listener.local_addr().expect("an address");
    let options = Options {
        limits,
        ..Options::default()
    };
    let stopping = options.stopping.clone();
    House {
        address,
        stopping,
        begun,
        goes_on,
        serving: tokio::spawn(serve(listener, router, options)),
    }
}

async fn wait(begun: Arc<Notify>, goes_on: Arc<Notify>) -> &'static str {
    begun.notify_one();
    goes_on.notified().await;
    "slowly"
}

async fn feed(upgrade: WebSocketUpgrade) -> Response {
    upgrade.on_upgrade(async |mut socket: WebSocket| drop(socket.recv().await))
}

/// Answers a request as one with a valid token.
async fn known(Extension(place): Extension<Place>) -> &'static str {
    place.know();
    "known"
}

async fn in_time<T>(what: &str, coming: impl Future<Output = T>) -> T {
    let came = timeout(PATIENCE, coming).await;
    came.unwrap_or_else(|_| panic!("not in time: {what}"))
}

struct Client(TcpStream);

impl House {
    async fn connect(&self) -> Client {
        let connecting = in_time("a connection", TcpStream::connect(self.address));
        Client(connecting.await.expect("it listens"))
    }

    /// Waits until a head that doesn't come has had its time.
    async fn head_wait_passes(&self) {
        assert_eq!(self.connect().await.rest().await, "");
    }
}

impl Client {
    async fn say(&mut self, text: &str) {
        self.0.write_all(text.as_bytes()).await.expect("it is open");
    }

    /// Asks for what is there, and hears it.
    async fn ask(&mut self, path: &str, answer: &str) {
        self.say(&get_of(path)).await;
        self.hear(answer).await;
    }

    /// Hears something that ends in this.
    async fn hear(&mut self, end: &str) {
        let mut heard = Vec::new();
        while !heard.ends_with(end.as_bytes()) {
            let read = in_time("an answer", self.0.read_buf(&mut heard)).await;
            let so_far = String::from_utf8_lossy(&heard);
            assert_ne!(
                read.expect("it is open"),
                0,
                "{so_far:?} instead of {end:?}"
            );
        }
    }

    /// What comes until the other side closes; a reset is an end as well.
    async fn rest(&mut self) -> String {
        let mut rest = Vec::new();
        drop(in_time("it is closed", self.0.read_to_end(&mut rest)).await);
        String::from_utf8(rest).expect("text")
    }
}

fn get_of(path: &str) -> String {
    format!("GET {path} HTTP/1.1\r\nHost: x\r\n\r\n")
}

fn waits_shortly() -> Limits {
    Limits {
        head_wait: SHORT,
        ..LIMITS
    }
}

#[tokio::test]
async fn a_head_has_its_time() {
    let house = house(waits_shortly()).await;
    let (mut silent, mut half) = (house.connect().await, house.connect().await);
    half.say("GET / HTTP/1.1\r\nHo").await;
    assert_eq!(silent.rest().await, "");
    assert_eq!(half.rest().await, "");
    let mut second = house.connect().await;
    second.ask("/", "here").await;
    second.say("GET / HTTP/1.1\r\nHo").await;
    assert_eq!(second.rest().await, "", "the next head has no more");
}

#[tokio::test]
async fn a_head_that_comes_byte_by_byte_has_no_more() {
    let house = house(waits_shortly()).await;
    let mut client = house.connect().await;
    client.say("GET / HTTP/1.1\r\nX: ").await;
    let dribble = async {
        while timeout(A_LITTLE, client.0.read(&mut [0])).await.is_err() {
            drop(client.0.write_all(b"x").await);
        }
    };
    in_time("it is closed", dribble).await;
}

#[tokio::test]
async fn a_pause_between_two_requests_is_no_head() {
    let house = house(waits_shortly()).await;
    let mut client = house.connect().await;
    client.ask("/", "here").await;
    house.head_wait_passes().await;
    client.ask("/", "here").await;
    let head = "POST /body HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\n";
    client.say(head).await;
    house.head_wait_passes().await;
    client.say("hello").await;
    client.hear("hello").await;
    house.head_wait_passes().await;
    client.ask("/", "here").await;
    client.ask("/", "here").await;
}

#[tokio::test]
async fn a_pause_has_its_time_as_well() {
    let limits = Limits {
        idle: SHORT,
        ..waits_shortly()
    };
    let house = house(limits).await;
    let mut client = house.connect().await;
    client.ask("/", "here").await;
    assert_eq!(client.rest().await, "");
}

#[tokio::test]
async fn the_silent_keep_nobody_out() {
    let limits = Limits {
        silent: 4,
        ..LIMITS
    };
    let house = house(limits).await;
    let mut speaking = house.connect().await;
    speaking.ask("/", "here").await;
    let mut silent = Vec::new();
    for _ in 0..12 {
        silent.push(house.connect().await);
    }
    let mut newcomer = house.connect().await;
    newcomer.ask("/", "here").await;
    for longest in silent.iter_mut().take(8) {
        assert_eq!(longest.rest().await, "");
    }
    // Those that came last have their places still, and use them.
    for last in silent.iter_mut().skip(9) {
        last.ask("/", "here").await;
    }
    speaking.ask("/", "here").await;
}

#[tokio::test]
async fn strangers_go_and_the_known_stay() {
    let anonymous = AnonymousLimits {
        all: 4,
        ..ANONYMOUS_LIMITS
    };
    let house = house(Limits {
        anonymous,
        ..LIMITS
    });
    let house = house.await;
    let mut known = house.connect().await;
    known.ask("/known", "known").await;
    let mut busy = house.connect().await;
    busy.say(&get_of("/slow")).await;
    in_time("it has begun", house.begun.notified()).await;
    let mut idle = Vec::new();
    for _ in 0..8 {
        let mut stranger = house.connect().await;
        stranger.ask("/", "here").await;
        idle.push(stranger);
    }
    for gone in idle.iter_mut().take(4) {
        assert_eq!(gone.rest().await, "");
    }
    for last in idle.iter_mut().skip(4) {
        last.ask("/", "here").await;
    }
    known.ask("/", "here").await;
    house.goes_on.notify_one();
    let answer = busy.rest().await;
    assert!(
        answer.ends_with("slowly"),
        "it ends after its answer: {answer}"
    );
}

#[tokio::test]
async fn there_is_room_for_so_many() {
    let limits = Limits {
        connections: 2,
        ..LIMITS
    };
    let house = house(limits).await;
    let (mut first, mut display) = (house.connect().await, house.connect().await);
    first.ask("/", "here").await;
    let upgrade = "GET /feed HTTP/1.1\r\nHost: x\r\nConnection: upgrade\r\nUpgrade: websocket\r\n\
        Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n";
    display.say(upgrade).await;
    display.hear("\r\n\r\n").await;
    let last = async || {
        let mut client = house.connect().await;
        client
            .say("GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
            .await;
        client.rest().await
    };
    let refused = last().await;
    assert!(refused.starts_with("HTTP/1.1 503 "), "{refused}");
    assert!(refused.contains("\"code\":\"busy\""), "{refused}");
    first.ask("/", "here").await;
    drop(display);
    let freed = async { while !last().await.starts_with("HTTP/1.1 200 ") {} };
    in_time("a feed that ended is no connection", freed).await;
}

#[tokio::test]
async fn what_is_no_head_is_told_so() {
    let house = house(LIMITS).await;
    let bad = async |said: String| {
        let mut client = house.connect().await;
        client.say(&said).await;
        client.rest().await
    };
    let heard = bad("what?\r\n\r\n".to_owned()).await;
    assert!(heard.starts_with("HTTP/1.1 400 "), "{heard}");
    // Not one byte more than is read, which would be answered with a reset.
    let mut large = "GET / HTTP/1.1\r\nX: ".to_owned();
    large.push_str(&"x".repeat(HEAD_BYTES_MAX - large.len()));
    let heard = bad(large).await;
    assert!(heard.starts_with("HTTP/1.1 431 "), "{heard}");
}

#[tokio::test]
async fn a_stop_waits_for_requests_only() {
    let house = house(LIMITS).await;
    let (mut silent, mut half, mut idle) = (
        house.connect().await,
        house.connect().await,
        house.connect().await,
    );
    half.say("GET / HTTP/1.1\r\nHo").await;
    idle.ask("/", "here").await;
    let mut asking = house.connect().await;
    asking.say(&get_of("/slow")).await;
    in_time("it has begun", house.begun.notified()).await;
    house.stopping.cancel();
    for closed in [&mut silent, &mut half, &mut idle] {
        assert_eq!(closed.rest().await, "");
    }
    assert!(TcpStream::connect(house.address).await.is_err());
    assert!(!house.serving.is_finished());
    house.goes_on.notify_one();
    let answer = asking.rest().await;
    assert!(answer.ends_with("slowly"), "{answer}");
    in_time("it ends", house.serving)
        .await
        .expect("it ends well");
}
