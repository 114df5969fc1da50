//! One meaning: the same commands over HTTP and over gRPC have the same outcomes, and leave the same books.

use meterhouse_tests::client::{coin_in, hit, on_dealer, settle};
use meterhouse_tests::worked_rounds::worked_rounds;
use meterhouse_tests::{FIVE_CARD_A, FIVE_CARD_C, HAND_BONUS, House};
use serde_json::{Value, json};

use crate::form::Said;
use crate::ways::{OverGrpc, OverHttp, Way};

const ROYAL: &str = "As Ks Qs Js Ts";

/// One step of a script.
pub(crate) enum Step {
    /// A table's command with its next number.
    Next(usize, Value),
    /// A table's command with the number so far from its next one.
    Off(usize, i64, Value),
    /// A supervisor approves a hit and pays so many of its payouts by slip.
    Settles(&'static str, u32),
    /// No coin-in on the link.
    Suspend,
    /// Coin-in again.
    Resume,
}

/// Plays a script; what was said to each command of a table.
pub(crate) async fn play(
    house: &House,
    tables: usize,
    way: &mut impl Way,
    script: &[Step],
) -> Vec<Said> {
    let (sam, ana) = (house.supervisor("sam").await, house.manager().await);
    let mut next = vec![1; tables];
    let mut heard = Vec::new();
    for step in script {
        match step {
            Step::Next(table, command) => {
                let said = way.say(*table, next[*table], command).await;
                next[*table] += u64::from(said.uses_up());
                heard.push(said);
            }
            Step::Off(table, off, command) => {
                let sequence = next[*table].checked_add_signed(*off).expect("a number");
                heard.push(way.say(*table, sequence, command).await);
            }
            Step::Settles(hit, payouts) => sam.settles(hit, *payouts).await,
            Step::Suspend => drop(ana.suspend("main").await.created()),
            Step::Resume => drop(ana.resume("main").await.created()),
        }
    }
    heard
}

/// Plays a script over both ways in two fresh houses: the same is heard, and the books are the same.
pub(crate) async fn assert_same(
    paytable: &str,
    settings: &Value,
    tables: &[&str],
    script: &[Step],
) -> Vec<Said> {
    let (http_house, dealers) = House::playing_with(paytable, settings, tables).await;
    let mut way = OverHttp { dealers: &dealers };
    let over_http = play(&http_house, tables.len(), &mut way, script).await;
    // On the heap, as the ends are: with two houses in it, the future is large.
    let second = Box::pin(House::playing_with(paytable, settings, tables));
    let (grpc_house, dealers) = second.await;
    let mut way = OverGrpc::open(&grpc_house, &dealers).await;
    let over_grpc = play(&grpc_house, tables.len(), &mut way, script).await;
    drop(way);
    for (index, (http, grpc)) in over_http.iter().zip(&over_grpc).enumerate() {
        let [http, grpc] = [http, grpc].map(|it| it.clone().without_place());
        assert_eq!(http, grpc, "answer {index}");
    }
    assert_eq!(http_house.balances().await, grpc_house.balances().await);
    Box::pin(http_house.end()).await;
    Box::pin(grpc_house.end()).await;
    over_grpc
}

/// The codes of what was refused or denied, in order.
fn codes(heard: &[Said]) -> Vec<&str> {
    heard
        .iter()
        .map(|it| match it {
            Said::Done(_, body) => body["command"].as_str().expect("a command"),
            Said::Refused(_, problem) | Said::NotExecuted(_, problem, _) => {
                problem["code"].as_str().expect("a code")
            }
        })
        .collect()
}

/// Every kind of command, done, refused, repeated, and every denial that a script can bring about.
#[tokio::test]
async fn every_command() {
    use Step::{Next, Off, Resume, Settles, Suspend};
    let players = json!({"command": "coin_in", "wagers": [
        {"seat": 1, "amount": "1.00"},
        {"seat": 3, "amount": "1.00", "player": "p-3"},
        {"seat": 5, "amount": "1.00", "player": "p-3"},
    ], "dealt": [1, 3, 5, 6], "by": "d-1", "at": "2026-11-21T12:00:00Z"});
    let envy = json!({"command": "envy", "seat": 6, "hand": "straight-flush"});
    let bonus = json!({"command": "bonus", "kind": "magic_card", "seat": 3});
    let script = [
        Next(0, json!({"command": "close"})),
        Next(0, players.clone()),
        Off(0, -1, players),
        Off(0, -1, json!({"command": "close"})),
        Off(0, 2, json!({"command": "close"})),
        Next(0, json!({"command": "count", "chips": 4})),
        Next(1, coin_in(&[2, 9])),
        Next(1, coin_in(&[2])),
        Next(
            0,
            json!({"command": "hit", "seat": 1, "hand": "straight-flush"}),
        ),
        Next(0, json!({"command": "cancel_hit", "hit": "T1.4"})),
        Next(0, json!({"command": "cancel_hit", "hit": "T1.77"})),
        Next(0, json!({"command": "fold", "seats": [1]})),
        Next(0, json!({"command": "fold", "seats": [0]})),
        Next(0, hit(3, "royal-flush", ROYAL)),
        Next(0, hit(3, "straight-flush", ROYAL)),
        Next(0, envy),
        Next(0, bonus),
        Next(0, json!({"command": "close"})),
        Off(0, -1, json!({"command": "close"})),
        Suspend,
        Next(1, json!({"command": "void", "reason": "misdeal"})),
        Next(1, coin_in(&[2])),
        Resume,
        Settles("T1.9", 1),
        Settles("T1.11", 0),
        Next(0, json!({"command": "close"})),
        Next(1, json!({"command": "void", "reason": "shoe_jam"})),
    ];
    let heard = assert_same(FIVE_CARD_C, &json!({}), &["T1", "T2"], &script).await;
    let expected = [
        "no_round",
        "coin_in",
        "coin_in",
        "sequence_reused",
        "sequence_gap",
        "count",
        "seat_not_on_layout",
        "coin_in",
        "hit",
        "cancel_hit",
        "no_such_hit",
        "fold",
        "seat_not_on_layout",
        "hit",
        "wrong_hand",
        "envy",
        "bonus_not_offered",
        "hit_unsettled",
        "hit_unsettled",
        "void",
        "link_suspended",
        "close",
        "no_round",
    ];
    assert_eq!(codes(&heard), expected);
}

/// A hit that a person has to validate needs the dealer's badge, both ways.
#[tokio::test]
async fn a_hit_without_a_badge() {
    use Step::{Next, Off};
    let without = |mut command: Value| {
        command["by"] = Value::Null;
        command
    };
    let royal = hit(3, "royal-flush", ROYAL);
    let script = [
        Next(0, coin_in(&[3])),
        Next(0, without(royal.clone())),
        Off(0, -1, royal.clone()),
        Next(0, without(settle("", &[(3, ROYAL)]))),
        Next(0, royal),
    ];
    let heard = assert_same(FIVE_CARD_C, &json!({}), &["T1"], &script).await;
    let expected = [
        "coin_in",
        "badge_missing",
        "badge_missing",
        "badge_missing",
        "hit",
    ];
    assert_eq!(codes(&heard), expected);
}

/// The dealer's hand, and the whole round from its cards.
#[tokio::test]
async fn the_dealers_hand_and_settle() {
    use Step::{Next, Off, Settles};
    let wagers =
        json!([{"seat": 1, "amount": "1.00"}, {"seat": 2, "amount": "1.00"}, on_dealer(2)]);
    let both = json!({"command": "coin_in", "wagers": wagers, "dealt": [1, 2]});
    let cards = [(1, ROYAL), (2, "2c 4d 7h 9s Jc")];
    let script = [
        Next(0, both.clone()),
        Next(
            0,
            json!({"command": "hit", "dealer": true, "hand": "straight-flush"}),
        ),
        Next(0, json!({"command": "cancel_hit", "hit": "T1.2"})),
        Next(0, settle("", &cards)),
        Next(0, settle("9d 8d 7d 6d 5d", &cards)),
        Off(0, -1, settle("9d 8d 7d 6d 5d", &cards)),
        Next(0, json!({"command": "cancel_hit", "hit": "T1.5"})),
        Next(0, json!({"command": "cancel_hit", "hit": "T1.5.1"})),
        Next(0, settle("9d 8d 7d 6d 5d", &cards)),
        Settles("T1.5.2", 1),
        Next(0, json!({"command": "close"})),
    ];
    let heard = assert_same(HAND_BONUS, &json!({}), &["T1"], &script).await;
    let expected = [
        "coin_in",
        "hit",
        "cancel_hit",
        "cards_missing",
        "settle",
        "settle",
        "no_such_hit",
        "later_hits",
        "already_hit",
        "hit_unsettled",
    ];
    assert_eq!(codes(&heard), expected);
}

/// Ceilings: what is kept out of a meter is told level by level.
#[tokio::test]
async fn a_ceiling() {
    use Step::Next;
    let settings = json!({"ceilings": {"meter": "10001.00"}});
    let script = [
        Next(0, coin_in(&[1, 2, 3, 4, 5, 6])),
        Next(0, json!({"command": "close"})),
        Next(0, coin_in(&[1, 2, 3, 4, 5, 6])),
        Next(0, json!({"command": "close"})),
    ];
    let heard = assert_same(FIVE_CARD_A, &settings, &["T1"], &script).await;
    let over = |it: &Said| match it {
        Said::Done(_, body) => body["levels"][0].get("over_ceiling").is_some(),
        other => panic!("{other:?}"),
    };
    assert!(heard.iter().any(over), "the ceiling was reached: {heard:?}");
}

/// A round with its fixed wagers: settled, refused with all mistakes, contradicted, and repeated.
#[tokio::test]
async fn fixed_wagers() {
    use Step::{Next, Off};
    let mut rounds = worked_rounds().into_iter();
    let name = "a six-card royal flush in diamonds";
    let round = rounds.find(|round| round.name == name).expect(name);
    let (dealt, folded) = round.dealt_and_folded();
    let good = round.settle_command();
    let mut wrong = good.clone();
    wrong["wagers"]["tables"] = json!(["none"]);
    wrong["wagers"]["seats"][1]["wagers"][0]["amount"] = json!("10.25");
    let mut contradicting = good.clone();
    contradicting["wagers"]["seats"][0]["end"] = json!("folded");
    let script = [
        Next(0, coin_in(&dealt)),
        Next(0, json!({"command": "fold", "seats": folded})),
        Next(0, wrong.clone()),
        Off(0, -1, wrong),
        Next(0, contradicting),
        Next(0, good.clone()),
        Off(0, -1, good),
    ];
    let heard = assert_same(FIVE_CARD_C, &json!({}), &["T1"], &script).await;
    let expected = [
        "coin_in",
        "fold",
        "wagers_refused",
        "wagers_refused",
        "wagers_differ",
        "settle",
        "settle",
    ];
    assert_eq!(codes(&heard), expected);
    let Said::Done(false, settled) = &heard[5] else {
        panic!("{:?}", heard[5])
    };
    assert_eq!(
        settled["settlement"]["totals"],
        json!({"wagered": "107.00", "collected": "20.00", "returned": "87.00", "paid": "200430.00"})
    );
}

/// The reading that two people of the link adopted is in the outcome, as over HTTP.
#[tokio::test]
async fn an_adopted_reading() {
    let mut rounds = worked_rounds().into_iter();
    let name = "a player ties the dealer's pair of kings";
    let round = rounds.find(|round| round.name == name).expect(name);
    let (dealt, folded) = round.dealt_and_folded();
    let paytable = "test-four-card-frenzy";
    let (house, _) = House::playing(paytable, &[]).await;
    let body = json!({"link": "main", "game": "four-card-frenzy", "seats": 6, "paytable": paytable,
        "wager": "1.00", "decks": 1});
    let manager = house.manager().await.caller;
    drop(manager.put("/v1/tables/T1", &body).await.created());
    let adopt = json!({"change": "adopt_table", "table": "pa-684a-four-card-bonus-a",
        "reading": "queens-or-better", "letter": "PGCB-2026-118"});
    drop(house.two_people().await.change("main", &adopt).await);
    let dealers = [house.dealer("T1").await];
    let mut grpc = OverGrpc::open(&house, &dealers).await;
    let mut http = OverHttp { dealers: &dealers };
    drop(grpc.say(0, 1, &coin_in(&dealt)).await);
    let fold = json!({"command": "fold", "seats": folded});
    drop(grpc.say(0, 2, &fold).await);
    let settle = round.settle_command();
    let first = grpc.say(0, 3, &settle).await;
    let Said::Done(false, settled) = &first else {
        panic!("{first:?}")
    };
    let tables = settled["settlement"]["tables"].as_array().expect("tables");
    let read = tables
        .iter()
        .filter(|table| table["reading"] == "queens-or-better");
    assert_eq!(read.count(), 1, "{settled}");
    let again = http.say(0, 3, &settle).await;
    let Said::Done(true, again) = again.without_place() else {
        panic!("a repeat")
    };
    let Said::Done(_, settled) = first.without_place() else {
        panic!("settled")
    };
    assert_eq!(again, settled);
    drop(grpc);
    house.end().await;
}

/// A faulted link, and a table that keys nonsense without end: nothing is used up, over both ways.
#[tokio::test]
async fn denied() {
    let (house, dealers) = House::playing(FIVE_CARD_C, &["T1", "T2"]).await;
    let mut http = OverHttp { dealers: &dealers };
    let mut grpc = OverGrpc::open(&house, &dealers).await;
    let nonsense = json!({"command": "close"});
    let limited = loop {
        let sequence = dealers[1].next();
        let said = grpc.say(1, sequence, &nonsense).await;
        if !said.uses_up() {
            break said;
        }
        dealers[1].goes_on_at(sequence + 1);
    };
    let Said::NotExecuted(429, problem, Some(_)) = limited else {
        panic!("{limited:?}")
    };
    assert_eq!(problem["code"], "too_many_requests");

    house.fault("main", &dealers[0]).await;
    let sequence = dealers[0].next();
    let said = grpc.say(0, sequence, &nonsense).await;
    assert_eq!(said, http.say(0, sequence, &nonsense).await);
    assert_eq!(codes(&[said]), ["link_faulted"]);
    drop(grpc);
    house.server.stop().await;
}
