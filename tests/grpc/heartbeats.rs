//! Heartbeats on a stream: a table is there, and a lost one is back.

use meterhouse_proto::table as proto;
use meterhouse_proto::table::play_response::Response;
use meterhouse_tests::{FIVE_CARD_C, House, Stream, Watch, eventually};
use serde_json::json;

use crate::pipelining::rounds;

/// Says that a table is there and hears how it stands.
async fn heartbeat(stream: &mut Stream, handle: u32) -> proto::Standing {
    stream.heartbeat(handle).await;
    match stream.hear().await {
        Ok(Response::Alive(alive)) => {
            assert_eq!(alive.handle, handle);
            alive.standing.expect("how it stands")
        }
        other => panic!("{other:?}"),
    }
}

/// The table that sends heartbeats stays in service and plays on while a silent one is lost; with its next heartbeat
/// that one is back.
#[tokio::test]
async fn in_service_and_back() {
    let house = House::watching(Watch::Close).await;
    let settings = json!({"silence_seconds_max": 2});
    let dealers = house.link_with(FIVE_CARD_C, &settings, &["T1", "T2"]).await;
    let mut stream = Stream::open(house.server.grpc).await;
    let attached = stream.attach(&dealers[0]).await;
    assert_eq!(attached.silence_seconds_max, 2);
    let t1 = attached.handle;
    let t2 = stream.attach(&dealers[1]).await.handle;
    assert!(!heartbeat(&mut stream, t2).await.lost);
    let aud = house.person("aud", "auditor").await;
    eventually("the silent table is lost", async || {
        assert!(!heartbeat(&mut stream, t1).await.lost);
        let list = aud.get("/v1/tables").await.is(200);
        (list["tables"][1]["state"] == "lost").then_some(())
    })
    .await;
    stream.commands(rounds(t1, 1, 1)).await;
    let (outcomes, ended) = stream.outcomes(1).await;
    assert!(ended.is_none(), "{ended:?}");
    assert_eq!(outcomes[0].sequence, 1);
    let standing = heartbeat(&mut stream, t1).await;
    assert_eq!(
        (standing.open_round, standing.link_state.as_str()),
        (1, "open")
    );
    assert_eq!(
        standing.displayed_micros,
        [10_000_270_000, 1_000_210_000, 250_090_000]
    );

    stream.commands(rounds(t2, 1, 1)).await;
    let (outcomes, _) = stream.outcomes(1).await;
    let Some(proto::outcome::Outcome::Refused(refused)) = &outcomes[0].outcome else {
        panic!("{outcomes:?}")
    };
    assert_eq!(refused.code, "table_lost");
    assert!(!heartbeat(&mut stream, t2).await.lost, "it is back");
    stream
        .commands(
            vec![rounds(t2, 1, 1).remove(0)]
                .into_iter()
                .map(|it| proto::Command { sequence: 2, ..it })
                .collect(),
        )
        .await;
    let (outcomes, _) = stream.outcomes(1).await;
    assert!(
        matches!(
            outcomes[0].outcome,
            Some(proto::outcome::Outcome::CoinIn(_))
        ),
        "{outcomes:?}"
    );
    drop(stream);
    house.end().await;
}

/// A controller on a stream is told that its table is disabled, and why: by the code of a coin-in and by a heartbeat.
#[tokio::test]
async fn a_disabled_table() {
    let (house, dealers) = House::playing(FIVE_CARD_C, &["T1"]).await;
    let mut stream = Stream::open(house.server.grpc).await;
    let handle = stream.attach(&dealers[0]).await.handle;
    assert_eq!(
        heartbeat(&mut stream, handle).await.table_state,
        "in_service"
    );
    let manager = house.manager().await.caller;
    let reason = json!({"reason": "the lamps are dark"});
    let disabled = manager.put("/v1/tables/T1/disabled", &reason).await;
    drop(disabled.created());
    stream.commands(rounds(handle, 1, 1)).await;
    let (outcomes, _) = stream.outcomes(1).await;
    let Some(proto::outcome::Outcome::Refused(refused)) = &outcomes[0].outcome else {
        panic!("{outcomes:?}")
    };
    assert_eq!(refused.code, "table_disabled");
    let standing = heartbeat(&mut stream, handle).await;
    assert_eq!(
        (
            standing.table_state.as_str(),
            standing.table_reason.as_str()
        ),
        ("disabled", "the lamps are dark")
    );
    drop(stream);
    house.end().await;
}

/// A controller is told what silence its link allows: the number that the link's own page has, where nobody set one too.
#[tokio::test]
async fn how_long_a_table_may_be_silent() {
    for (settings, expected) in [
        (json!({}), 5),
        (json!({"silence_seconds_max": 3_600}), 3_600),
    ] {
        let (house, dealers) = House::playing_with(FIVE_CARD_C, &settings, &["T1"]).await;
        let mut stream = Stream::open(house.server.grpc).await;
        let attached = stream.attach(&dealers[0]).await;
        assert_eq!(attached.silence_seconds_max, expected);
        let link = house.nobody().get("/v1/links/main").await.is(200);
        assert_eq!(
            link["settings"]["silence_seconds_max"],
            json!(expected),
            "{}",
            link.text
        );
        drop(stream);
        house.end().await;
    }
}

/// Attaches, commands and heartbeats sent at once are answered in the order in which they came.
#[tokio::test]
async fn everything_in_order() {
    let (house, dealers) = House::playing(FIVE_CARD_C, &["T1", "T2"]).await;
    let mut stream = Stream::open(house.server.grpc).await;
    for dealer in dealers.iter().chain(&dealers) {
        stream
            .ask_to_attach(&dealer.table, dealer.caller.token())
            .await;
    }
    stream.commands(rounds(1, 1, 3)).await;
    stream.heartbeat(2).await;
    stream.commands(rounds(2, 1, 2)).await;
    stream.heartbeat(1).await;
    let mut heard = Vec::new();
    while heard.len() < 11 {
        match stream.hear().await.expect("an answer") {
            Response::Attached(it) => heard.push(format!("attached {}", it.handle)),
            Response::Alive(it) => heard.push(format!("alive {}", it.handle)),
            Response::HitsChanged(it) => heard.push(format!("hits of {}", it.handle)),
            Response::Outcomes(it) => {
                let said = it
                    .outcomes
                    .iter()
                    .map(|it| format!("{}.{}", it.handle, it.sequence));
                heard.extend(said);
            }
        }
    }
    let expected = [
        "attached 1",
        "attached 2",
        "attached 1",
        "attached 2",
        "1.1",
        "1.2",
        "1.3",
        "alive 2",
        "2.1",
        "2.2",
        "alive 1",
    ];
    assert_eq!(heard, expected);
    drop(stream);
    house.end().await;
}
