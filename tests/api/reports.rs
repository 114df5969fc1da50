//! Reports: lifetime meters, how an amount arose, the coin-in test, the books of a stretch, the last hits.

use meterhouse_tests::{FIVE_CARD_A, FIVE_CARD_C, HAND_BONUS, House};
use serde_json::{Value, json};

/// The journal's newest time.
async fn now(house: &House) -> String {
    let meters = house.nobody().get("/v1/links/main/meters").await.is(200);
    meters.text("at").to_owned()
}

/// CONFORMANCE 10: a win is counted once, with its amount, as paid by a person and never by the machine.
#[tokio::test]
async fn lifetime_of_a_win() {
    let (house, dealers) = House::playing(FIVE_CARD_A, &["T1"]).await;
    let [dealer] = &dealers[..] else {
        panic!("one table")
    };
    let aud = house.person("aud", "auditor").await;
    let sam = house.supervisor("sam").await;
    drop(dealer.coin_in(&[1]).await.created());
    house.set_meter("30000.00").await;
    let before = aud.get("/v1/links/main/lifetime").await.is(200);
    let royal = dealer
        .hit_unseen(1, "royal-flush")
        .await
        .created()
        .recorded_hit();
    assert_eq!(
        (royal.text("due"), royal.text("after")),
        ("30000.00", "10000.00")
    );
    sam.settles("T1.2", 1).await;
    drop(dealer.close().await.created());
    let after = aud.get("/v1/links/main/lifetime").await.is(200);
    let of =
        |lifetime: &Value, pointer: &str| lifetime.pointer(pointer).cloned().unwrap_or_default();
    for (pointer, was, is) in [
        ("/lines/0/hits", json!(0), json!(1)),
        ("/lines/0/due", json!("0.00"), json!("30000.00")),
        ("/levels/0/resets", json!(0), json!(1)),
        ("/levels/0/attendant_paid", json!("0.00"), json!("30000.00")),
        ("/levels/0/machine_paid", json!("0.00"), json!("0.00")),
        (
            "/levels/0/house_funded",
            json!("10000.00"),
            json!("20000.00"),
        ),
        (
            "/levels/0/adjusted_up",
            json!("19999.79"),
            json!("19999.79"),
        ),
        ("/pools/0/contributed", json!("0.21"), json!("0.21")),
        ("/coin_in", json!("1.00"), json!("1.00")),
    ] {
        assert_eq!(
            (of(&before.body, pointer), of(&after.body, pointer)),
            (was, is),
            "{pointer}"
        );
    }
    house.end().await;
}

/// CONFORMANCE 60: what the wagers should have added and what was booked; a shortfall above fifty dollars is flagged; once
/// two people have added it with the reason "variance" it no longer shows.
#[tokio::test]
async fn the_coin_in_test() {
    let (house, dealers) = House::playing(HAND_BONUS, &["T1"]).await;
    let [dealer] = &dealers[..] else {
        panic!("one table")
    };
    dealer.rounds(5, &[1, 2, 3, 4, 5, 6]).await;
    drop(dealer.coin_in(&[1, 2]).await.created());
    drop(dealer.void("misdeal").await.created());
    let aud = house.person("aud", "auditor").await;
    let variance = async || aud.get("/v1/links/main/variance").await.is(200);
    let well = variance().await;
    assert_eq!(
        (&well["wagers"], &well["wagers_voided"], well.text("limit")),
        (&json!(32), &json!(2), "50.00")
    );
    let pool = json!({"level": "meter", "account": "meter", "share": "0.13", "expected": "4.16", "booked": "4.16",
        "adjusted": "0.00", "variance": "0.00", "flagged": false});
    assert_eq!(well["pools"][0], pool);
    // Somebody took fifty dollars and a cent out of a coin-in.
    let change = |by: &str| {
        format!("UPDATE event SET i1 = i1 {by} 50010000 WHERE kind = 1 AND sequence = 1")
    };
    assert_eq!(house.database.tamper(&change("-")).await, 1);
    let short = variance().await;
    assert_eq!(
        (
            &short["pools"][0]["variance"],
            &short["pools"][0]["flagged"]
        ),
        (&json!("-50.01"), &json!(true))
    );
    assert_eq!(short["pools"][1]["flagged"], false);
    let both = house.two_people().await;
    let adjust = async |amount: &str, reason: &str| {
        let change = json!({"change": "adjust", "level": "meter", "account": "meter",
            "amount": amount, "reason": reason});
        both.change("main", &change).await
    };
    drop(adjust("1.00", "the sign was wrong").await);
    drop(adjust("50.01", "variance").await);
    let added = variance().await;
    let pool = json!({"level": "meter", "account": "meter", "share": "0.13", "expected": "4.16", "booked": "-45.85",
        "adjusted": "50.01", "variance": "0.00", "flagged": false});
    assert_eq!(added["pools"][0], pool);
    assert_eq!(added["pools"][1]["adjusted"], "0.00");
    let lifetime = aud.get("/v1/links/main/lifetime").await.is(200);
    assert_eq!(lifetime["levels"][0]["adjusted_up"], "51.01");
    // The coin-in was whole after all: what was added is too much now, until two people take it away again.
    house.database.tamper(&change("+")).await;
    let over = variance().await;
    assert_eq!(over["pools"][0]["variance"], "50.01", "{}", over.text);
    assert_eq!(over["pools"][0]["flagged"], true);
    drop(adjust("-50.01", "Variance: the coin-in of 3 March was whole").await);
    let house = house.restart().await;
    let aud = house.person("aud", "auditor").await;
    let again = aud.get("/v1/links/main/variance").await.is(200);
    assert_eq!(
        (
            &again["pools"][0]["adjusted"],
            &again["pools"][0]["variance"]
        ),
        (&json!("0.00"), &json!("0.00"))
    );
    house.end().await;
}

/// CONFORMANCE 59 and 61: between any two moments, also past ones, what came in, went out and is there agree to the
/// cent; each decrease is a pay or a documented adjustment.
#[tokio::test]
async fn the_books_between_moments() {
    let (house, dealers) = House::playing(FIVE_CARD_A, &["T1"]).await;
    let [dealer] = &dealers[..] else {
        panic!("one table")
    };
    let sam = house.supervisor("sam").await;
    dealer.rounds(2, &[1, 2]).await;
    let morning = now(&house).await;
    drop(dealer.coin_in(&[1]).await.created());
    drop(dealer.hit_unseen(1, "straight-flush").await.created());
    sam.settles("T1.6", 1).await;
    drop(dealer.close().await.created());
    let noon = now(&house).await;
    let both = house.two_people().await;
    drop(both.adjust("main", "meter", "meter", "-100.00").await);
    let night = now(&house).await;
    dealer.rounds(1, &[1]).await;

    let books = async |query: String| {
        let books = sam
            .caller
            .get(&format!("/v1/links/main/reconciliation{query}"))
            .await
            .is(200);
        assert_eq!(books["balanced"], true, "{}", books.text);
        books["levels"][0].clone()
    };
    let line = |opening: &str,
                contributions: &str,
                paid: &str,
                adjustments: &str,
                closing: &str| {
        json!({"level": "meter", "opening": opening, "contributions": contributions, "house": "0.00", "paid": paid,
            "adjustments": adjustments, "closing": closing, "pending": "0.00", "difference": "0.00"})
    };
    let first = books(format!("?from={morning}&to={noon}")).await;
    assert_eq!(
        first,
        line("10000.84", "0.21", "1000.10", "0.00", "9000.95")
    );
    let then = books(format!("?from={noon}&to={night}")).await;
    assert_eq!(then, line("9000.95", "0.00", "0.00", "-100.00", "8900.95"));
    let last = books(format!("?from={night}")).await;
    assert_eq!(last, line("8900.95", "0.21", "0.00", "0.00", "8901.16"));
    let whole = books(String::new()).await;
    assert_eq!(
        (&whole["house"], &whole["adjustments"]),
        (&json!("10000.00"), &json!("-100.00"))
    );
    house.end().await;
}

/// CONFORMANCE 62: the last 25 hits of a level, newest first; more if asked for.
#[tokio::test]
async fn the_last_hits_of_a_level() {
    let (house, dealers) = House::playing(FIVE_CARD_C, &["T1"]).await;
    let [dealer] = &dealers[..] else {
        panic!("one table")
    };
    drop(dealer.coin_in(&[1]).await.created());
    for _ in 0..27 {
        let hit = dealer.next();
        drop(dealer.hit_unseen(1, "four-of-a-kind").await.created());
        drop(dealer.cancel(hit).await.created());
    }
    drop(dealer.hit_unseen(1, "straight-flush").await.created());
    let aud = house.person("aud", "auditor").await;
    let orders = async |query: &str| {
        let page = aud
            .get(&format!("/v1/links/main/hits{query}"))
            .await
            .is(200);
        let hits = page["hits"].as_array().expect("hits").clone();
        let orders: Vec<u64> = hits.iter().filter_map(|it| it["order"].as_u64()).collect();
        (orders, page)
    };
    let (minor, page) = orders("?level=minor").await;
    assert_eq!(minor, (3..=27).rev().collect::<Vec<_>>());
    assert_eq!(page["more"], true);
    let next = page.text("next");
    let (rest, page) = orders(&format!("?level=minor&after={next}")).await;
    assert_eq!((rest, &page["more"]), (vec![2, 1], &json!(false)));
    assert_eq!(orders("?level=minor&limit=200").await.0.len(), 27);
    assert_eq!(orders("?level=major").await.0, [28]);
    assert_eq!(orders("?limit=2").await.0, [28, 27]);
    assert_eq!(orders("?level=mega").await.0, Vec::<u64>::new());
    drop(
        aud.get("/v1/links/second/hits")
            .await
            .problem(404, "unknown_link"),
    );
    house.end().await;
}

/// Reports are for whoever reads everything or is bound to the link; nobody else, since they hold reserves (CONFORMANCE 55).
#[tokio::test]
async fn who_reads_reports() {
    let (house, dealers) = House::playing(HAND_BONUS, &["T1"]).await;
    let [dealer] = &dealers[..] else {
        panic!("one table")
    };
    drop(dealer.coin_in(&[1]).await.created());
    drop(dealer.hit_unseen(1, "straight-flush").await.created());
    let token = house.token("bound", "auditor", None, Some("main")).await;
    let bound = house.nobody().with_token(token);
    let aud = house.person("aud", "auditor").await;
    for path in [
        "lifetime",
        "variance",
        "alterations",
        "large-wins",
        "last-hits",
        "liability",
        "reconciliation",
        "journal",
        "hits",
        "proposals",
    ] {
        let path = format!("/v1/links/main/{path}");
        drop(aud.get(&path).await.is(200));
        drop(bound.get(&path).await.is(200));
        drop(dealer.caller.get(&path).await.problem(403, "forbidden"));
        drop(
            house
                .nobody()
                .get(&path)
                .await
                .problem(401, "unauthenticated"),
        );
    }
    drop(aud.get("/v1/hits/T1.2/payoff").await.is(200));
    drop(
        dealer
            .caller
            .get("/v1/hits/T1.2/payoff")
            .await
            .problem(403, "forbidden"),
    );
    house.end().await;
}
