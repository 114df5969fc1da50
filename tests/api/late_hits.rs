//! Winners found after GAME OVER (figure R): two people record them, at what the signs showed then.

use meterhouse_tests::client::settle;
use meterhouse_tests::{Answer, Dealer, FIVE_CARD_A, House, TwoPeople};
use serde_json::{Value, json};

use crate::figures::{paid, payouts};

/// A link with two tables; T1's round 1 of seats 1 and 2 closed at a meter of 20,000.00, and 630.00 since.
async fn missed() -> (House, Vec<Dealer>, TwoPeople) {
    let (house, dealers) = House::playing(FIVE_CARD_A, &["T1", "T2"]).await;
    drop(dealers[0].coin_in(&[1, 2]).await.created());
    house.set_meter("20000.00").await;
    drop(dealers[0].close().await.created());
    let both = house.two_people().await;
    // As 3,000 wagers would.
    drop(both.adjust("main", "meter", "meter", "630.00").await);
    assert_eq!(house.meters("main").await, ["20630.00"]);
    (house, dealers, both)
}

fn winner(seat: u8, hand: &str) -> Value {
    json!({"change": "late_hit", "table": "T1", "round": 1, "seat": seat, "hand": hand})
}

/// What was recorded, of an approval.
fn recorded(approved: &Answer) -> (&Value, &Value) {
    let effect = &approved["effect"];
    (&effect["hit"], &effect["from_meter"])
}

/// Figure R: 20,000.00 then, 20,630.00 now, ten percent.
#[tokio::test]
async fn figure_r_a_tenth() {
    let (house, dealers, both) = missed().await;
    let sam = house.supervisor("sam").await;
    let approved = both.change("main", &winner(2, "straight-flush")).await;
    let (hit, from_meter) = recorded(&approved);
    assert_eq!((&hit["due"], from_meter), (&json!("2000.00"), &json!(true)));
    assert_eq!(
        (&hit["before"], &hit["after"]),
        (&json!("20630.00"), &json!("18630.00"))
    );
    assert_eq!(house.meters("main").await, ["18630.00"]);
    let expected = [("line", 2, "2000.00"), ("envy", 1, "300.00")];
    assert_eq!(payouts(hit), paid(&expected));
    let name = hit["hit"].as_str().expect("a name");
    let seen = sam.hit(name).await.is(200);
    assert_eq!(
        (seen.text("state"), seen.text("round")),
        ("validated", "T1.1")
    );
    let (first, second) = ("pat", "gil");
    assert_eq!(
        (seen.text("keyed_by"), seen.text("decided_by")),
        (first, second),
        "the first person entered it, the second one approved"
    );
    let listed = sam.caller.get("/v1/links/main/hits").await.is(200);
    assert_eq!(listed["hits"][0]["keyed_by"], first);
    let slip = sam.make_slip(name, 1).await.created();
    assert_eq!(
        (slip.text("keyed_by"), slip.text("validated_by")),
        (first, second)
    );
    for payout in 1..=2 {
        drop(sam.pay(name, payout, "JP-1").await.created());
    }
    assert_eq!(sam.hit(name).await.is(200).text("state"), "paid");
    // The table plays on, and knows nothing of it.
    dealers[0].rounds(1, &[1]).await;
    house.end().await;
}

/// Figure R: a late win of all takes what the level displays, at most what it displayed then, and resets it.
#[tokio::test]
async fn figure_r_a_late_win_resets() {
    let (house, _, both) = missed().await;
    let approved = both.change("main", &winner(1, "royal-flush")).await;
    let (hit, from_meter) = recorded(&approved);
    assert_eq!(
        (&hit["due"], from_meter),
        (&json!("20000.00"), &json!(true))
    );
    assert_eq!(house.meters("main").await, ["10630.00"]);
    let aud = house.person("aud", "auditor").await;
    let lifetime = aud.get("/v1/links/main/lifetime").await.is(200);
    assert_eq!(lifetime["levels"][0]["resets"], 1, "{}", lifetime.text);
    house.end().await;
}

/// Figure R: where the level displays less than then, the house gives the rest.
#[tokio::test]
async fn figure_r_the_house_the_rest() {
    let (house, _, both) = missed().await;
    house.set_meter("1500.00").await;
    let before = house.house_put_in().await;
    let approved = both.change("main", &winner(1, "straight-flush")).await;
    let (hit, from_meter) = recorded(&approved);
    assert_eq!((&hit["due"], from_meter), (&json!("2000.00"), &json!(true)));
    assert_eq!(house.meters("main").await, ["0.00"]);
    let gave = house.house_put_in().await.minus(before).expect("an amount");
    assert_eq!(gave.to_string(), "500.00");
    house.end().await;
}

/// Figure R: where the level was won since, all of it is the house's, and nothing resets.
#[tokio::test]
async fn figure_r_won_since() {
    let (house, dealers, both) = missed().await;
    let other = &dealers[1];
    drop(other.coin_in(&[1]).await.created());
    drop(other.hit_unseen(1, "royal-flush").await.created());
    assert_eq!(house.meters("main").await, ["10000.00"]);
    let approved = both.change("main", &winner(2, "royal-flush")).await;
    let (hit, from_meter) = recorded(&approved);
    assert_eq!(
        (&hit["due"], from_meter),
        (&json!("20000.00"), &json!(false))
    );
    assert_eq!(hit["payouts"][0]["charged_to"], "house");
    assert_eq!(house.meters("main").await, ["10000.00"]);
    house.end().await;
}

/// Only a closed round has late hits, one a hand, of a seat that wagered; the displays and the list have them.
#[tokio::test]
async fn what_is_no_late_hit() {
    let (house, dealers, both) = missed().await;
    let mut display = house.display("main").await;
    let propose = async |change: Value| both.propose("main", &TwoPeople::new_id(), &change).await;
    drop(
        propose(winner(3, "straight-flush"))
            .await
            .problem(422, "no_wager"),
    );
    drop(
        propose(winner(1, "two-pair"))
            .await
            .problem(422, "not_a_winner"),
    );
    let mut other = winner(1, "flush");
    other["round"] = json!(2);
    drop(propose(other).await.problem(422, "no_round"));
    let mut other = winner(1, "flush");
    other["table"] = json!("T9");
    drop(propose(other).await.problem(404, "unknown_table"));
    let mut other = winner(1, "flush");
    other["cards"] = json!(["As", "Ks", "Qs", "Js", "Ts"]);
    drop(propose(other).await.problem(422, "wrong_hand"));
    drop(dealers[0].coin_in(&[1]).await.created());
    let mut other = winner(1, "flush");
    other["round"] = json!(3);
    drop(propose(other).await.problem(422, "round_still_open"));

    let approved = both.change("main", &winner(1, "flush")).await;
    let (hit, _) = recorded(&approved);
    let name = hit["hit"].as_str().expect("a name").to_owned();
    assert_eq!(
        hit["payouts"][0]["handed_over"], "slip",
        "no GAME OVER pays it any more"
    );
    drop(
        propose(winner(1, "flush"))
            .await
            .problem(422, "already_hit"),
    );
    display.hears("hit", |it| it["hit"] == name.as_str()).await;
    let listed = both.other.get("/v1/links/main/hits").await.is(200);
    assert_eq!(listed["hits"][0]["hit"], name.as_str());
    house.end().await;
}

/// A hand that was settled in time is no late hit, also after a restart; another hand of that round is.
#[tokio::test]
async fn after_a_settlement_and_a_restart() {
    let (house, dealers) = House::playing(FIVE_CARD_A, &["T1"]).await;
    let [dealer] = &dealers[..] else {
        panic!("one table")
    };
    let sam = house.supervisor("sam").await;
    drop(dealer.coin_in(&[1, 2]).await.created());
    let cards = [(1, "Kh Qh Jh Th 9h"), (2, "2c 5d 7h 9s Jc")];
    drop(dealer.send(&settle("", &cards)).await.created());
    sam.settles("T1.2.1", 1).await;
    drop(dealer.close().await.created());
    let house = house.restart().await;
    let both = house.two_people().await;
    let propose = async |change: Value| both.propose("main", &TwoPeople::new_id(), &change).await;
    let stood = propose(winner(1, "straight-flush")).await;
    drop(stood.problem(422, "already_hit"));
    let approved = both.change("main", &winner(2, "straight-flush")).await;
    let (hit, _) = recorded(&approved);
    assert_eq!(hit["due"], "900.03");
    let house = house.restart().await;
    let both = house.two_people().await;
    drop(both.correct("main", "T1.2.1").await);
    house.end().await;
}

/// A late hit of two people can be withdrawn by two people; the hand is then decided for good.
#[tokio::test]
async fn a_late_hit_withdrawn() {
    let (house, _, both) = missed().await;
    let approved = both.change("main", &winner(2, "straight-flush")).await;
    let (hit, _) = recorded(&approved);
    drop(
        both.correct("main", hit["hit"].as_str().expect("a name"))
            .await,
    );
    assert_eq!(house.first_level().await, ["20630.00", "0.00", "0.00"]);
    // Its name stands in the journal, and is no other hit's.
    let again = winner(2, "straight-flush");
    let again = both.propose("main", &TwoPeople::new_id(), &again).await;
    drop(again.problem(422, "already_hit"));
    house.end().await;
}
