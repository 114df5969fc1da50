//! A database that was set back: tables and displays show what they were sent, and close their link until two people
//! accept documented values. A stranger's word closes nothing.

mod played_on;

use meterhouse_proto::feed::meter_feed_client::MeterFeedClient;
use meterhouse_proto::feed::{FeedMessage, WatchRequest};
use meterhouse_proto::table::Attach;
use meterhouse_proto::table::play_request::Request;
use meterhouse_proto::table::play_response::Response;
use meterhouse_tests::{Dealer, Feed, House, Stream, in_time, reason};
use serde_json::json;
use tonic::Code;

use self::played_on::{
    PlayedOn, accept, back_up, moved, play, reason_of, restore, seal_of, show, state,
};

/// CONFORMANCE 51: a table that was sent more closes its link, at every node, until two people accept.
#[tokio::test]
async fn a_table_that_was_sent_more_closes_its_link() {
    let before = PlayedOn::new().await;
    let (first, second) = (
        seal_of(&before.dealers[0]).await,
        seal_of(&before.dealers[1]).await,
    );
    let documented = before.house.meters("main").await;
    let (house, [one, two, other]) = before.restored().await;
    assert_ne!(house.meters("main").await, documented);

    let shown = show(&one.caller, "T1", &first).await.is(200);
    assert_eq!(shown.text("link_state"), "faulted");
    assert_eq!(
        reason_of(&house).await,
        "the journal is not the one that was acknowledged: table T1 was sent the outcome of its command 4, its last \
         command here is 2"
    );
    let another = house.another_server().await;
    for base in [house.server.base(), another.base()] {
        let two = Dealer::new(two.caller.at(base.clone()), "T2");
        drop(two.resume().await);
        drop(two.coin_in(&[1]).await.problem(503, "link_faulted"));
        // A second proof changes nothing.
        assert_eq!(
            show(&two.caller, "T2", &second).await.is(200)["link_state"],
            "faulted"
        );
    }
    another.stop().await;
    // The other link plays on.
    drop(other.resume().await);
    play(&other).await;
    let house = house.restart().await;
    assert_eq!(state(&house, "main").await, "faulted");

    accept(&house, "0.18").await;
    assert_eq!(house.meters("main").await[0], documented[0]);
    // What was lost before is accepted, whoever else shows it.
    for (dealer, seal) in [(&one, &first), (&two, &second)] {
        let dealer = moved(dealer, &house.server).await;
        let shown = show(&dealer.caller, &dealer.table, seal).await.is(200);
        assert_eq!(
            (shown.text("link_state"), &shown["next_sequence"]),
            ("open", &json!(3))
        );
        play(&dealer).await;
    }
    house.end().await;
}

/// A seal that was made after the acceptance proves the next loss.
#[tokio::test]
async fn a_second_loss_closes_the_link_again() {
    let before = PlayedOn::new().await;
    let seal = seal_of(&before.dealers[0]).await;
    let (mut house, [one, ..]) = before.restored().await;
    drop(show(&one.caller, "T1", &seal).await.is(200));
    accept(&house, "0.18").await;
    let backup = back_up(&mut house).await;
    let one = moved(&one, &house.server).await;
    play(&one).await;
    let later = seal_of(&one).await;
    restore(&mut house, backup).await;
    let one = moved(&one, &house.server).await;
    assert_eq!(
        show(&one.caller, "T1", &seal).await.is(200)["link_state"],
        "open"
    );
    assert_eq!(
        show(&one.caller, "T1", &later).await.is(200)["link_state"],
        "faulted"
    );
    accept(&house, "0.09").await;
    play(&one).await;
    house.end().await;
}

/// Forged numbers, other tables' and other databases' seals, and old ones change nothing.
#[tokio::test]
async fn a_strangers_word_closes_nothing() {
    let before = PlayedOn::new().await;
    let newest = seal_of(&before.dealers[0]).await;
    let foreign = PlayedOn::new().await;
    assert_eq!(
        foreign
            .house
            .database
            .rows("SELECT key FROM seal_key")
            .await
            .len(),
        1
    );
    // Databases of tests are copies with one key. A database that was made for itself has its own.
    let rekey =
        "UPDATE seal_key SET key = uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid())";
    assert_eq!(foreign.house.database.tamper(rekey).await, 1);
    let restarted = foreign.house.restart().await;
    let stranger = seal_of(&moved(&foreign.dealers[0], &restarted.server).await).await;
    restarted.end().await;
    let (house, [one, two, other]) = before.restored().await;

    let (number, rest) = newest.split_once('.').expect("a number");
    assert_eq!(number, "4");
    let forged = [
        stranger,
        // A greater number, another time, another code.
        format!("9.{rest}"),
        newest.replacen(".0000", ".0001", 1),
        format!(
            "{}{}",
            &newest[..newest.len() - 1],
            if newest.ends_with('0') { '1' } else { '0' }
        ),
    ];
    for seal in &forged {
        let shown = show(&one.caller, "T1", seal).await.is(200);
        assert_eq!(shown.text("link_state"), "open", "{seal}");
    }
    // The true one, from other tables, and as a display's.
    for dealer in [&two, &other] {
        let shown = show(&dealer.caller, &dealer.table, &newest).await.is(200);
        assert_eq!(shown.text("link_state"), "open");
    }
    drop(
        show(&two.caller, "T1", &newest)
            .await
            .problem(403, "forbidden"),
    );
    drop(
        show(&house.nobody(), "T1", &newest)
            .await
            .problem(401, "unauthenticated"),
    );
    let link = format!("0&seal={newest}");
    let mut display = Feed::open(house.server.address, "main", Some(&link)).await;
    assert_eq!(display.next().await.expect("a snapshot")["state"], "open");
    for text in ["", "9", "9.", "a.b.c.d", &format!("{newest}0")] {
        let refused = show(&one.caller, "T1", text).await;
        drop(refused.problem(400, "invalid_value"));
    }
    // What the table has here is no more than the journal has.
    drop(one.resume().await);
    let present = seal_of(&one).await;
    assert_eq!(
        show(&one.caller, "T1", &present).await.is(200)["link_state"],
        "open"
    );
    play(&one).await;
    assert_eq!(state(&house, "main").await, "open");
    house.end().await;
}

/// CONFORMANCE 51: a display that was sent more closes its link, without a token, over WebSocket and gRPC.
#[tokio::test]
async fn a_display_that_was_sent_more_closes_its_link() {
    for is_grpc in [false, true] {
        let before = PlayedOn::new().await;
        let mut display = before.house.display("main").await;
        let sent = display.next().await.expect("a snapshot");
        let (seal, batch) = (
            sent["seal"].as_str().expect("a seal").to_owned(),
            sent["batch"].clone(),
        );
        let mut second = before.house.display("second").await;
        let unchanged = second.next().await.expect("a snapshot")["seal"].clone();
        let (house, [one, ..]) = before.restored().await;
        let unchanged = format!("0&seal={}", unchanged.as_str().expect("a seal"));
        // A display of a link that lost nothing, and the seal of the other link.
        let mut second = Feed::open(house.server.address, "second", Some(&unchanged)).await;
        assert_eq!(second.next().await.expect("a snapshot")["state"], "open");
        let mut second = Feed::open(
            house.server.address,
            "second",
            Some(&format!("0&seal={seal}")),
        )
        .await;
        assert_eq!(second.next().await.expect("a snapshot")["state"], "open");

        if is_grpc {
            assert_eq!(snapshot_state(&house, &seal).await, "faulted");
        } else {
            let query = format!("0&seal={seal}");
            let mut display = Feed::open(house.server.address, "main", Some(&query)).await;
            assert_eq!(
                display.next().await.expect("a snapshot")["state"],
                "faulted"
            );
        }
        let reason = reason_of(&house).await;
        assert!(
            reason.contains(&format!(
                "a display was sent batch {batch}, the journal ends at batch "
            )),
            "{reason}"
        );
        drop(one.resume().await);
        drop(one.coin_in(&[1]).await.problem(503, "link_faulted"));
        accept(&house, "0.18").await;
        assert_eq!(snapshot_state(&house, &seal).await, "open");
        play(&one).await;
        house.end().await;
    }
}

/// The state in the snapshot of a display over gRPC that shows this seal.
async fn snapshot_state(house: &House, seal: &str) -> String {
    let address = format!("http://{}", house.server.grpc);
    let mut client = MeterFeedClient::connect(address).await.expect("it listens");
    let request = WatchRequest {
        link: "main".to_owned(),
        after: None,
        seal: seal.to_owned(),
    };
    let feed = in_time("the feed opens", client.watch(request)).await;
    let mut feed = feed.expect("a feed").into_inner();
    let first: FeedMessage = in_time("a snapshot", feed.message())
        .await
        .expect("a message")
        .expect("a message");
    match first.message {
        Some(meterhouse_proto::feed::feed_message::Message::Snapshot(snapshot)) => snapshot.state,
        other => panic!("{other:?}"),
    }
}

/// Play that went past the number of a display does not hide the loss: the batch is another one.
#[tokio::test]
async fn a_batch_that_was_played_over_is_another_one() {
    let before = PlayedOn::new().await;
    let mut display = before.house.display("main").await;
    let sent = display.next().await.expect("a snapshot");
    let (house, [one, ..]) = before.restored().await;
    drop(one.resume().await);
    for _ in 0..4 {
        play(&one).await;
    }
    let link = house.nobody().get("/v1/links/main").await.is(200);
    assert!(
        link["batch"].as_u64() > sent["batch"].as_u64(),
        "{}",
        link.text
    );
    let query = format!("0&seal={}", sent["seal"].as_str().expect("a seal"));
    let mut display = Feed::open(house.server.address, "main", Some(&query)).await;
    assert_eq!(
        display.next().await.expect("a snapshot")["state"],
        "faulted"
    );
    let reason = reason_of(&house).await;
    assert!(
        reason.ends_with(&format!(
            "a display was sent another batch {}",
            sent["batch"]
        )),
        "{reason}"
    );
    drop(one.coin_in(&[1]).await.problem(503, "link_faulted"));
    accept(&house, "0.18").await;
    play(&one).await;
    house.end().await;
}

/// CONFORMANCE 51: a table of a stream shows its seal when it attaches.
#[tokio::test]
async fn a_table_of_a_stream_closes_its_link() {
    let before = PlayedOn::new().await;
    let mut stream = Stream::open(before.house.server.grpc).await;
    let attached = stream.attach(&before.dealers[0]).await;
    stream.heartbeat(attached.handle).await;
    let Ok(Response::Alive(alive)) = stream.hear().await else {
        panic!("an answer to the heartbeat");
    };
    assert!(
        attached.seal.starts_with("4.") && alive.seal.starts_with("4."),
        "{attached:?} {alive:?}"
    );
    drop(stream);
    let (house, [one, ..]) = before.restored().await;
    let attach = |seal: &str| {
        Request::Attach(Attach {
            table: "T1".to_owned(),
            token: one.caller.token().to_owned(),
            follow_hits: false,
            seal: seal.to_owned(),
        })
    };
    let mut stream = Stream::open(house.server.grpc).await;
    stream.send(attach("4.x")).await;
    let refused = stream.hear().await.expect_err("no seal").expect("a status");
    assert_eq!(
        (refused.code(), reason(&refused).reason.as_str()),
        (Code::InvalidArgument, "invalid_value")
    );
    for (seal, wanted) in [("", "open"), (alive.seal.as_str(), "faulted")] {
        let mut stream = Stream::open(house.server.grpc).await;
        stream.send(attach(seal)).await;
        let Ok(Response::Attached(attached)) = stream.hear().await else {
            panic!("the table is attached");
        };
        let standing = attached.standing.expect("a standing");
        assert_eq!(
            (standing.link_state.as_str(), attached.next_sequence),
            (wanted, 3)
        );
    }
    accept(&house, "0.18").await;
    let mut stream = Stream::open(house.server.grpc).await;
    stream.send(attach(&alive.seal)).await;
    let Ok(Response::Attached(attached)) = stream.hear().await else {
        panic!("the table is attached");
    };
    assert_eq!(attached.standing.expect("a standing").link_state, "open");
    drop(one.resume().await);
    play(&one).await;
    house.end().await;
}
