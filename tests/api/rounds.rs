//! What the rules refuse at a table: each with its own code, journaled, and nothing but the number counted.

use meterhouse_tests::client::hit;
use meterhouse_tests::{Answer, Dealer, FIVE_CARD_C, HAND_BONUS, House};
use serde_json::{Value, json};

use crate::counted::{Counted, Counter};

/// Sends commands that the rules refuse: each uses its number up and changes nothing else.
async fn refused(counter: &Counter, dealer: &Dealer, commands: &[(Value, &str)]) -> Vec<Answer> {
    let mut answers = Vec::new();
    for (command, code) in commands {
        let before = counter.now().await;
        let number = dealer.next();
        let answer = dealer.send(command).await.problem(422, code);
        let after = counter.now().await;
        assert_eq!(after.last_sequence, json!(number), "{command}");
        let same = Counted {
            last_sequence: before.last_sequence.clone(),
            batch: before.batch.clone(),
            ..after
        };
        assert_eq!(same, before, "{command}");
        answers.push(answer);
    }
    answers
}

fn wagers(wagers: &Value) -> Value {
    json!({"command": "coin_in", "wagers": wagers, "dealt": [1, 2, 3]})
}

/// CONFORMANCE 6 and 9: a coin-in is accepted whole or not at all, and once a round.
#[tokio::test]
async fn a_coin_in_that_is_refused_whole() {
    let (house, dealers) = House::playing(FIVE_CARD_C, &["T1"]).await;
    let [dealer] = &dealers[..] else {
        panic!("one table")
    };
    let counter = Counter::of(&house, "T1").await;
    let good = json!({"seat": 1, "amount": "1.00"});
    let with = |bad: Value| wagers(&json!([good, bad]));
    let refusals = [
        (with(json!({"seat": 2, "amount": "2.00"})), "wrong_amount"),
        (with(json!({"seat": 2, "amount": "0.99"})), "wrong_amount"),
        (
            with(json!({"seat": 2, "amount": "1.000001"})),
            "wrong_amount",
        ),
        (with(json!({"seat": 2, "amount": "0"})), "wrong_amount"),
        (
            with(json!({"seat": 7, "amount": "1.00"})),
            "seat_not_on_layout",
        ),
        (
            with(json!({"seat": 0, "amount": "1.00"})),
            "seat_not_on_layout",
        ),
        (
            with(json!({"seat": 255, "amount": "1.00"})),
            "seat_not_on_layout",
        ),
        (with(json!({"seat": 1, "amount": "1.00"})), "seat_twice"),
        (with(json!({"seat": 4, "amount": "1.00"})), "seat_not_dealt"),
        (
            with(json!({"seat": 2, "amount": "1.00", "on": "dealer"})),
            "hand_not_offered",
        ),
        (wagers(&json!([])), "no_wagers"),
        (
            json!({"command": "coin_in", "wagers": [good], "dealt": [1, 1]}),
            "seat_twice",
        ),
        (
            json!({"command": "coin_in", "wagers": [good], "dealt": [1, 7]}),
            "seat_not_on_layout",
        ),
        (
            json!({"command": "coin_in", "wagers": [good], "dealt": []}),
            "seat_not_dealt",
        ),
    ];
    let answers = refused(&counter, dealer, &refusals).await;
    assert_eq!(
        answers[0]["fields"],
        json!({"seat": "2", "amount": "2.00", "expected": "1.00"})
    );
    assert_eq!(answers[4]["fields"], json!({"seat": "7", "seats": "6"}));
    drop(dealer.coin_in(&[1]).await.created());
    drop(refused(&counter, dealer, &[(wagers(&json!([good])), "round_open")]).await);
    house.end().await;
}

/// One seat names one player; the same seat may wager on both hands, once each.
#[tokio::test]
async fn both_hands_of_a_seat() {
    let (house, dealers) = House::playing(HAND_BONUS, &["T1"]).await;
    let [dealer] = &dealers[..] else {
        panic!("one table")
    };
    let counter = Counter::of(&house, "T1").await;
    let own = json!({"seat": 1, "amount": "1.00", "player": "p-1"});
    let on_dealer =
        |player: &str| json!({"seat": 1, "amount": "1.00", "on": "dealer", "player": player});
    let refusals = [
        (wagers(&json!([own, on_dealer("p-2")])), "player_differs"),
        (
            wagers(&json!([on_dealer("p-1"), on_dealer("p-1")])),
            "seat_twice",
        ),
    ];
    drop(refused(&counter, dealer, &refusals).await);
    drop(
        dealer
            .send(&wagers(&json!([own, on_dealer("p-1")])))
            .await
            .created(),
    );
    house.end().await;
}

/// Without an open round there is nothing to do but open one.
#[tokio::test]
async fn without_a_round() {
    let (house, dealers) = House::playing(FIVE_CARD_C, &["T1"]).await;
    let [dealer] = &dealers[..] else {
        panic!("one table")
    };
    let counter = Counter::of(&house, "T1").await;
    let refusals = [
        (json!({"command": "count", "chips": 3}), "no_round"),
        (json!({"command": "fold", "seats": [1]}), "no_round"),
        (
            json!({"command": "hit", "seat": 1, "hand": "flush"}),
            "no_round",
        ),
        (
            json!({"command": "envy", "seat": 1, "hand": "royal-flush"}),
            "no_round",
        ),
        (json!({"command": "close"}), "no_round"),
        (json!({"command": "void", "reason": "misdeal"}), "no_round"),
        (json!({"command": "cancel_hit", "hit": "T1.1"}), "no_round"),
    ];
    drop(refused(&counter, dealer, &refusals).await);
    house.end().await;
}

/// CONFORMANCE 20, 21 and 31: a hit needs a wager, a winning hand, the button of its cards, and cards that can be.
#[tokio::test]
async fn a_hit_that_is_none() {
    let (house, dealers) = House::playing(FIVE_CARD_C, &["T1"]).await;
    let [dealer] = &dealers[..] else {
        panic!("one table")
    };
    let counter = Counter::of(&house, "T1").await;
    drop(dealer.coin_in(&[1, 3, 5]).await.created());
    let royal = "As Ks Qs Js Ts";
    let refusals = [
        (hit(2, "royal-flush", royal), "no_wager"),
        (hit(7, "royal-flush", royal), "seat_not_on_layout"),
        (
            json!({"command": "hit", "dealer": true, "hand": "royal-flush"}),
            "hand_not_offered",
        ),
        (hit(3, "straight-flush", royal), "wrong_hand"),
        (hit(3, "royal-flush", "Ks Qs Js Ts 9s"), "wrong_hand"),
        (hit(3, "flush", "As Kd Qs Js 9s"), "not_a_winner"),
        (
            json!({"command": "hit", "seat": 3, "hand": "two-pair"}),
            "not_a_winner",
        ),
        (hit(3, "royal-flush", "As Ks Qs Js"), "impossible_cards"),
        (
            hit(3, "royal-flush", "As Ks Qs Js Ts 9s"),
            "impossible_cards",
        ),
        (hit(3, "royal-flush", "As As Qs Js Ts"), "card_twice"),
        (
            json!({"command": "envy", "seat": 3, "hand": "royal-flush"}),
            "has_wager",
        ),
        (
            json!({"command": "envy", "seat": 2, "hand": "royal-flush"}),
            "seat_not_dealt",
        ),
    ];
    let answers = refused(&counter, dealer, &refusals).await;
    assert_eq!(
        answers[3]["fields"],
        json!({"hand": "straight-flush", "found": "royal-flush"})
    );
    drop(dealer.hit(3, "royal-flush", royal).await.created());
    let after_a_hit = [
        // The same card in another seat's hand of the round.
        (hit(1, "straight-flush", "Ts 9s 8s 7s 6s"), "card_twice"),
        (
            json!({"command": "hit", "seat": 3, "hand": "royal-flush"}),
            "already_hit",
        ),
        (hit(5, "straight-flush", "Td 9d 8d 7d 6d"), "out_of_turn"),
        (json!({"command": "count", "chips": 3}), "count_too_late"),
        (json!({"command": "close"}), "hit_unsettled"),
        (json!({"command": "fold", "seats": [3]}), "already_hit"),
    ];
    let answers = refused(&counter, dealer, &after_a_hit).await;
    assert_eq!(answers[1]["fields"]["hit"], "T1.14");
    assert_eq!(answers[2]["fields"]["hits"], "T1.14");
    drop(dealer.fold(&[1]).await.created());
    let after_a_fold = [
        (hit(1, "flush", "Ad Kd Qd Jd 9d"), "folded"),
        (json!({"command": "fold", "seats": [1]}), "folded"),
        (json!({"command": "fold", "seats": [2]}), "seat_not_dealt"),
        (json!({"command": "fold", "seats": [5, 5]}), "seat_twice"),
        (json!({"command": "fold", "seats": []}), "out_of_range"),
    ];
    drop(refused(&counter, dealer, &after_a_fold).await);
    house.end().await;
}

/// The button of a hand that was refused, pressed again: a pipeline gets past it, and past a hit that is still to come.
#[tokio::test]
async fn taking_back_what_was_refused() {
    let (house, dealers) = House::playing(FIVE_CARD_C, &["T1"]).await;
    let [dealer] = &dealers[..] else {
        panic!("one table")
    };
    let counter = Counter::of(&house, "T1").await;
    drop(dealer.coin_in(&[3]).await.created());
    let refusals = [
        (hit(3, "straight-flush", "As Ks Qs Js Ts"), "wrong_hand"),
        (
            json!({"command": "cancel_hit", "hit": "T1.2"}),
            "no_such_hit",
        ),
        (
            json!({"command": "cancel_hit", "hit": "T1.99"}),
            "no_such_hit",
        ),
    ];
    let answers = refused(&counter, dealer, &refusals).await;
    assert_eq!(answers[1]["fields"], json!({"hit": "T1.2"}));
    let again = dealer.send_as(3, &refusals[1].0).await;
    assert_eq!(again.problem(422, "no_such_hit").text, answers[1].text);
    drop(dealer.close().await.created());
    house.end().await;
}

/// CONFORMANCE 27, 30 and 32: what a person has validated or paid, the table can't take back; what is cancelled, no
/// person can decide.
#[tokio::test]
async fn a_decided_hit() {
    let (house, dealers) = House::playing(FIVE_CARD_C, &["T1"]).await;
    let [dealer] = &dealers[..] else {
        panic!("one table")
    };
    let counter = Counter::of(&house, "T1").await;
    let (sam, kim) = (house.supervisor("sam").await, house.supervisor("kim").await);
    drop(dealer.coin_in(&[1, 3]).await.created());
    drop(dealer.hit_unseen(3, "flush").await.created());
    drop(dealer.cancel(2).await.created());
    drop(sam.approve("T1.2").await.problem(422, "hit_not_pending"));
    let cancel = |hit| json!({"command": "cancel_hit", "hit": hit});
    let void = json!({"command": "void", "reason": "misdeal"});
    let again = [(cancel("T1.2"), "hit_not_pending")];
    drop(refused(&counter, dealer, &again).await);
    drop(dealer.hit_unseen(3, "royal-flush").await.created());
    drop(
        sam.pay("T1.5", 1, "JP-1")
            .await
            .problem(422, "hit_not_pending"),
    );
    let other_cards = json!({"decision": "approve", "cards": ["Ks", "Qs", "Js", "Ts", "9s"]});
    drop(
        sam.decide("T1.5", &other_cards)
            .await
            .problem(422, "wrong_hand"),
    );
    drop(sam.approve("T1.5").await.created());
    assert!(sam.approve("T1.5").await.is(200).replayed());
    drop(kim.approve("T1.5").await.problem(422, "hit_not_pending"));
    drop(kim.reject("T1.5").await.problem(422, "hit_not_pending"));
    let undoing = [
        (cancel("T1.5"), "hit_not_pending"),
        (void.clone(), "hit_not_pending"),
    ];
    drop(refused(&counter, dealer, &undoing).await);
    drop(
        sam.pay("T1.5", 2, "JP-2")
            .await
            .problem(422, "not_paid_by_slip"),
    );
    drop(
        sam.pay("T1.5", 3, "JP-3")
            .await
            .problem(422, "no_such_payout"),
    );
    drop(sam.pay("T1.5", 1, "JP-1").await.created());
    assert!(kim.pay("T1.5", 1, "JP-1").await.is(200).replayed());
    drop(sam.pay("T1.5", 1, "JP-9").await.problem(422, "hit_paid"));
    let after_pay = [(cancel("T1.5"), "hit_paid"), (void, "hit_paid")];
    drop(refused(&counter, dealer, &after_pay).await);
    drop(dealer.close().await.created());
    drop(dealer.coin_in(&[1]).await.created());
    let of_an_earlier_round = [(cancel("T1.5"), "round_closed")];
    drop(refused(&counter, dealer, &of_an_earlier_round).await);
    drop(kim.reject("T1.5").await.problem(422, "hit_paid"));
    assert!(sam.approve("T1.5").await.is(200).replayed());
    house.end().await;
}

/// CONFORMANCE 8: the answer says how many wagers are accepted; a count that differs is told, corrects nothing, and takes
/// the round back only by a void.
#[tokio::test]
async fn a_count_that_differs() {
    let (house, dealers) = House::playing(FIVE_CARD_C, &["T1"]).await;
    let [dealer] = &dealers[..] else {
        panic!("one table")
    };
    let before = house.balances().await;
    let locked = dealer.coin_in(&[1, 3, 5]).await.created();
    assert_eq!(locked["wagers"], 3);
    let after = house.balances().await;
    for (chips, differ) in [(3, false), (2, true), (4, true)] {
        let counted = dealer
            .send(&json!({"command": "count", "chips": chips}))
            .await;
        let counted = counted.created();
        assert_eq!(
            (&counted["accepted"], &counted["differ"]),
            (&json!(3), &json!(differ))
        );
        assert_eq!(house.balances().await, after);
    }
    let void = dealer.void("count_mismatch").await.created();
    assert_eq!(void.text("reason"), "count_mismatch");
    let back = house.balances().await;
    let meters = |balances: &[meterhouse_tests::Balances]| {
        balances.iter().map(|it| it.meter).collect::<Vec<_>>()
    };
    assert_eq!(meters(&back), meters(&before));
    house.end().await;
}
