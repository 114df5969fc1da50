//! Every kind of change to a bundle, found at its place.

use serde_json::{Value, json};

use super::{HIT, assert_found, evidence, with_royal};

fn set(pointer: &str, value: Value) -> impl FnOnce(&mut Value) {
    move |bundle: &mut Value| *bundle.pointer_mut(pointer).expect(pointer) = value
}

fn removed(pointer: &str, index: usize) -> impl FnOnce(&mut Value) {
    move |bundle: &mut Value| {
        let list = bundle.pointer_mut(pointer).and_then(Value::as_array_mut);
        drop(list.expect(pointer).remove(index));
    }
}

/// Replaces the digit of a text by another one.
fn flipped(pointer: &str, at: usize) -> impl FnOnce(&mut Value) {
    move |bundle: &mut Value| {
        let text = bundle.pointer_mut(pointer).expect(pointer);
        let mut digits = text.as_str().expect("digits").to_owned();
        let other = if digits.as_bytes()[at] == b'0' {
            "1"
        } else {
            "0"
        };
        digits.replace_range(at..=at, other);
        *text = json!(digits);
    }
}

/// Returns changes of the hit, its round and its payoff: the place, the value, and what is found.
fn of_hit() -> Vec<(&'static str, Value, &'static str)> {
    vec![
        (
            "/hit/due",
            json!("10004.42"),
            "hit.due: the file has \"10004.42\", and the journal gives \"10004.41\"",
        ),
        (
            "/hit/payouts/0/amount",
            json!("1.00"),
            "hit.payouts[0].amount: the file has \"1.00\"",
        ),
        (
            "/hit/cards/0",
            json!("Ah"),
            "hit.cards[0]: the file has \"Ah\", and the journal gives \"As\"",
        ),
        (
            "/hit/decided_by",
            json!("sim"),
            "hit.decided_by: the file has \"sim\"",
        ),
        (
            "/hit/evaluation/agrees",
            json!(false),
            "hit.evaluation.agrees: the file has false",
        ),
        (
            "/round/folded",
            json!([]),
            "round.folded: the file has 0 entries, and the journal gives 1",
        ),
        (
            "/payoff_report/before",
            json!("10004.42"),
            "payoff_report.before: the file has 10004.42",
        ),
        (
            "/payoff_report/contributions/0/amount",
            json!("9.00"),
            "payoff_report.opening with all that was added",
        ),
        (
            "/payoff_report/hit",
            json!("T2.2"),
            "payoff_report.hit: it is another one",
        ),
        (
            "/payoff_report",
            Value::Null,
            "payoff_report: the report belongs to a hit that took from a level",
        ),
    ]
}

/// Returns changes of what is around the hit: the place, the value, and what is found.
fn around_hit() -> Vec<(&'static str, Value, &'static str)> {
    vec![
        (
            "/commands/0/at",
            json!("2026-01-01T00:00:00.000000Z"),
            "commands[0].at: the file has",
        ),
        (
            "/history/8/levels/0/amount",
            json!("1.00"),
            "history[8].levels[0].amount: the file has",
        ),
        (
            "/displayed/levels/0/amount",
            json!("10004.42"),
            "displayed.levels[0].amount: the file has",
        ),
        (
            "/configuration/opened/event/decks",
            json!(2),
            "configuration.opened.event.decks: the file has 2",
        ),
        (
            "/configuration/content_hash",
            json!("00"),
            "configuration.content_hash: the file has",
        ),
        (
            "/people/0/name",
            json!("nobody"),
            "people[0].name: the file has \"nobody\"",
        ),
        ("/through", json!(1), "through: the file has 1"),
    ]
}

/// Every figure that people read is compared with the batches: a cent, a card, a name, a time.
#[tokio::test]
async fn a_changed_figure_is_found_at_its_place() {
    let (house, _dealers) = with_royal().await;
    let bundle = evidence(&house, HIT).await;
    for (pointer, value, expected) in of_hit().into_iter().chain(around_hit()) {
        assert_found(&bundle, expected, set(pointer, value));
    }
    assert_found(
        &bundle,
        "commands: the file has 6 entries, and the journal gives 7",
        removed("/commands", 1),
    );
    assert_found(
        &bundle,
        "history: the file has 16 entries",
        removed("/history", 2),
    );
    assert_found(
        &bundle,
        "hit.more: the file has 1, and the journal gives null",
        |changed| {
            changed["hit"]["more"] = json!(1);
        },
    );
    house.end().await;
}

/// Every byte of the proof counts: batches, paths, heads and entries of the house.
#[tokio::test]
async fn a_changed_proof_is_found_at_its_place() {
    let (house, _dealers) = with_royal().await;
    let bundle = evidence(&house, HIT).await;
    let batches = bundle["proof"]["batches"].as_array().expect("batches");
    let index = batches.len() - 2;
    let number = &batches[index]["batch"];
    let in_batches = |member: &str| format!("/proof/batches/{index}/{member}");
    let differs = format!("batch {number}: its content or its predecessor differs from its hash");
    // A digit of the time of the batch.
    assert_found(&bundle, &differs, flipped(&in_batches("bytes"), 40));
    assert_found(&bundle, &differs, flipped(&in_batches("hash_before"), 3));
    let no_way = format!("batch {number}: it is not under the signed head");
    assert_found(&bundle, &no_way, flipped(&in_batches("path/0"), 3));
    assert_found(&bundle, &no_way, removed(&in_batches("path"), 0));
    let missing = format!("batch {number} is missing");
    assert_found(&bundle, &missing, removed("/proof/batches", index));
    assert_found(
        &bundle,
        "batch 1, which opened the link, is missing",
        removed("/proof/batches", 0),
    );
    assert_found(&bundle, "it is not in its order", |changed| {
        let list = changed
            .pointer_mut("/proof/batches")
            .and_then(Value::as_array_mut);
        list.expect("batches").swap(index, index - 1);
    });
    assert_found(
        &bundle,
        "proof.batches[0].bytes: ",
        set("/proof/batches/0/bytes", json!("01zz")),
    );
    assert_found(
        &bundle,
        "proof.batches[0].chain_hash: not 32 bytes",
        set("/proof/batches/0/chain_hash", json!("01")),
    );
    for head in ["link", "house"] {
        let signature = format!("/proof/{head}_head/signature");
        let expected = format!("the head of the {head} has no valid signature");
        assert_found(&bundle, &expected, flipped(&signature, 7));
    }
    assert_found(
        &bundle,
        "of the house's chain: its content or its predecessor differs from its hash",
        flipped("/proof/entries/0/body", 20),
    );
    assert_found(
        &bundle,
        "of the house's chain: it is not under the signed head",
        flipped("/proof/entries/0/path/0", 3),
    );
    let entries = bundle["proof"]["entries"].as_array().expect("entries");
    let of_key = entries.iter().position(|entry| entry["kind"] == 6);
    let of_key = of_key.expect("the entry of the key");
    assert_found(
        &bundle,
        "which the house's chain does not introduce",
        removed("/proof/entries", of_key),
    );
    let of_paytable = entries.iter().position(|entry| entry["kind"] == 4);
    let of_paytable = of_paytable.expect("the entry of the paytable");
    assert_found(
        &bundle,
        "configuration.paytable_entry: the file has",
        removed("/proof/entries", of_paytable),
    );
    house.end().await;
}
