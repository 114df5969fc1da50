//! Bad clients: each is told or cut off in time, and a well-behaved table beside it plays on.

use std::net::SocketAddr;

use futures_util::future::join_all;
use meterhouse_grpc::{ANSWER_WAIT_MAX, CONNECTION_STREAMS_MAX, SILENT_MAX, UNATTACHED_MAX};
use meterhouse_tests::{
    Dealer, FIVE_CARD_C, House, Requests, Stream, connection, in_time, raise_open_files, reason,
};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::time::{Duration, timeout};
use tonic::Code;

use crate::pipelining::{rounds, send_all};

/// What a client of HTTP/2 sends first, and empty settings.
const PREFACE: &[u8] = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";
const SETTINGS: &[u8] = b"\0\0\0\x04\0\0\0\0\0";
/// The beginning of the headers of a request, which say that there are 100 bytes of them.
const HALF_A_FRAME: &[u8] = b"\0\0\x64\x01\x04\0\0\0\x01abc";

/// A well-behaved table, which plays while something else happens.
async fn plays_while<T>(
    stream: &mut Stream,
    handle: u32,
    next: &mut u64,
    happens: impl Future<Output = T>,
) -> T {
    tokio::pin!(happens);
    loop {
        let play = async {
            stream.commands(rounds(handle, *next, 2)).await;
            let (outcomes, ended) = stream.outcomes(2).await;
            assert!(ended.is_none(), "the other table is disturbed: {ended:?}");
            assert_eq!(outcomes.len(), 2);
        };
        play.await;
        *next += 2;
        // A round each time that nothing is heard for a while.
        let pause = Duration::from_millis(20);
        if let Ok(happened) = timeout(pause, &mut happens).await {
            return happened;
        }
    }
}

/// Connects and sends this; what comes back until the other side closes.
async fn says(address: SocketAddr, said: &[u8]) -> Vec<u8> {
    let mut stream = TcpStream::connect(address).await.expect("it listens");
    stream.write_all(said).await.expect("a connection");
    let mut heard = Vec::new();
    // A reset is an end as well.
    drop(in_time("the connection is closed", stream.read_to_end(&mut heard)).await);
    heard
}

/// A house with a table that plays.
async fn well_behaved() -> (House, Vec<Dealer>, Stream, u32) {
    let (house, dealers) = House::playing(FIVE_CARD_C, &["T1", "T2"]).await;
    let mut stream = Stream::open(house.server.grpc).await;
    let handle = stream.attach(&dealers[0]).await.handle;
    (house, dealers, stream, handle)
}

/// Whoever says nothing, half of it or anything else is closed in time; whoever speaks HTTP/1 is told what to speak.
#[tokio::test]
async fn silence_and_nonsense() {
    let (house, _dealers, mut stream, handle) = well_behaved().await;
    let address = house.server.grpc;
    let half_a_frame = [PREFACE, SETTINGS, HALF_A_FRAME].concat();
    let bad = async {
        let (silent, half, preface, web, noise) = tokio::join!(
            says(address, b""),
            says(address, &PREFACE[..11]),
            says(address, &half_a_frame),
            says(address, b"GET / HTTP/1.1\r\nHost: x\r\n\r\n"),
            says(address, &[0xff; 64]),
        );
        assert_eq!((silent.len(), half.len()), (0, 0));
        assert!(!preface.is_empty(), "it was asked whether it is there");
        let told = String::from_utf8_lossy(&web);
        assert!(told.starts_with("HTTP/1.1 400 "), "{told}");
        let (head, text) = told.split_once("\r\n\r\n").expect("a body");
        assert!(
            head.contains(&format!("Content-Length: {}\r\n", text.len())),
            "{told}"
        );
        assert!(text.contains("gRPC"), "{told}");
        drop(noise);
    };
    plays_while(&mut stream, handle, &mut 1, bad).await;
    drop(stream);
    house.end().await;
}

/// More connections that say nothing than may: those that have waited longest go at once, a newcomer is served.
#[tokio::test]
async fn many_that_say_nothing() {
    raise_open_files();
    let (house, dealers, mut stream, handle) = well_behaved().await;
    let address = house.server.grpc;
    let bad = async {
        let mut silent = Vec::new();
        for _ in 0..SILENT_MAX * 2 {
            silent.push(TcpStream::connect(address).await.expect("it listens"));
        }
        let mut newcomer = Stream::open(address).await;
        assert_eq!(newcomer.attach(&dealers[1]).await.next_sequence, 1);
        for mut it in silent {
            let read = in_time("it is closed", it.read(&mut [0])).await;
            assert!(matches!(read, Ok(0) | Err(_)), "{read:?}");
        }
    };
    plays_while(&mut stream, handle, &mut 1, bad).await;
    drop(stream);
    house.end().await;
}

/// A stream without a table ends, whether it says nothing or nothing that matters.
#[tokio::test]
async fn nothing_attached() {
    let (house, _dealers, mut stream, handle) = well_behaved().await;
    let mut silent = Stream::open(house.server.grpc).await;
    let mut idle = Stream::open(house.server.grpc).await;
    idle.commands(Vec::new()).await;
    let ends = async { tokio::join!(silent.ends(), idle.ends()) };
    let ((_, silence), (_, idleness)) = plays_while(&mut stream, handle, &mut 1, ends).await;
    for status in [silence, idleness] {
        assert_eq!(status.code(), Code::DeadlineExceeded);
        assert_eq!(reason(&status).reason, "nothing_attached");
    }
    drop(stream);
    house.end().await;
}

/// As many streams without a token as may be open, in the order in which they came.
async fn anonymous(address: SocketAddr) -> Vec<Stream> {
    let each = CONNECTION_STREAMS_MAX as usize;
    let mut streams = Vec::new();
    for _ in 0..UNATTACHED_MAX / each {
        let connection = connection(address).await;
        streams.extend(join_all((0..each).map(|_| Stream::on(&connection))).await);
    }
    assert_eq!(streams.len(), UNATTACHED_MAX);
    streams
}

/// As many streams without a token as may be open, and as many again: those that have waited longest go at once, a table
/// with a token comes in before any of the others.
#[tokio::test]
async fn many_without_a_token() {
    let (house, dealers, mut stream, handle) = well_behaved().await;
    let address = house.server.grpc;
    let mut first = anonymous(address).await;
    let mut newcomer = Stream::open(address).await;
    assert_eq!(newcomer.attach(&dealers[1]).await.next_sequence, 1);
    let more = async {
        let more = anonymous(address).await;
        let mut told = Vec::new();
        for it in &mut first {
            told.push(reason(&it.ends().await.1));
        }
        (more, told)
    };
    let (more, told) = plays_while(&mut stream, handle, &mut 1, more).await;
    assert_eq!(told[0].reason, "busy", "it was no deadline");
    newcomer.commands(rounds(1, 1, 2)).await;
    assert_eq!(newcomer.outcomes(2).await.0.len(), 2);
    drop((more, stream));
    house.end().await;
}

/// A stream that the server ended gives its slot on the connection back, though the client keeps its side open: more of
/// them than may be open at once.
#[tokio::test]
async fn ended_streams_take_no_slots() {
    let (house, dealers, stream, _) = well_behaved().await;
    let connection = connection(house.server.grpc).await;
    let mut ended = Vec::new();
    for _ in 0..=CONNECTION_STREAMS_MAX {
        let mut open = Stream::on(&connection).await;
        let handle = open.attach(&dealers[1]).await.handle;
        open.commands(rounds(handle, 2, 1)).await;
        let (_, status) = open.ends().await;
        assert_eq!(reason(&status).reason, "sequence_gap", "{status:?}");
        ended.push(open);
    }
    let last = Stream::on(&connection).await;
    last.commands(Vec::new()).await;
    drop((last, ended, stream));
    house.end().await;
}

/// Sends rounds without end; this waits until the server takes no more.
async fn flood(requests: &Requests, handle: u32) {
    let mut next = 1;
    while !requests.has_ended() {
        send_all(requests, &rounds(handle, next, 100)).await;
        next += 100;
    }
}

/// Who sends without end and doesn't read is cut off; whoever reads at last is told so, goes on with a new stream, and
/// nothing is lost; from whoever never does the connection is taken.
#[tokio::test]
async fn answers_that_nobody_reads() {
    let (house, dealers, mut stream, handle) = well_behaved().await;
    let mut late = Stream::open(house.server.grpc).await;
    let late_handle = late.attach(&dealers[1]).await.handle;
    let third = house.table("T3", "main", FIVE_CARD_C).await;
    let mut never = Stream::open(house.server.grpc).await;
    let never_handle = never.attach(&third).await.handle;
    let (late_requests, mut answers) = late.split();
    let (never_requests, _unread) = never.split();
    let reads_late = async {
        // It is held back for so long that it is cut off.
        let held_back = timeout(ANSWER_WAIT_MAX * 3 / 2, flood(&late_requests, late_handle)).await;
        assert!(held_back.is_err(), "the server took everything");
        answers.ends().await
    };
    let bad = async {
        let never_reads = in_time("it is cut off", flood(&never_requests, never_handle));
        tokio::join!(reads_late, never_reads).0
    };
    let (outcomes, status) = plays_while(&mut stream, handle, &mut 1, bad).await;
    assert_eq!(status.code(), Code::ResourceExhausted);
    assert_eq!(reason(&status).reason, "answers_not_read");
    let heard = u64::try_from(outcomes.len()).expect("small");
    let mut again = Stream::open(house.server.grpc).await;
    let attached = again.attach(&dealers[1]).await;
    assert!(
        attached.next_sequence > heard,
        "what was acknowledged stays"
    );
    again
        .commands(rounds(attached.handle, heard + 1, 1_000))
        .await;
    let (outcomes, ended) = again.outcomes(1_000).await;
    assert!(ended.is_none(), "{ended:?}");
    assert_eq!(outcomes[0].sequence, heard + 1);
    drop((stream, again, late_requests));
    house.end().await;
}
