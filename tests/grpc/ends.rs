//! How streams end: each malformed request with its code, after the outcomes of what came before it.

use std::time::Duration;

use meterhouse_grpc::{MESSAGE_BYTES_MAX, WINDOW};
use meterhouse_proto::table as proto;
use meterhouse_proto::table::command::Command as Sent;
use meterhouse_proto::table::play_request::Request;
use meterhouse_proto::table::play_response::Response;
use meterhouse_tests::{Dealer, FIVE_CARD_C, House, Stream, eventually, reason};
use serde_json::json;
use tonic::{Code, Status};

use crate::pipelining::rounds;

/// The table's first command and another, as one wants it.
fn and_then(change: impl FnOnce(&mut proto::Command)) -> Vec<proto::Command> {
    let mut commands = rounds(1, 1, 2);
    change(&mut commands[1]);
    commands
}

fn coin_in(change: impl FnOnce(&mut proto::CoinIn)) -> Vec<proto::Command> {
    let mut commands = rounds(1, 1, 3);
    let mut sent = commands.remove(2);
    if let Some(Sent::CoinIn(it)) = &mut sent.command {
        change(it);
    }
    sent.sequence = 2;
    commands[1] = sent;
    commands
}

fn with(sent: Sent) -> Vec<proto::Command> {
    and_then(|it| it.command = Some(sent))
}

fn hit(hand: &str, seat: u32, cards: &[&str]) -> Sent {
    let holder = Some(proto::holder::Holder::Seat(seat));
    Sent::Hit(proto::Hit {
        holder: Some(proto::Holder { holder }),
        hand: hand.to_owned(),
        cards: Some(proto::Cards {
            cards: cards.iter().map(ToString::to_string).collect(),
        }),
    })
}

/// What can be wrong with what every command has, and with a coin-in.
fn malformed_coin_ins() -> Vec<(&'static str, Vec<proto::Command>)> {
    vec![
        ("invalid_value", and_then(|it| it.handle = 0)),
        ("invalid_value", and_then(|it| it.handle = 2)),
        ("invalid_sequence", and_then(|it| it.sequence = 0)),
        ("invalid_sequence", and_then(|it| it.sequence = u64::MAX)),
        (
            "invalid_time",
            and_then(|it| it.device_time_micros = Some(i64::MAX)),
        ),
        (
            "invalid_name",
            and_then(|it| it.badge = String::from("d 12")),
        ),
        ("malformed_body", and_then(|it| it.command = None)),
        ("invalid_value", coin_in(|it| it.dealt.push(256))),
        ("invalid_value", coin_in(|it| it.wagers[0].seat = 1_000)),
        (
            "invalid_amount",
            coin_in(|it| it.wagers[1].amount_micros = -1),
        ),
        (
            "invalid_name",
            coin_in(|it| it.wagers[2].player = String::from("p/7")),
        ),
        (
            "invalid_value",
            coin_in(|it| it.wagers = vec![it.wagers[0].clone(); 65]),
        ),
    ]
}

/// What can be wrong with the other commands.
fn malformed_others() -> Vec<(&'static str, Vec<proto::Command>)> {
    vec![
        (
            "invalid_value",
            with(Sent::Fold(proto::Fold { seats: vec![1; 65] })),
        ),
        ("unknown_hand", with(hit("five-of-a-kind", 1, &[]))),
        ("invalid_value", with(hit("flush", 256, &[]))),
        ("invalid_card", with(hit("flush", 1, &["1s"]))),
        (
            "malformed_body",
            with(Sent::Hit(proto::Hit {
                hand: "flush".to_owned(),
                ..Default::default()
            })),
        ),
        (
            "invalid_value",
            with(Sent::Bonus(proto::Bonus {
                kind: "luck".to_owned(),
                ..Default::default()
            })),
        ),
        (
            "invalid_value",
            with(Sent::Void(proto::Void {
                reason: "late".to_owned(),
            })),
        ),
        (
            "invalid_name",
            with(Sent::CancelHit(proto::CancelHit {
                sequence: 0,
                number: 0,
            })),
        ),
        (
            "invalid_name",
            with(Sent::CancelHit(proto::CancelHit {
                sequence: 1,
                number: 256,
            })),
        ),
    ]
}

/// A malformed command ends its stream with the code of HTTP, after the outcome of the command before it; nothing of it
/// was counted.
#[tokio::test]
async fn malformed_commands() {
    let (house, dealers) = House::playing(FIVE_CARD_C, &["T1"]).await;
    let malformed = [malformed_coin_ins(), malformed_others()].concat();
    for (index, (code, commands)) in malformed.into_iter().enumerate() {
        let mut stream = Stream::open(house.server.grpc).await;
        drop(stream.attach(&dealers[0]).await);
        stream.commands(commands).await;
        let (outcomes, status) = stream.ends().await;
        let info = reason(&status);
        assert_eq!(info.reason, code, "{index}: {status:?}");
        assert_eq!(
            (status.code(), info.domain.as_str()),
            (Code::InvalidArgument, "meterhouse")
        );
        assert!(!status.message().is_empty());
        assert_eq!(outcomes.len(), 1, "{index}");
        assert_eq!(outcomes[0].replayed, index > 0);
    }
    assert_eq!(dealers[0].resume().await["next_sequence"], 2);
    house.end().await;
}

/// Requests that are none, or too large.
#[tokio::test]
async fn malformed_requests() {
    let (house, dealers) = House::playing(FIVE_CARD_C, &["T1"]).await;
    let many = rounds(1, 1, u64::try_from(WINDOW).expect("small") + 1);
    let mut long = rounds(1, 1, 1);
    long[0].badge = "x".repeat(MESSAGE_BYTES_MAX);
    let commands = |commands| Some(Request::Commands(proto::Commands { commands }));
    let heartbeat = Some(Request::Heartbeat(proto::Heartbeat { handle: 7 }));
    for (request, status, code) in [
        (None, Code::InvalidArgument, "malformed_body"),
        (heartbeat, Code::InvalidArgument, "invalid_value"),
        (commands(many), Code::InvalidArgument, "invalid_value"),
        (commands(long), Code::ResourceExhausted, "body_too_large"),
    ] {
        let mut stream = Stream::open(house.server.grpc).await;
        drop(stream.attach(&dealers[0]).await);
        stream.send_raw(proto::PlayRequest { request }).await;
        let (outcomes, ended) = stream.ends().await;
        assert_eq!(
            (ended.code(), reason(&ended).reason.as_str()),
            (status, code),
            "{ended:?}"
        );
        assert_eq!(outcomes, []);
    }
    assert_eq!(dealers[0].resume().await["next_sequence"], 1);
    house.end().await;
}

/// How an attach that is refused ends its stream.
async fn refused(house: &House, table: &str, token: &str) -> Status {
    let mut stream = Stream::open(house.server.grpc).await;
    stream.ask_to_attach(table, token).await;
    match stream.hear().await {
        Err(Some(status)) => status,
        other => panic!("{other:?}"),
    }
}

/// Who may attach: the controller of the table, with a token that holds.
#[tokio::test]
async fn who_may_attach() {
    let (house, dealers) = House::playing(FIVE_CARD_C, &["T1", "T2"]).await;
    let own = dealers[0].caller.token();
    let sam = house.supervisor("sam").await;
    let unjoined = house.token("T9", "controller", Some("T9"), None).await;
    for (table, token, status, code) in [
        ("T1", "", Code::Unauthenticated, "unauthenticated"),
        ("T1", "nobody's", Code::Unauthenticated, "unauthenticated"),
        ("T 1", own, Code::InvalidArgument, "invalid_name"),
        ("T2", own, Code::PermissionDenied, "forbidden"),
        (
            "T1",
            sam.caller.token(),
            Code::PermissionDenied,
            "forbidden",
        ),
        ("T9", unjoined.as_str(), Code::NotFound, "unknown_table"),
    ] {
        let ended = refused(&house, table, token).await;
        assert_eq!(
            (ended.code(), reason(&ended).reason.as_str()),
            (status, code),
            "{table} {ended:?}"
        );
    }
    // A right or a token refused three of them, which are in the record of acts. As over HTTP, no token at all is not.
    let auditor = house.person("aud", "auditor").await;
    let acts = auditor.get("/v1/acts?act=refused").await.is(200);
    let acts = acts["acts"].as_array().expect("acts");
    let rows: Vec<_> = acts
        .iter()
        .map(|act| (&act["name"], &act["subject"], &act["address"]))
        .collect();
    let address = json!("127.0.0.1");
    let (one, two) = (json!("attach table T1"), json!("attach table T2"));
    let (t1, sam, nobody) = (json!("T1"), json!("sam"), json!(null));
    assert_eq!(
        rows,
        [
            (&sam, &one, &address),
            (&t1, &two, &address),
            (&nobody, &one, &address),
        ]
    );
    house.end().await;
}

/// The token of the stream's metadata is good for every table that it is the controller's of.
#[tokio::test]
async fn the_token_of_the_stream() {
    let (house, dealers) = House::playing(FIVE_CARD_C, &["T1", "T2"]).await;
    let mut stream = Stream::open_as(house.server.grpc, dealers[0].caller.token()).await;
    stream.ask_to_attach("T1", "").await;
    assert!(matches!(stream.hear().await, Ok(Response::Attached(_))));
    stream.ask_to_attach("T2", dealers[1].caller.token()).await;
    assert!(matches!(stream.hear().await, Ok(Response::Attached(_))));
    stream.ask_to_attach("T2", "").await;
    let (_, ended) = stream.ends().await;
    assert_eq!(reason(&ended).reason, "forbidden");
    house.end().await;
}

/// Plays rounds until the stream ends; which command then had no outcome, and why.
async fn play_until_it_ends(stream: &mut Stream, dealer: &Dealer) -> (u64, Status) {
    let handle = stream.attach(dealer).await.handle;
    for next in 1.. {
        stream.commands(rounds(handle, next, 1)).await;
        let (outcomes, ended) = stream.outcomes(1).await;
        if let Some(status) = ended {
            return (next, status);
        }
        assert_eq!(outcomes[0].sequence, next);
    }
    panic!("the stream lives on");
}

/// A token that is revoked takes its stream with it, soon; the table's next controller goes on where it ended.
#[tokio::test]
async fn a_revoked_token() {
    let (house, dealers) = House::playing(FIVE_CARD_C, &["T1", "T2"]).await;
    let mut other = Stream::open(house.server.grpc).await;
    let others = other.attach(&dealers[1]).await.handle;
    let mut stream = Stream::open(house.server.grpc).await;
    drop(stream.attach(&dealers[0]).await);
    let now = meterhouse_engine::clock::now();
    let revoked = house.server.store.revoke_tokens("T1", now).await;
    assert_eq!(revoked.expect("the database answers"), 1);
    let (_, status) = stream.ends().await;
    assert_eq!(status.code(), Code::Unauthenticated);
    let info = reason(&status);
    assert_eq!(
        (info.reason.as_str(), info.metadata["table"].as_str()),
        ("unauthenticated", "T1")
    );
    let again = house.dealer("T1").await;
    let mut stream = Stream::open(house.server.grpc).await;
    assert_eq!(stream.attach(&again).await.next_sequence, 1);
    other.commands(rounds(others, 1, 2)).await;
    assert_eq!(
        other.outcomes(2).await.0.len(),
        2,
        "the other table plays on"
    );
    drop((stream, other));
    house.end().await;
}

/// A stream whose token is revoked takes no more commands, soon, however busy it is.
#[tokio::test]
async fn a_revoked_token_on_a_busy_stream() {
    /// A token that were looked up only every 5 s would not end within it.
    const ENDED_MAX: Duration = Duration::from_secs(3);
    let (house, dealers) = House::playing(FIVE_CARD_C, &["T1"]).await;
    let mut stream = Stream::open(house.server.grpc).await;
    let handle = stream.attach(&dealers[0]).await.handle;
    stream.commands(rounds(handle, 1, 1)).await;
    assert_eq!(stream.outcomes(1).await.0.len(), 1);
    let now = meterhouse_engine::clock::now();
    let revoked = house.server.store.revoke_tokens("T1", now).await;
    assert_eq!(revoked.expect("the database answers"), 1);
    let begun = std::time::Instant::now();
    let mut ended = None;
    for next in 2.. {
        stream.commands(rounds(handle, next, 1)).await;
        (_, ended) = stream.outcomes(1).await;
        if ended.is_some() {
            break;
        }
    }
    let took = begun.elapsed();
    println!("busy stream: after {took:?}");
    assert!(took < ENDED_MAX, "after {took:?}");
    let status = ended.expect("a status");
    assert_eq!(status.code(), Code::Unauthenticated);
    drop(stream);
    house.end().await;
}

/// The server stops: what was handed over has its outcome, then each stream hears that the server stops.
#[tokio::test]
async fn the_server_stops() {
    let (house, dealers) = House::playing(FIVE_CARD_C, &["T1", "T2"]).await;
    let mut busy = Stream::open(house.server.grpc).await;
    let mut quiet = Stream::open(house.server.grpc).await;
    drop(quiet.attach(&dealers[1]).await);
    let address = house.server.grpc;
    let playing = async { play_until_it_ends(&mut busy, &dealers[0]).await };
    let stopping = async {
        eventually("some rounds are played", async || {
            let next = dealers[0].resume().await["next_sequence"].as_u64()?;
            (next > 20).then_some(())
        })
        .await;
        house.server.stop().await;
        house.database
    };
    let ((next, status), database) = tokio::join!(playing, stopping);
    for status in [status, quiet.ends().await.1] {
        assert_eq!(status.code(), Code::Unavailable);
        assert_eq!(reason(&status).reason, "server_stops");
    }
    // The last one may have been counted without an answer; everything before it was answered.
    let of_tables = "SELECT sequence FROM event WHERE sequence IS NOT NULL";
    let counted = u64::try_from(database.rows(of_tables).await.len()).expect("small");
    assert!((next - 1..=next).contains(&counted), "{counted} of {next}");
    assert!(
        tokio::net::TcpStream::connect(address).await.is_err(),
        "nobody listens"
    );
}
