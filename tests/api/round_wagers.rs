//! `settle` with the fixed wagers beside the cards: both parts in one outcome, from the same cards.

use meterhouse_api::round_settlement::RoundSettlement;
use meterhouse_tests::worked_rounds::{WorkedRound, WorkedWager, worked_rounds};
use meterhouse_tests::{Answer, Caller, Dealer, FIVE_CARD_C, House};
use serde_json::{Value, json};

use crate::settlements::SETTLEMENTS;

/// Worked rounds of Crazy 4 Poker in Pennsylvania that a link's table can settle.
const ROUNDS: [&str; 5] = [
    "the dealer has a pair of kings",
    "the dealer has no king",
    "a tie of four cards",
    "straights that tie and lose",
    "a six-card royal flush in diamonds",
];

fn worked(name: &str) -> WorkedRound {
    let mut rounds = worked_rounds().into_iter();
    rounds.find(|round| round.name == name).expect(name)
}

/// Locks a round with a progressive wager of each seat, and folds the seats that fold in it.
async fn lock(dealer: &Dealer, round: &WorkedRound) {
    let (dealt, folded) = round.dealt_and_folded();
    drop(dealer.coin_in(&dealt).await.created());
    if !folded.is_empty() {
        drop(dealer.fold(&folded).await.created());
    }
}

/// Asks for the settlement of the same round without a table.
async fn without_table(caller: &Caller, round: &WorkedRound) -> Value {
    let body = serde_json::to_value(&round.request).expect("plain data");
    caller.post(SETTLEMENTS, &body).await.is(200).body
}

/// Each wager of the settlement comes to the amounts worked by hand, and the whole is that of a round without a table.
async fn assert_worked(caller: &Caller, settled: &Answer, round: &WorkedRound) {
    let name = &round.name;
    assert_eq!(
        settled["settlement"],
        without_table(caller, round).await,
        "{name}"
    );
    let settlement: RoundSettlement =
        serde_json::from_value(settled["settlement"].clone()).expect(name);
    for (seat, expected) in &round.seats {
        let mut seats = settlement.seats.iter();
        let found = seats.find(|settled| settled.seat == *seat).expect(name);
        let wagers: Vec<WorkedWager> = found.wagers.iter().map(WorkedWager::from).collect();
        assert_eq!(&wagers, expected, "{name}, seat {seat}");
    }
    let totals = &settlement.totals;
    let sums = [
        totals.wagered.0,
        totals.collected.0,
        totals.returned.0,
        totals.paid.0,
    ];
    assert_eq!(sums, round.totals, "{name}");
}

/// The royal flush takes the whole meter, and its fixed wagers come to the amounts worked by hand. The hits, the meter and
/// the moves are those of the cards alone.
#[tokio::test]
async fn a_royal_flush_wins_both() {
    let (house, dealers) = House::playing(FIVE_CARD_C, &["T1", "T2"]).await;
    let [dealer, alone] = &dealers[..] else {
        panic!("two tables")
    };
    let sam = house.supervisor("sam").await;
    let round = worked("a six-card royal flush in diamonds");
    let command = round.settle_command();
    let mut cards = command.clone();
    cards.as_object_mut().expect("an object").remove("wagers");
    lock(alone, &round).await;
    let single = alone.send(&cards).await.created();
    assert!(single.body.get("settlement").is_none(), "{}", single.text);
    drop(alone.void("misdeal").await.created());
    lock(dealer, &round).await;
    let before = house.balances().await;
    let settled = dealer.send(&command).await.created();
    assert_worked(&sam.caller, &settled, &round).await;
    assert_eq!(settled.levels(), single.levels());
    let hits = settled["hits"].as_array().expect("hits");
    // In turn order: seat 2 has three aces, seat 1 the royal flush.
    let hands: Vec<(&Value, &Value)> = hits
        .iter()
        .map(|hit| (&hit["seat"], &hit["hand"]))
        .collect();
    let expected = [
        (&json!(2), &json!("three-of-a-kind")),
        (&json!(1), &json!("royal-flush")),
    ];
    assert_eq!(hands, expected);
    let amounts = |hits: &[Value]| {
        let amounts = hits
            .iter()
            .map(|hit| (hit["due"].clone(), hit["after"].clone()));
        amounts.collect::<Vec<_>>()
    };
    assert_eq!(
        amounts(hits),
        amounts(single["hits"].as_array().expect("hits"))
    );
    assert_ne!(
        house.balances().await,
        before,
        "the royal flush took the meter"
    );

    // The evaluation of the hit, its validation and its payment are as of any hit.
    let name = hits[1]["hit"].as_str().expect("a name").to_owned();
    let seen = sam.hit(&name).await.is(200);
    assert_eq!(seen["evaluation"]["agrees"], true);
    sam.settles(hits[0]["hit"].as_str().expect("a name"), 0)
        .await;
    sam.settles(&name, 1).await;
    drop(dealer.close().await.created());

    // The journal has the settlement of the outcome, and entries of the hits alone.
    let manager = house.manager().await;
    let journal = manager.journal("main", "").await.is(200);
    let entries = journal["entries"].as_array().expect("entries");
    let of_round: Vec<&Value> = entries
        .iter()
        .filter(|entry| entry["event"]["kind"] == "round_settled")
        .collect();
    let [of_alone, of_both] = of_round[..] else {
        panic!("{}", journal.text)
    };
    assert!(of_alone["event"].get("settlement").is_none());
    assert_eq!(of_both["event"]["settlement"], settled["settlement"]);
    assert_eq!(of_both["moves"], of_alone["moves"]);
    house.end().await;
}

/// Five worked rounds on one table: each comes to the amounts worked by hand. A resend gets the same outcome, also with
/// seats and wagers in another order, and after a restart.
#[tokio::test]
async fn worked_rounds_and_their_repeats() {
    let (house, dealers) = House::playing(FIVE_CARD_C, &["T1"]).await;
    let [dealer] = &dealers[..] else {
        panic!("one table")
    };
    let sam = house.supervisor("sam").await;
    let mut sent = Vec::new();
    for name in ROUNDS {
        let round = worked(name);
        lock(dealer, &round).await;
        let (number, command) = (dealer.next(), round.settle_command());
        let settled = dealer.send(&command).await.created();
        assert_worked(&sam.caller, &settled, &round).await;
        drop(dealer.void("misdeal").await.created());
        sent.push((number, command, settled.text));
    }
    let repeated = async |dealer: &Dealer| {
        for (number, command, first) in &sent {
            let mut reordered = command.clone();
            let seats = reordered["wagers"]["seats"].as_array_mut().expect("seats");
            seats.reverse();
            for seat in seats {
                seat["wagers"].as_array_mut().expect("wagers").reverse();
            }
            for command in [command, &reordered] {
                let again = dealer.send_as(*number, command).await.is(200);
                assert_eq!((again.replayed(), &again.text), (true, first));
            }
            let mut other = command.clone();
            other["wagers"]["seats"][0]["wagers"][0]["amount"] = json!("15.00");
            let other = dealer.send_as(*number, &other).await;
            drop(other.problem(409, "sequence_reused"));
            let mut alone = command.clone();
            alone.as_object_mut().expect("an object").remove("wagers");
            let alone = dealer.send_as(*number, &alone).await;
            drop(alone.problem(409, "sequence_reused"));
        }
    };
    repeated(dealer).await;
    let house = house.restart().await;
    repeated(&house.dealer("T1").await).await;
    house.end().await;
}

/// Wagers that contradict the round are refused with what the link knows; the number is used up and nothing is settled.
#[tokio::test]
async fn a_contradiction_is_refused() {
    let (house, dealers) = House::playing(FIVE_CARD_C, &["T1"]).await;
    let [dealer] = &dealers[..] else {
        panic!("one table")
    };
    let round = worked("the dealer has a pair of kings");
    let good = round.settle_command();
    lock(dealer, &round).await;
    let before = house.balances().await;
    let seat = |index: usize, member: &str, value: Value| {
        let mut command = good.clone();
        command["wagers"]["seats"][index][member] = value;
        command
    };
    let mut missing = good.clone();
    let seats = missing["wagers"]["seats"].as_array_mut().expect("seats");
    seats.remove(1);
    let mut elsewhere = good.clone();
    elsewhere["wagers"]["jurisdiction"] = json!("MA");
    for (command, fields) in [
        (
            seat(3, "end", json!("stayed")),
            json!({"wagers.seats[3].end": "folded"}),
        ),
        (
            seat(0, "end", json!("folded")),
            json!({"wagers.seats[0].end": "stayed"}),
        ),
        (
            seat(0, "seat", json!(6)),
            json!({"wagers.seats[0].seat": "not dealt", "wagers.seats": "1"}),
        ),
        (missing, json!({"wagers.seats": "2"})),
        (elsewhere, json!({"wagers.jurisdiction": "PA"})),
    ] {
        let number = dealer.next();
        let refused = dealer.send(&command).await.problem(422, "wagers_differ");
        assert_eq!(refused["fields"], fields);
        let again = dealer.send_as(number, &command).await;
        assert_eq!((again.replayed(), &again.text), (true, &refused.text));
    }
    assert_eq!(house.balances().await, before);
    drop(dealer.send(&good).await.created());
    house.end().await;
}

/// Returns a command with mistakes in its cards and in all parts of its wagers.
fn with_many_mistakes(mut wrong: Value) -> Value {
    wrong["dealer"] = json!([]);
    wrong["seats"].as_array_mut().expect("seats").reverse();
    let wagers = &mut wrong["wagers"];
    wagers["tables"] = json!([
        "pa-657a-ante-play",
        "none",
        "pa-657a-super-bonus",
        FIVE_CARD_C
    ]);
    wagers["terms"]["limit"] = json!("60000.00");
    wagers["bonus"] = json!(["As"]);
    wagers["seats"][0]["wagers"][0]["amount"] = json!("10.25");
    wagers["seats"][1]["wagers"][2] = json!({"wager": "raise-1", "amount": "30.00"});
    wagers["seats"][2]["wagers"] = json!([]);
    wrong
}

/// All mistakes of the wagers come in one refusal, each with its path in the command; a resend after a restart gets the
/// same refusal, and the journal repeats the command.
#[tokio::test]
async fn mistakes_are_refused_together() {
    let (house, dealers) = House::playing(FIVE_CARD_C, &["T1"]).await;
    let [dealer] = &dealers[..] else {
        panic!("one table")
    };
    let round = worked("the dealer has a pair of kings");
    lock(dealer, &round).await;
    let good = round.settle_command();
    let wrong = with_many_mistakes(good.clone());
    let number = dealer.next();
    let refused = dealer.send(&wrong).await.problem(422, "wagers_refused");
    let expected = [
        ("dealer", "cards_count"),
        ("seats[3].cards[0]", "card_twice"),
        ("wagers.bonus[0]", "card_twice"),
        ("wagers.seats[0].wagers[0].amount", "off_step"),
        ("wagers.seats[1].wagers", "wager_missing"),
        ("wagers.seats[1].wagers[2]", "wager_unknown"),
        (
            "wagers.seats[2].wagers",
            "wager_missing, wager_missing, raise_missing",
        ),
        ("wagers.tables[1]", "table_unknown"),
        ("wagers.tables[3]", "table_unknown"),
        ("wagers.terms.limit", "limit_unknown"),
    ];
    assert_eq!(
        refused["fields"],
        Value::from_iter(expected),
        "{}",
        refused.text
    );
    let detail = refused.text("detail");
    for sentence in [
        "wagers.seats[0].wagers[0].amount: 10.25 is off the table's steps: write a multiple of 0.50",
        "wagers.bonus[0]: As is in the round twice",
        "wagers.tables[3]: pa-657a-five-card-c pays a progressive wager",
    ] {
        assert!(detail.contains(sentence), "{detail}");
    }
    let journal = house.manager().await.journal("main", "").await.is(200);
    let entries = journal["entries"].as_array().expect("entries");
    let event = &entries.last().expect("an entry")["event"];
    assert_eq!(event["code"], "wagers_refused");
    assert_eq!(event["fields"], refused["fields"]);
    assert_eq!(
        event["command"]["wagers"]["tables"],
        wrong["wagers"]["tables"]
    );

    let house = house.restart().await;
    let dealer = house.dealer("T1").await;
    let again = dealer.send_as(number, &wrong).await;
    assert_eq!((again.replayed(), &again.text), (true, &refused.text));
    drop(dealer.resume().await);
    drop(dealer.send(&good).await.created());
    house.end().await;
}

/// What can't be read uses no number up.
#[tokio::test]
async fn a_malformed_wager_uses_nothing_up() {
    let (house, dealers) = House::playing(FIVE_CARD_C, &["T1"]).await;
    let [dealer] = &dealers[..] else {
        panic!("one table")
    };
    let round = worked("a tie of four cards");
    lock(dealer, &round).await;
    let good = round.settle_command();
    let number = dealer.next();
    let mut wrong = good.clone();
    wrong["wagers"]["seats"][0]["wagers"][0]["wager"] = json!("anti");
    let refused = dealer.send_as(number, &wrong).await;
    drop(refused.problem(400, "invalid_value"));
    let mut wrong = good.clone();
    wrong["wagers"]["void"] = json!("exposed-early");
    drop(
        dealer
            .send_as(number, &wrong)
            .await
            .problem(400, "unknown_field"),
    );
    drop(dealer.send_as(number, &good).await.created());
    house.end().await;
}
