//! A command may be sent again at any time: it counts once and gets its first answer again.

use futures_util::future::join_all;
use meterhouse_tests::client::{coin_in, hit};
use meterhouse_tests::{
    Answer, Database, Dealer, FIVE_CARD_C, House, TestServer, Watch, eventually,
};
use serde_json::{Value, json};

use crate::counted::Counter;

const ROYAL: &str = "As Ks Qs Js Ts";

/// A round with everything that a table can send, each command with the answer that it got.
async fn eventful_round(house: &House, dealer: &Dealer) -> Vec<(u64, Value, Answer)> {
    let first = dealer.next();
    let sam = house.supervisor("sam").await;
    let named = |offset: u64| dealer.named(first + offset);
    let script = [
        json!({"command": "coin_in", "wagers": [
            {"seat": 1, "amount": "1.00"},
            {"seat": 3, "amount": "1.00", "player": "p-3"},
            {"seat": 5, "amount": "1.00"},
        ], "dealt": [1, 3, 5, 6], "by": "d-1", "at": "2026-11-21T12:00:00Z"}),
        json!({"command": "count", "chips": 4}),
        json!({"command": "hit", "seat": 1, "hand": "straight-flush"}),
        json!({"command": "cancel_hit", "hit": named(2)}),
        json!({"command": "fold", "seats": [1]}),
        hit(3, "royal-flush", ROYAL),
        json!({"command": "envy", "seat": 6, "hand": "straight-flush"}),
        json!({"command": "hit", "seat": 6, "hand": "flush"}),
        json!({"command": "cancel_hit", "hit": named(6)}),
        json!({"command": "close"}),
    ];
    let mut sent = Vec::new();
    for command in script {
        if command["command"] == "close" {
            drop(sam.approve(&named(5)).await.created());
            drop(
                sam.pay(&named(5), 1, &format!("JP-{}", named(5)))
                    .await
                    .created(),
            );
        }
        let sequence = dealer.next();
        let answer = dealer.send(&command).await;
        assert!(
            matches!(answer.status, 201 | 422),
            "{}: {}",
            answer.asked,
            answer.text
        );
        sent.push((sequence, command, answer));
    }
    let statuses: Vec<u16> = sent.iter().map(|(_, _, answer)| answer.status).collect();
    assert_eq!(statuses, [201, 201, 201, 201, 201, 201, 201, 422, 201, 201]);
    sent
}

/// CONFORMANCE 4 and 5: every command again: the same body, said to be a repeat; and another command under its number
/// is none.
async fn assert_repeats(dealer: &Dealer, sent: &[(u64, Value, Answer)]) {
    for (sequence, command, first) in sent {
        let again = dealer.send_as(*sequence, command).await;
        let status = if first.status == 201 {
            200
        } else {
            first.status
        };
        assert_eq!(
            (again.status, &again.text),
            (status, &first.text),
            "{}",
            again.asked
        );
        assert!(again.replayed(), "{}: not said to be a repeat", again.asked);
        let other = json!({"command": "count", "chips": 17});
        drop(
            dealer
                .send_as(*sequence, &other)
                .await
                .problem(409, "sequence_reused"),
        );
    }
}

/// CONFORMANCE 4 and 5: a repeat is answered from memory, whatever has happened to the hit since.
#[tokio::test]
async fn recent_commands() {
    let (house, dealers) = House::playing(FIVE_CARD_C, &["T1"]).await;
    let [dealer] = &dealers[..] else {
        panic!("one table")
    };
    let sent = eventful_round(&house, dealer).await;
    let counter = Counter::of(&house, "T1").await;
    let before = counter.now().await;
    assert_repeats(dealer, &sent).await;
    assert_eq!(counter.now().await, before);
    house.end().await;
}

/// CONFORMANCE 4: a repeat from longer ago than memory reaches is found in the journal, and after a restart each is.
#[tokio::test]
async fn old_commands_and_a_restart() {
    let (house, dealers) = House::playing(FIVE_CARD_C, &["T1", "T2"]).await;
    let [dealer, other] = &dealers[..] else {
        panic!("two tables")
    };
    drop(other.coin_in(&[2]).await.created());
    let sent = eventful_round(&house, dealer).await;
    // Two marks further, so that the search has to begin at the right one.
    dealer.rounds(70, &[2, 4]).await;
    let late = eventful_round(&house, dealer).await;
    let counter = Counter::of(&house, "T1").await;
    let before = counter.now().await;
    assert_repeats(dealer, &sent).await;
    assert_repeats(dealer, &late).await;
    assert_eq!(counter.now().await, before);

    let house = house.restart().await;
    let dealer = house.dealer("T1").await;
    assert_repeats(&dealer, &sent).await;
    assert_repeats(&dealer, &late).await;
    assert_eq!(Counter::of(&house, "T1").await.now().await, before);
    assert_eq!(dealer.resume().await["next_sequence"], 161);
    drop(dealer.coin_in(&[1]).await.created());
    house.end().await;
}

/// Counts how often marks were sought. Postgres knows when the connections have ended.
async fn searches(database: &Database) -> i64 {
    let others = "SELECT count(*) FROM pg_stat_activity
        WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_type = 'client backend'";
    let count = "SELECT idx_scan FROM pg_stat_user_tables WHERE relname = 'table_mark'";
    let number = async |sql: &str| sqlx::Row::get::<i64, _>(&database.rows(sql).await[0], 0);
    eventually("the server's connections end", async || {
        (number(others).await == 0).then_some(())
    })
    .await;
    number(count).await
}

/// After a restart the journal is searched once for many repeats, not for each.
#[tokio::test]
async fn old_commands_are_read_together() {
    const ROUNDS: usize = 150;
    let (house, dealers) = House::playing(FIVE_CARD_C, &["T1"]).await;
    dealers[0].rounds(ROUNDS, &[2, 4]).await;
    house.server.stop().await;
    let before = searches(&house.database).await;
    let server = TestServer::start(&house.database, Watch::Idle).await;
    let caller = dealers[0].caller.at(server.base());
    for number in 1..=2 * u64::try_from(ROUNDS).expect("few") {
        let command = if number % 2 == 1 {
            coin_in(&[2, 4])
        } else {
            json!({"command": "close"})
        };
        let again = caller.put(&dealers[0].path(number), &command).await;
        assert!(again.is(200).replayed());
    }
    server.stop().await;
    let searched = searches(&house.database).await - before;
    assert!((1..20).contains(&searched), "{searched} searches");
}

/// Hundreds of old repeats at once, as after a long cut: each gets its first answer, and another table's command is
/// not held up by them.
#[tokio::test]
async fn many_old_commands_at_once() {
    let (house, dealers) = House::playing(FIVE_CARD_C, &["T1", "T2"]).await;
    let [dealer, other] = &dealers[..] else {
        panic!("two tables")
    };
    let command = coin_in(&[1, 3]);
    let first = dealer.send(&command).await.created();
    drop(dealer.close().await.created());
    dealer.rounds(70, &[2, 4]).await;
    let again = join_all((0..300).map(|_| dealer.send_as(1, &command)));
    let (again, beside) = tokio::join!(again, other.coin_in(&[2]));
    drop(beside.created());
    for again in again {
        let again = again.is(200);
        assert_eq!(again.text, first.text);
        assert!(again.replayed());
    }
    house.end().await;
}

/// The controller's time, the badge and the order of seats are not what makes a command another one.
#[tokio::test]
async fn what_is_no_other_content() {
    let (house, dealers) = House::playing(FIVE_CARD_C, &["T1"]).await;
    let [dealer] = &dealers[..] else {
        panic!("one table")
    };
    let first = dealer.send(&coin_in(&[1, 3, 5])).await.created();
    let mut again = coin_in(&[5, 1, 3]);
    again["by"] = json!("d-9");
    again["at"] = json!("2026-11-21T12:00:09Z");
    let answer = dealer.send_as(1, &again).await.is(200);
    assert_eq!(answer.text, first.text);
    for other in [coin_in(&[1, 3]), coin_in(&[1, 3, 5, 6])] {
        drop(
            dealer
                .send_as(1, &other)
                .await
                .problem(409, "sequence_reused"),
        );
    }
    let mut named = coin_in(&[1, 3, 5]);
    named["wagers"][0]["player"] = json!("p-1");
    drop(
        dealer
            .send_as(1, &named)
            .await
            .problem(409, "sequence_reused"),
    );
    house.end().await;
}

/// A missing number is named, and nothing behind it counts.
#[tokio::test]
async fn a_gap() {
    let (house, dealers) = House::playing(FIVE_CARD_C, &["T1"]).await;
    let [dealer] = &dealers[..] else {
        panic!("one table")
    };
    let counter = Counter::of(&house, "T1").await;
    let before = counter.now().await;
    for sequence in [2, 3, 65, 9_223_372_036_854_775_807] {
        let gap = dealer
            .send_as(sequence, &coin_in(&[1]))
            .await
            .problem(409, "sequence_gap");
        assert_eq!(gap["fields"]["expected"], "1");
    }
    assert_eq!(counter.now().await, before);
    drop(dealer.coin_in(&[1]).await.created());
    let gap = dealer
        .send_as(3, &json!({"command": "close"}))
        .await
        .problem(409, "sequence_gap");
    assert_eq!(gap["fields"]["expected"], "2");
    house.end().await;
}

/// A refusal by the rules uses the number up: a repeat is refused the same, the next number goes on.
#[tokio::test]
async fn a_refusal_uses_the_number_up() {
    let (house, dealers) = House::playing(FIVE_CARD_C, &["T1"]).await;
    let [dealer] = &dealers[..] else {
        panic!("one table")
    };
    let refused = dealer.close().await.problem(422, "no_round");
    assert!(!refused.replayed());
    let again = dealer
        .send_as(1, &json!({"command": "close"}))
        .await
        .problem(422, "no_round");
    assert!(again.replayed());
    assert_eq!(again.text, refused.text);
    drop(
        dealer
            .send_as(1, &coin_in(&[1]))
            .await
            .problem(409, "sequence_reused"),
    );
    drop(dealer.send_as(2, &coin_in(&[1])).await.created());
    let journal = house
        .manager()
        .await
        .journal("main", "?after=0")
        .await
        .is(200);
    let kinds: Vec<&str> = journal["entries"]
        .as_array()
        .expect("entries")
        .iter()
        .filter_map(|it| it["event"]["kind"].as_str().or_else(|| it["kind"].as_str()))
        .collect();
    assert_eq!(
        kinds,
        [
            "link_opened",
            "values_accepted",
            "table_joined",
            "refused",
            "coin_in_accepted"
        ],
        "{}",
        journal.text
    );
    house.end().await;
}

/// CONFORMANCE 4: the same command twice at once: both hear the same, and it counts once.
#[tokio::test]
async fn both_at_once() {
    let (house, dealers) = House::playing(FIVE_CARD_C, &["T1"]).await;
    let [dealer] = &dealers[..] else {
        panic!("one table")
    };
    for round in 0..20 {
        let sequence = 2 * round + 1;
        let command = coin_in(&[1, 2]);
        let (one, two) = tokio::join!(
            dealer.send_as(sequence, &command),
            dealer.send_as(sequence, &command)
        );
        assert_eq!(one.text, two.text);
        let mut statuses = [one.status, two.status];
        statuses.sort_unstable();
        assert_eq!(statuses, [200, 201], "{}", one.text);
        drop(
            dealer
                .send_as(sequence + 1, &json!({"command": "close"}))
                .await
                .created(),
        );
    }
    assert_eq!(
        house.meters("main").await,
        ["10003.60", "1002.80", "251.20"]
    );
    house.end().await;
}
