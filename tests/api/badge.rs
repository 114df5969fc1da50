//! The badge of who keyed a hit (CONFORMANCE 30): links opened from now on require it where a person validates the hit.

use meterhouse_tests::client::{Answer, Dealer, settle};
use meterhouse_tests::{FIVE_CARD_C, House};
use serde_json::{Value, json};

/// A royal flush on seat 3.
const CARDS: [(u8, &str); 3] = [
    (1, "2d 4s 6d 8s Jc"),
    (2, "2c 4d 7h 9s Jd"),
    (3, "As Ks Qs Js Ts"),
];

/// A hit, envy and all cards, as a controller sends them that knows no badge.
fn without_badge() -> [Value; 3] {
    let mut all = settle("", &CARDS);
    all["by"] = Value::Null;
    [
        json!({"command": "hit", "seat": 3, "hand": "royal-flush", "by": null}),
        json!({"command": "envy", "seat": 2, "hand": "royal-flush", "by": null}),
        all,
    ]
}

/// Seats 1 and 3 wager, seat 2 plays without the progressive.
async fn locked(dealer: &Dealer) -> Answer {
    let wager = |seat: u8| json!({"seat": seat, "amount": "1.00"});
    let coin_in = json!({"command": "coin_in", "wagers": [wager(1), wager(3)], "dealt": [1, 2, 3]});
    dealer.send(&coin_in).await
}

/// Without a badge the validator can't be told apart from who keyed the hit: refused, journaled, and the number used up.
/// The same hit under the next number, with `by`, is a hit.
#[tokio::test]
async fn a_link_requires_the_badge_unless_it_says_otherwise() {
    let (house, dealers) = House::playing(FIVE_CARD_C, &["T1"]).await;
    let dealer = &dealers[0];
    let link = house.nobody().get("/v1/links/main").await.is(200);
    assert_eq!(link["settings"]["badge_required"], true, "{}", link.text);
    for (command, all) in without_badge().into_iter().zip([false, false, true]) {
        drop(locked(dealer).await.created());
        let number = dealer.next();
        let refused = dealer.send(&command).await.problem(422, "badge_missing");
        assert!(
            refused.text("detail").contains("by, the badge"),
            "{}",
            refused.text
        );
        let again = dealer.send_as(number, &command).await;
        drop(again.problem(422, "badge_missing"));
        let mut with = command.clone();
        with["by"] = json!("d-12");
        let hit = dealer.named(number + 1) + if all { ".1" } else { "" };
        drop(dealer.send(&with).await.created());
        let kim = house.supervisor("D-12").await;
        drop(kim.approve(&hit).await.problem(422, "keyed_by_validator"));
        drop(house.supervisor("sam").await.reject(&hit).await.created());
        drop(dealer.close().await.created());
    }
    let manager = house.manager().await;
    let journal = manager.journal("main", "?after=0").await.is(200);
    assert_eq!(
        journal.text.matches("\"badge_missing\"").count(),
        3,
        "{}",
        journal.text
    );
    assert!(
        journal.text.contains("\"badge_required\":true"),
        "{}",
        journal.text
    );
    house.end().await;
}

/// A link that is opened so takes hits without; the setting is part of its terms and stays.
#[tokio::test]
async fn a_link_that_does_not_require_it() {
    let settings = json!({"badge_required": false});
    let (house, dealers) = House::playing_with(FIVE_CARD_C, &settings, &["T1"]).await;
    let link = house.nobody().get("/v1/links/main").await.is(200);
    assert_eq!(link["settings"]["badge_required"], false, "{}", link.text);
    let manager = house.manager().await;
    let changed = manager.open_link("main", FIVE_CARD_C).await;
    let changed = changed.problem(409, "request_reused");
    assert_eq!(
        changed["fields"]["badge_required"], "link false, asked true",
        "{}",
        changed.text
    );
    let dealer = &dealers[0];
    for command in without_badge() {
        drop(locked(dealer).await.created());
        drop(dealer.send(&command).await.created());
        drop(dealer.void("misdeal").await.created());
    }
    house.end().await;
}

/// What no person validates needs no badge, on no link.
#[tokio::test]
async fn a_hit_by_rule_needs_none() {
    let (house, dealers) = House::playing(meterhouse_tests::HAND_BONUS, &["T1"]).await;
    let dealer = &dealers[0];
    drop(dealer.coin_in(&[1]).await.created());
    let flush = json!({"command": "hit", "seat": 1, "hand": "flush", "by": null});
    drop(dealer.send(&flush).await.created());
    drop(dealer.close().await.created());
    house.end().await;
}
