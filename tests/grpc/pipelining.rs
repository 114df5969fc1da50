//! Commands without waiting: acknowledged in order, held back by the window, gone on with after a cut.

use meterhouse_domain::money::Money;
use meterhouse_grpc::WINDOW;
use meterhouse_proto::table as proto;
use meterhouse_tests::client::coin_in;
use meterhouse_tests::{Dealer, FIVE_CARD_C, House, Requests, Stream, reason};
use serde_json::json;
use tonic::Code;

use crate::commands::command;
use crate::cut::Cut;

/// Commands in one request.
const TOGETHER: usize = 100;

/// Rounds in which nobody wins, as commands of a table: coin-in and GAME OVER in turn, numbered from `first`.
pub(crate) fn rounds(handle: u32, first: u64, count: u64) -> Vec<proto::Command> {
    let locked = coin_in(&[1, 3, 5]);
    let over = json!({"command": "close"});
    (first..first + count)
        .map(|sequence| {
            let body = if sequence % 2 == 1 { &locked } else { &over };
            command(handle, sequence, body)
        })
        .collect()
}

/// Sends commands, many in a request, while somebody else listens.
pub(crate) async fn send_all(stream: &Requests, commands: &[proto::Command]) {
    for together in commands.chunks(TOGETHER) {
        stream.commands(together.to_vec()).await;
    }
}

/// The numbers of outcomes of one table, none of them a repeat or refused.
fn numbers(outcomes: &[proto::Outcome]) -> Vec<u64> {
    let number = |it: &proto::Outcome| {
        let refused = matches!(it.outcome, Some(proto::outcome::Outcome::Refused(_)));
        assert!(!refused && !it.replayed, "{it:?}");
        it.sequence
    };
    outcomes.iter().map(number).collect()
}

/// A thousand commands without waiting: each has its outcome, in order, and HTTP knows all of them.
#[tokio::test]
async fn a_thousand_commands() {
    let (house, dealers) = House::playing(FIVE_CARD_C, &["T1"]).await;
    let mut stream = Stream::open(house.server.grpc).await;
    let attached = stream.attach(&dealers[0]).await;
    assert_eq!((attached.next_sequence, attached.handle), (1, 1));
    assert_eq!(attached.window, u32::try_from(WINDOW).expect("small"));
    assert_eq!(attached.levels, ["mega", "major", "minor"]);
    assert_eq!(
        (attached.wager_micros, attached.link.as_str()),
        (1_000_000, "main")
    );
    send_all(&stream, &rounds(attached.handle, 1, 1_000)).await;
    let (outcomes, ended) = stream.outcomes(1_000).await;
    assert!(ended.is_none(), "{ended:?}");
    assert_eq!(numbers(&outcomes), (1..=1_000).collect::<Vec<_>>());
    let places: Vec<_> = outcomes.iter().map(|it| (it.batch, it.position)).collect();
    assert!(places.is_sorted(), "in the journal's order");
    assert_eq!(dealers[0].resume().await["next_sequence"], 1_001);
    // 500 rounds, three wagers, nine cents of each for the mega.
    let mega = house.balances().await[0].meter;
    assert_eq!(mega, "10135.00".parse::<Money>().expect("an amount"));
    house.end().await;
}

/// Who wants no more is answered everything and then hears that all is well.
#[tokio::test]
async fn an_orderly_end() {
    let (house, dealers) = House::playing(FIVE_CARD_C, &["T1"]).await;
    let mut stream = Stream::open(house.server.grpc).await;
    let handle = stream.attach(&dealers[0]).await.handle;
    send_all(&stream, &rounds(handle, 1, 300)).await;
    stream.sends_no_more();
    let (outcomes, ended) = stream.outcomes(usize::MAX).await;
    assert!(ended.is_none(), "{ended:?}");
    assert_eq!(numbers(&outcomes), (1..=300).collect::<Vec<_>>());
    house.end().await;
}

/// More than the window is sent and no answer read: it is held back, nothing is lost, and another table plays on.
#[tokio::test]
async fn more_than_the_window() {
    let (house, dealers) = House::playing(FIVE_CARD_C, &["T1", "T2"]).await;
    let count = 8 * u64::try_from(WINDOW).expect("small");
    let mut stream = Stream::open(house.server.grpc).await;
    let handle = stream.attach(&dealers[0]).await.handle;
    let commands = rounds(handle, 1, count);
    let mut other = Stream::open(house.server.grpc).await;
    let others = other.attach(&dealers[1]).await.handle;
    let (requests, mut answers) = stream.split();
    let sending = send_all(&requests, &commands);
    let listening = async {
        // Meanwhile nobody reads the answers to the flood.
        for round in 0..50 {
            other.commands(rounds(others, 1 + 2 * round, 2)).await;
            let (outcomes, ended) = other.outcomes(2).await;
            assert!(ended.is_none(), "{ended:?}");
            assert_eq!(outcomes.len(), 2);
        }
        let next = dealers[0].resume().await["next_sequence"].as_u64();
        assert!(next < Some(count), "it takes more than anybody hears of");
        let (outcomes, ended) = answers.outcomes(commands.len()).await;
        assert!(ended.is_none(), "{ended:?}");
        outcomes
    };
    let ((), outcomes) = tokio::join!(sending, listening);
    assert_eq!(numbers(&outcomes), (1..=count).collect::<Vec<_>>());
    drop((requests, answers, other));
    house.end().await;
}

/// Everything that has no outcome yet is sent again after each cut, from the first on: nothing is lost, nothing counts
/// twice, and what was acknowledged before is what is acknowledged again.
#[tokio::test]
async fn cut_in_the_middle() {
    let (house, dealers) = House::playing(FIVE_CARD_C, &["T1"]).await;
    let count = 4_000;
    let mut heard: Vec<proto::Outcome> = Vec::new();
    // Each connection is cut after so many more outcomes; the last one is not.
    let mut cuts = [1, 150, 700, 1_100].into_iter();
    while heard.len() < count {
        let outcomes = until_cut(&house, &dealers[0], heard.len(), count, cuts.next()).await;
        let next = u64::try_from(heard.len()).expect("small") + 1;
        for (sequence, outcome) in (next..).zip(outcomes) {
            assert_eq!(outcome.sequence, sequence);
            heard.push(outcome);
        }
    }
    let replayed = heard.iter().filter(|it| it.replayed).count();
    assert!(replayed > 0, "something was under way when it was cut");
    let places: Vec<_> = heard.iter().map(|it| (it.batch, it.position)).collect();
    assert!(
        places.is_sorted_by(|one, next| one < next),
        "each its own place"
    );
    assert_eq!(dealers[0].resume().await["next_sequence"], count + 1);
    // 2,000 rounds of three wagers.
    let mega = house.balances().await[0].meter;
    assert_eq!(mega, "10540.00".parse::<Money>().expect("an amount"));
    house.end().await;
}

/// Sends on a new connection what has no outcome yet; what is heard until it is cut or all of it is done.
async fn until_cut(
    house: &House,
    dealer: &Dealer,
    heard: usize,
    count: usize,
    cut_after: Option<usize>,
) -> Vec<proto::Outcome> {
    let cut = Cut::before(house.server.grpc).await;
    let mut stream = Stream::open(cut.address).await;
    let attached = stream.attach(dealer).await;
    let first = u64::try_from(heard).expect("small") + 1;
    assert!(
        attached.next_sequence >= first,
        "what was acknowledged stays"
    );
    let rest = u64::try_from(count - heard).expect("small");
    let rest = rounds(attached.handle, first, rest);
    let (requests, mut answers) = stream.split();
    let listening = async {
        let (outcomes, ended) = answers.outcomes(cut_after.unwrap_or(rest.len())).await;
        // What the last connection left behind may still be on its way into the queue.
        assert!(
            ended.is_none_or(|it| reason(&it).reason == "busy"),
            "nothing else ends it"
        );
        if outcomes.len() < rest.len() {
            cut.now();
        }
        outcomes
    };
    tokio::join!(send_all(&requests, &rest), listening).1
}

/// A gap in the middle: what comes before it has its outcome, then the stream ends with the number that is expected.
#[tokio::test]
async fn a_gap_in_the_middle() {
    let (house, dealers) = House::playing(FIVE_CARD_C, &["T1", "T2"]).await;
    let mut stream = Stream::open(house.server.grpc).await;
    let t1 = stream.attach(&dealers[0]).await.handle;
    let t2 = stream.attach(&dealers[1]).await.handle;
    let mut commands = rounds(t1, 1, 40);
    commands.remove(20);
    commands.extend(rounds(t2, 1, 10));
    stream.commands(commands).await;
    let (outcomes, status) = stream.ends().await;
    assert_eq!(numbers(&outcomes), (1..=20).collect::<Vec<_>>());
    assert_eq!(status.code(), Code::Aborted);
    let info = reason(&status);
    let named = ["table", "sequence", "expected"].map(|it| info.metadata[it].as_str());
    assert_eq!(
        (info.reason.as_str(), named),
        ("sequence_gap", ["T1", "22", "21"])
    );
    resume(&house, &dealers[0], 21, 40).await;
    // What came behind it was counted or not; sent again it counts once.
    resume(&house, &dealers[1], 1, 10).await;
    let mega = house.balances().await[0].meter;
    assert_eq!(mega, "10006.75".parse::<Money>().expect("an amount"));
    house.end().await;
}

/// Sends the commands from `first` to `last` on a new stream.
async fn resume(house: &House, dealer: &Dealer, first: u64, last: u64) {
    let mut stream = Stream::open(house.server.grpc).await;
    let handle = stream.attach(dealer).await.handle;
    send_all(&stream, &rounds(handle, first, last + 1 - first)).await;
    let (outcomes, ended) = stream
        .outcomes(usize::try_from(last + 1 - first).expect("small"))
        .await;
    assert!(ended.is_none(), "{ended:?}");
    let sequences: Vec<u64> = outcomes.iter().map(|it| it.sequence).collect();
    assert_eq!(sequences, (first..=last).collect::<Vec<_>>());
}
