//! Hits at the same instant: each has its own place, and each its own amount.

use meterhouse_tests::client::hit;
use meterhouse_tests::{FIVE_CARD_A, House, eventually};

const ROYAL: &str = "As Ks Qs Js Ts";

/// CONFORMANCE 25: royals of many tables at once have places without a gap; one gets the whole meter, each other what the
/// reseed left; and who sends again hears the same.
#[tokio::test]
async fn many_royals_at_once() {
    let names: Vec<String> = (1..=8).map(|it| format!("T{it}")).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let (house, dealers) = House::playing(FIVE_CARD_A, &names).await;
    for dealer in &dealers {
        drop(dealer.coin_in(&[3]).await.created());
    }
    house.set_meter("20000.00").await;
    let keying = dealers.iter().map(async |dealer| {
        // Twice at once, as a controller that lost an answer would.
        let send = async || {
            let answer = eventually("the hit is keyed", async || {
                let answer = dealer.send_as(2, &hit(3, "royal-flush", ROYAL)).await;
                (answer.status != 503).then_some(answer)
            });
            answer.await
        };
        let (one, other) = tokio::join!(send(), send());
        assert_eq!(one.text, other.text);
        assert_eq!(
            one.status + other.status,
            201 + 200,
            "{} {}",
            one.text,
            other.text
        );
        one
    });
    let hits = futures_util::future::join_all(keying).await;
    let mut found: Vec<(u64, String)> = hits
        .iter()
        .map(|it| {
            (
                it["hit"]["order"].as_u64().expect("an order"),
                it["hit"]["due"].as_str().expect("an amount").to_owned(),
            )
        })
        .collect();
    found.sort();
    let expected = (1..=8).map(|order| {
        (
            order,
            if order == 1 { "20000.00" } else { "10000.00" }.to_owned(),
        )
    });
    assert_eq!(found, expected.collect::<Vec<_>>());
    assert_eq!(house.meters("main").await, ["10000.00"]);
    for (dealer, first) in dealers.iter().zip(&hits) {
        let again = dealer
            .send_as(2, &hit(3, "royal-flush", ROYAL))
            .await
            .is(200);
        assert_eq!(again.text, first.text);
    }
    house.end().await;
}
