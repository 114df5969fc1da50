//! A table that follows its hits: its round at the attach and with its outcomes, and every change as it happens,
//! whoever made it and on whatever node.

use meterhouse_proto::table as proto;
use meterhouse_proto::table::play_response::Response;
use meterhouse_tests::{FIVE_CARD_A, FIVE_CARD_C, House, Stream};

use crate::pipelining::rounds;

/// The open round of a standing.
fn round(standing: &proto::Standing) -> &proto::Round {
    standing.round.as_ref().expect("an open round")
}

/// The state of a hit, of the open round or a closed one.
fn state<'a>(changed: &'a proto::HitsChanged, hit: &str) -> Option<&'a str> {
    let standing = changed.standing.as_ref()?;
    let open = standing.round.iter().flat_map(|round| &round.hits);
    let mut hits = open.chain(&standing.closed_hits);
    let found = hits.find(|it| it.hit == hit)?;
    Some(found.state.as_str())
}

/// A hit is keyed at one server, validated and paid at another, and GAME OVER pays its envy: the stream carries each.
#[tokio::test]
async fn a_hit_is_followed_through_its_life() {
    let (house, dealers) = House::playing(FIVE_CARD_C, &["T1", "T2"]).await;
    let dealer = &dealers[0];
    let second = house.another_server().await;
    let mut stream = Stream::open(house.server.grpc).await;
    let attached = stream.follow(dealer).await;
    let standing = attached.standing.expect("how it stands");
    assert!(standing.round.is_none() && standing.closed_hits.is_empty());
    drop(dealer.coin_in(&[1, 3, 5]).await.created());
    drop(dealer.fold(&[5]).await.created());
    drop(dealer.hit_unseen(3, "royal-flush").await.created());
    let keyed = stream.hits_change("keyed", |it| state(it, "T1.3") == Some("pending"));
    let keyed = keyed.await;
    assert_eq!(keyed.handle, attached.handle);
    let standing = keyed.standing.expect("how it stands");
    let open = round(&standing);
    assert_eq!(
        (open.round, &open.seats, &open.folded),
        (1, &vec![1, 3, 5], &vec![5])
    );
    let hit = &open.hits[0];
    assert_eq!(
        (hit.due_micros, hit.level.as_str(), hit.percent),
        (10_000_270_000, "mega", Some(100))
    );
    assert!(hit.payouts.iter().all(|payout| !payout.paid));

    let sam = house.supervisor("sam").await;
    let there = meterhouse_tests::Supervisor {
        caller: sam.caller.at(second.base()),
    };
    drop(there.approve("T1.3").await.created());
    stream
        .hits_change("validated", |it| state(it, "T1.3") == Some("validated"))
        .await;
    drop(there.pay("T1.3", 1, "JP-1").await.created());
    let paid = stream.hits_change("the slip", |it| {
        it.standing
            .as_ref()
            .is_some_and(|it| round(it).hits[0].payouts[0].paid)
    });
    let paid = paid.await.standing.expect("how it stands");
    assert_eq!(round(&paid).hits[0].payouts[0].document, "JP-1");
    drop(dealer.close().await.created());
    let closed = stream
        .hits_change("GAME OVER", |it| state(it, "T1.3") == Some("paid"))
        .await;
    let closed = closed.standing.expect("how it stands");
    assert!(closed.round.is_none());
    assert!(
        closed.closed_hits[0]
            .payouts
            .iter()
            .all(|payout| payout.paid)
    );
    drop(stream);
    second.stop().await;
    house.end().await;
}

/// What happens to other tables' hits is not this table's; a rejection with resettlement is, with the new amount.
#[tokio::test]
async fn a_resettlement_reaches_the_later_table() {
    let (house, dealers) = House::playing(FIVE_CARD_A, &["T1", "T2"]).await;
    let mut first = Stream::open(house.server.grpc).await;
    let mut later = Stream::open(house.server.grpc).await;
    drop(first.follow(&dealers[0]).await);
    drop(later.follow(&dealers[1]).await);
    for dealer in &dealers {
        drop(dealer.coin_in(&[1]).await.created());
        drop(dealer.hit_unseen(1, "straight-flush").await.created());
    }
    let due = |it: &proto::HitsChanged| {
        let standing = it.standing.as_ref().expect("how it stands");
        round(standing).hits[0].due_micros
    };
    let keyed = later
        .hits_change("keyed", |it| state(it, "T2.2") == Some("pending"))
        .await;
    let sam = house.supervisor("sam").await;
    drop(sam.reject_and_resettle("T1.2").await.created());
    let rejected = first
        .hits_change("rejected", |it| state(it, "T1.2") == Some("rejected"))
        .await;
    assert!(state(&rejected, "T2.2").is_none(), "it is another table's");
    let resettled = later
        .hits_change("resettled", |it| due(it) > due(&keyed))
        .await;
    assert_eq!(state(&resettled, "T2.2"), Some("pending"));
    drop((first, later));
    house.end().await;
}

/// Two people withdraw a hit of a closed round; a void round takes its hits with it.
#[tokio::test]
async fn withdrawn_and_void() {
    let (house, dealers) = House::playing(FIVE_CARD_C, &["T1"]).await;
    let dealer = &dealers[0];
    let mut stream = Stream::open(house.server.grpc).await;
    drop(stream.follow(dealer).await);
    drop(dealer.coin_in(&[1]).await.created());
    drop(dealer.hit_unseen(1, "royal-flush").await.created());
    house.supervisor("sam").await.settles("T1.2", 1).await;
    drop(dealer.close().await.created());
    drop(house.two_people().await.correct("main", "T1.2").await);
    stream
        .hits_change("withdrawn", |it| state(it, "T1.2") == Some("withdrawn"))
        .await;

    drop(dealer.coin_in(&[1]).await.created());
    drop(dealer.hit_unseen(1, "royal-flush").await.created());
    drop(dealer.void("misdeal").await.created());
    let void = stream
        .hits_change("void", |it| !it.void_hits.is_empty())
        .await;
    assert_eq!(void.void_hits, ["T1.5"]);
    assert!(void.standing.expect("how it stands").round.is_none());
    drop(stream);
    house.end().await;
}

/// What was decided while no stream was there is in the answer to the next attach, also at another server.
#[tokio::test]
async fn nothing_is_lost_on_a_reconnect() {
    let (house, dealers) = House::playing(FIVE_CARD_C, &["T1"]).await;
    let dealer = &dealers[0];
    let mut stream = Stream::open(house.server.grpc).await;
    drop(stream.follow(dealer).await);
    drop(dealer.coin_in(&[1, 3]).await.created());
    drop(dealer.hit_unseen(3, "royal-flush").await.created());
    stream
        .hits_change("keyed", |it| state(it, "T1.2") == Some("pending"))
        .await;
    drop(stream);
    drop(
        house
            .supervisor("sam")
            .await
            .approve("T1.2")
            .await
            .created(),
    );
    let second = house.another_server().await;
    for server in [&house.server, &second] {
        let mut again = Stream::open(server.grpc).await;
        // A client that doesn't follow has the state at the attach as well.
        let attached = again.attach(dealer).await;
        let standing = attached.standing.expect("how it stands");
        let open = round(&standing);
        assert_eq!(
            (open.hits[0].state.as_str(), &open.dealt),
            ("validated", &vec![1, 3])
        );
        drop(again);
    }
    second.stop().await;
    house.end().await;
}

/// Outcomes and heartbeats carry the round where the table follows its hits, and nothing of it elsewhere.
#[tokio::test]
async fn outcomes_carry_the_round_on_request() {
    let (house, dealers) = House::playing(FIVE_CARD_C, &["T1", "T2"]).await;
    let mut stream = Stream::open(house.server.grpc).await;
    let follows = stream.follow(&dealers[0]).await.handle;
    let plain = stream.attach(&dealers[1]).await.handle;
    for (handle, is_told) in [(follows, true), (plain, false)] {
        stream.commands(vec![rounds(handle, 1, 1).remove(0)]).await;
        let (outcomes, _) = stream.outcomes(1).await;
        let standing = outcomes[0].standing.as_ref();
        assert_eq!(standing.is_some(), is_told, "{outcomes:?}");
        if let Some(standing) = standing {
            assert_eq!(round(standing).round, 1);
            assert!(
                standing.batch >= outcomes[0].batch,
                "as of the outcome or later"
            );
        }
        stream.heartbeat(handle).await;
        match stream.hear().await {
            Ok(Response::Alive(alive)) => {
                let standing = alive.standing.expect("how it stands");
                assert_eq!(
                    (standing.open_round, standing.round.is_some()),
                    (1, is_told)
                );
            }
            other => panic!("{other:?}"),
        }
    }
    drop(stream);
    house.end().await;
}

/// A client that doesn't read meanwhile gets the newest state, not every change.
#[tokio::test]
async fn a_slow_reader_gets_the_newest() {
    /// Less than two messages.
    const UNREAD_BYTES_MAX: u32 = 512;
    const TOGGLES: u64 = 30;
    let (house, dealers) = House::playing(FIVE_CARD_C, &["T1"]).await;
    let dealer = &dealers[0];
    let mut stream = Stream::open_narrow(house.server.grpc, UNREAD_BYTES_MAX).await;
    drop(stream.follow(dealer).await);
    let mut witness = Stream::open(house.server.grpc).await;
    drop(witness.follow(dealer).await);
    drop(dealer.coin_in(&[1]).await.created());
    for toggle in 0..TOGGLES {
        let hit = 2 * toggle + 2;
        drop(dealer.hit_unseen(1, "flush").await.created());
        drop(dealer.cancel(hit).await.created());
        // Somebody who reads was told: so the slow one may have been.
        let name = dealer.named(hit);
        witness
            .hits_change("cancelled", |it| state(it, &name) == Some("cancelled"))
            .await;
    }
    let last = dealer.named(2 * TOGGLES);
    let mut messages = 1;
    loop {
        match stream.hear().await {
            Ok(Response::HitsChanged(changed)) if state(&changed, &last) == Some("cancelled") => {
                break;
            }
            Ok(Response::HitsChanged(_)) => messages += 1,
            other => panic!("{other:?}"),
        }
    }
    assert!(
        messages < TOGGLES,
        "{messages} messages for {} changes",
        2 * TOGGLES
    );
    drop((stream, witness));
    house.end().await;
}
