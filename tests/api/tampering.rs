//! Whoever is superuser can change what is written, but not unnoticed: `verify` names the place.
//!
//! # How
//! A day with everything in it is played once a test. Then one byte after another is changed, each found and changed
//! back, so that what is found is that byte. A deleted row is kept aside and put back.

use meterhouse_tests::{FIVE_CARD_C, House};
use serde_json::json;

/// A day with every kind of event, hits in every state, marks, and a snapshot of a restart.
async fn whole_day() -> House {
    let (house, dealers) = House::playing(FIVE_CARD_C, &["T1", "T2"]).await;
    let [dealer, other] = &dealers[..] else {
        panic!("two tables")
    };
    let sam = house.supervisor("sam").await;
    let wager = |seat: u8, player: &str| json!({"seat": seat, "amount": "1.00", "player": player});
    let wagers = [wager(1, "p-1"), wager(3, "p-3"), wager(5, "p-5")];
    let locked = json!({"command": "coin_in", "wagers": wagers, "dealt": [1, 2, 3, 5],
        "by": "d-12", "at": "2026-11-21T12:00:00Z"});
    drop(dealer.send(&locked).await.created());
    drop(
        dealer
            .send(&json!({"command": "count", "chips": 3}))
            .await
            .created(),
    );
    drop(dealer.fold(&[1]).await.created());
    drop(dealer.hit(5, "flush", "Ad Kd Qd Jd 9d").await.created());
    drop(dealer.cancel(4).await.created());
    drop(dealer.hit(5, "straight", "Ac Kh Qc Jc Td").await.created());
    drop(sam.reject("T1.6").await.created());
    let keyed = json!({"command": "hit", "seat": 3, "hand": "royal-flush", "cards": ["As", "Ks", "Qs", "Js", "Ts"],
        "by": "d-12"});
    drop(dealer.send(&keyed).await.created());
    drop(dealer.close().await.problem(422, "hit_unsettled"));
    let seen =
        json!({"decision": "approve", "note": "a royal", "cards": ["As", "Ks", "Qs", "Js", "Ts"]});
    drop(sam.decide("T1.7", &seen).await.created());
    drop(sam.pay("T1.7", 1, "JP-1").await.created());
    drop(dealer.close().await.created());
    // T2's third hit waits over the restart; its void round is the second.
    drop(other.coin_in(&[1]).await.created());
    drop(other.hit_unseen(1, "flush").await.created());
    drop(other.void("misdeal").await.created());
    other.rounds(35, &[1, 2]).await;
    drop(other.coin_in(&[4]).await.created());
    drop(other.hit_unseen(4, "flush").await.created());
    let house = house.restart().await;
    // A batch behind the snapshot.
    drop(
        house
            .dealer("T2")
            .await
            .caller
            .get("/v1/tables/T2")
            .await
            .is(200),
    );
    house
}

/// What verify says, also where a row can't be read any more.
async fn found(house: &House) -> Vec<String> {
    let store = &house.server.store;
    match meterhouse_engine::verify::verify(store, None, true).await {
        Ok(reports) => reports
            .into_iter()
            .flat_map(|report| report.findings)
            .collect(),
        Err(error) => vec![meterhouse_engine::error_chain::ErrorChain(&error).to_string()],
    }
}

/// Does it, looks whether verify names `place`, undoes it, looks whether verify is content again.
async fn is_found(house: &House, place: &str, change: &str, back: &str) {
    assert!(
        house.database.tamper(change).await > 0,
        "nothing changed: {change}"
    );
    let findings = found(house).await;
    let named = findings.iter().any(|it| it.contains(place));
    assert!(
        named,
        "{change}: nothing found of {place:?} in {findings:#?}"
    );
    house.database.tamper(back).await;
    assert_eq!(found(house).await, Vec::<String>::new(), "after {back}");
}

/// Changes the lowest bit of a column, twice.
async fn bit_is_found(house: &House, place: &str, table: &str, column: &str, of: &str) {
    let sql = match column {
        "record" | "chain_hash" | "document" | "state_bytes" | "content_hash" => {
            let column = if column == "state_bytes" {
                "state"
            } else {
                column
            };
            format!(
                "UPDATE {table} SET {column} = set_byte({column}, 5, get_byte({column}, 5) # 1) WHERE {of}"
            )
        }
        "deltas" | "after_all" => {
            let column = if column == "after_all" {
                "after"
            } else {
                column
            };
            // A zero is stored as NULL.
            format!("UPDATE {table} SET {column}[3] = COALESCE({column}[3], 0) # 1 WHERE {of}")
        }
        _ => format!("UPDATE {table} SET {column} = {column} # 1 WHERE {of}"),
    };
    is_found(house, place, &sql, &sql).await;
}

/// Changes a number to one that no other row has, and back.
async fn number_is_found(house: &House, place: &str, table: &str, column: &str, of: &str) {
    let change = format!("UPDATE {table} SET {column} = {column} + 10000 WHERE {of}");
    let back = format!("UPDATE {table} SET {column} = {column} - 10000 WHERE {column} >= 10000");
    is_found(house, place, &change, &back).await;
}

/// Changes a text by its last letter, and back.
async fn text_is_found(house: &House, place: &str, table: &str, column: &str, of: &str) {
    let change = format!("UPDATE {table} SET {column} = {column} || 'x' WHERE {of}");
    let back = format!("UPDATE {table} SET {column} = left({column}, -1) WHERE {of}");
    is_found(house, place, &change, &back).await;
}

/// Deletes rows and puts them back.
async fn loss_is_found(house: &House, place: &str, table: &str, of: &str) {
    house
        .database
        .tamper(&format!(
            "CREATE TABLE kept AS SELECT * FROM {table} WHERE {of}"
        ))
        .await;
    let change = format!("DELETE FROM {table} WHERE {of}");
    let back = format!("INSERT INTO {table} SELECT * FROM kept; DROP TABLE kept");
    is_found(house, place, &change, &back).await;
}

/// Every column of an event, whatever kind it is.
#[tokio::test]
async fn a_byte_of_an_event() {
    let house = whole_day().await;
    // T1's first command: the coin-in with three players.
    let of = "batch = 5 AND position = 0";
    for column in [
        "actor_id",
        "sequence",
        "table_no",
        "kind",
        "own_seats",
        "i1",
        "i2",
        "i3",
        "record",
    ] {
        bit_is_found(&house, "batch 5", "event", column, of).await;
    }
    let none = |column: &str| format!("UPDATE event SET {column} = NULL WHERE {of}");
    let some = |column: &str| format!("UPDATE event SET {column} = 1 WHERE {of}");
    for column in ["dealer_seats", "refusal"] {
        is_found(&house, "batch 5", &some(column), &none(column)).await;
    }
    for column in ["batch", "position"] {
        number_is_found(&house, "batch", "event", column, of).await;
    }
    // Every other kind by its record or its first number.
    for kind in [15, 16, 17, 18, 19, 20, 21, 22, 23, 24] {
        let of =
            format!("kind = {kind} AND batch = (SELECT min(batch) FROM event WHERE kind = {kind})");
        bit_is_found(&house, "batch", "event", "record", &of).await;
        bit_is_found(&house, "batch", "event", "actor_id", &of).await;
    }
    house.end().await;
}

/// Every column of a batch.
#[tokio::test]
async fn a_byte_of_a_batch() {
    let house = whole_day().await;
    for column in [
        "at",
        "epoch",
        "rule_version",
        "deltas",
        "after_all",
        "chain_hash",
        "period",
    ] {
        bit_is_found(&house, "batch 6", "batch", column, "batch = 6").await;
    }
    text_is_found(&house, "batch 6", "batch", "node", "batch = 6").await;
    number_is_found(&house, "batch 6", "batch", "events", "batch = 6").await;
    number_is_found(&house, "batch 6", "batch", "batch", "batch = 6").await;
    house.end().await;
}

/// Events and batches that are gone, or come from nowhere.
#[tokio::test]
async fn rows_of_the_journal_that_are_gone() {
    let house = whole_day().await;
    loss_is_found(&house, "batch 7", "event", "batch = 7").await;
    loss_is_found(&house, "batch 7", "batch", "batch = 7").await;
    // The end of the journal, with its events: only the head still knows.
    let last = "batch = (SELECT batch FROM link_head)";
    loss_is_found(&house, "link_head", "batch", last).await;
    let events = format!("CREATE TABLE kept_events AS SELECT * FROM event WHERE {last}");
    house.database.tamper(&events).await;
    let cut = format!(
        "CREATE TABLE kept AS SELECT * FROM batch WHERE {last};
         DELETE FROM event WHERE {last}; DELETE FROM batch WHERE {last}"
    );
    let back = "INSERT INTO batch SELECT * FROM kept; INSERT INTO event SELECT * FROM kept_events";
    is_found(&house, "link_head", &cut, back).await;
    let stray = "INSERT INTO event SELECT link_id, period, 100000, position, table_no, actor_id, sequence, kind,
        refusal, own_seats, dealer_seats, i1, i2, i3, i4, record FROM event WHERE batch = 6";
    is_found(
        &house,
        "batch 100000",
        stray,
        "DELETE FROM event WHERE batch = 100000",
    )
    .await;
    house.end().await;
}

/// What stands beside the journal: the head, the link, its paytable, its tables, the marks, the snapshot.
#[tokio::test]
async fn a_byte_beside_the_journal() {
    let house = whole_day().await;
    for column in ["batch", "epoch", "chain_hash", "period", "status"] {
        bit_is_found(&house, "link_head", "link_head", column, "true").await;
    }
    // A compact head has none.
    is_found(
        &house,
        "link_head",
        "UPDATE link_head SET balances = '{1}'",
        "UPDATE link_head SET balances = '{}'",
    )
    .await;
    number_is_found(&house, "link: ", "link", "wager_micros", "true").await;
    is_found(
        &house,
        "link: ",
        "UPDATE link SET decks = 2",
        "UPDATE link SET decks = 1",
    )
    .await;
    for column in ["name", "paytable_id", "reserve_policy"] {
        text_is_found(&house, "link: ", "link", column, "true").await;
    }
    bit_is_found(&house, "link: ", "link", "content_hash", "true").await;
    for column in ["content_hash", "document"] {
        bit_is_found(&house, "paytable: ", "paytable", column, "true").await;
    }
    text_is_found(&house, "paytable: ", "paytable", "paytable_id", "true").await;
    for column in ["name", "game"] {
        text_is_found(&house, "game_table: ", "game_table", column, "table_no = 2").await;
    }
    bit_is_found(
        &house,
        "game_table: ",
        "game_table",
        "seats",
        "table_no = 2",
    )
    .await;
    loss_is_found(&house, "game_table: ", "game_table", "table_no = 2").await;
    for column in ["batch", "position", "period"] {
        bit_is_found(
            &house,
            "table_mark: ",
            "table_mark",
            column,
            "sequence = 65",
        )
        .await;
    }
    number_is_found(
        &house,
        "table_mark: ",
        "table_mark",
        "sequence",
        "sequence = 65",
    )
    .await;
    loss_is_found(&house, "table_mark: ", "table_mark", "sequence = 65").await;
    // A snapshot that fits no batch by number and hash is passed over: it is a cache. One that fits is compared.
    bit_is_found(&house, "snapshot", "snapshot", "state_bytes", "true").await;
    house.end().await;
}

/// The rows that people read: every column of a hit and of a payout.
#[tokio::test]
async fn a_byte_of_a_hit_or_payout() {
    let house = whole_day().await;
    let place = "T1.7";
    let of = "table_no = 1 AND sequence = 7";
    for column in [
        "round",
        "state",
        "kind",
        "hand",
        "seat",
        "level",
        "percent",
        "before",
        "after",
        "due",
        "keyed_by_actor",
        "keyed_at",
        "decided_by_actor",
        "decided_at",
        "payout_count",
    ] {
        bit_is_found(&house, place, "hit", column, of).await;
    }
    number_is_found(&house, place, "hit", "hit_order", of).await;
    for column in ["keyed_by", "decided_by", "note", "cards", "validated_cards"] {
        text_is_found(&house, place, "hit", column, of).await;
    }
    let of = "table_no = 1 AND sequence = 7 AND number = 1";
    for column in [
        "seat",
        "kind",
        "amount",
        "charged_to",
        "handed_over",
        "paid_at",
        "paid_by_actor",
    ] {
        bit_is_found(&house, place, "payout", column, of).await;
    }
    for column in ["player", "document"] {
        text_is_found(&house, place, "payout", column, of).await;
    }
    loss_is_found(&house, place, "payout", of).await;
    loss_is_found(&house, "hit: ", "hit", "table_no = 1 AND sequence = 7").await;
    let stray = "INSERT INTO hit SELECT link_id, table_no, 9999, 9999, round, state, kind, hand, seat, level,
        percent, before, after, due, keyed_by_actor, keyed_by, keyed_at, decided_by_actor, decided_by,
        decided_at, note, cards, validated_cards, payout_count FROM hit WHERE table_no = 1 AND sequence = 4";
    is_found(
        &house,
        "T1.9999",
        stray,
        "DELETE FROM hit WHERE sequence = 9999",
    )
    .await;
    house.end().await;
}
