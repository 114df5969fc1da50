//! Reports of a link with eight shares: the columns of a coin-in hold four of them, its record the others.

use meterhouse_tests::{Answer, Dealer, FOUR_LEVELS, House};
use serde_json::json;

/// Two tables, a void round, and two hits of the last level in rounds that are still open: 21 wagers, 2 of them void.
async fn playing() -> (House, Vec<Dealer>) {
    let (house, dealers) = House::playing(FOUR_LEVELS, &["T1", "T2"]).await;
    let [t1, t2] = &dealers[..] else {
        panic!("two tables")
    };
    // A record with a badge and a player in front of the amounts.
    let named = json!({"by": "dana", "command": "coin_in", "dealt": [1, 2, 3], "wagers": [
        {"seat": 1, "amount": "1.00", "player": "p-1"}, {"seat": 2, "amount": "1.00"}, {"seat": 3, "amount": "1.00"}]});
    drop(t1.send(&named).await.created());
    t2.rounds(2, &[1, 2, 3, 4, 5]).await;
    drop(t2.coin_in(&[1, 2]).await.created());
    drop(t2.void("misdeal").await.created());
    drop(t1.hit_unseen(3, "full-house").await.created());
    drop(t2.coin_in(&[1, 2, 3, 4, 5, 6]).await.created());
    drop(t2.hit_unseen(6, "full-house").await.created());
    (house, dealers)
}

async fn report(house: &House, path: &str) -> Answer {
    let aud = house.person("aud", "auditor").await;
    aud.get(path).await.is(200)
}

/// CONFORMANCE 61, with a round open: each level's books agree to the micro-dollar, and so do those of the link once its
/// tables are quiet.
#[tokio::test]
async fn the_books_agree() {
    let (house, dealers) = playing().await;
    let level = |opening: &str, contributions: &str, house: &str, closing: &str, pending: &str| {
        json!({"opening": opening, "contributions": contributions, "house": house, "paid": "0.00", "adjustments": "0.00",
            "closing": closing, "pending": pending, "difference": "0.00"})
    };
    let books = report(&house, "/v1/links/main/reconciliation").await;
    assert_eq!(books["balanced"], true, "{}", books.text);
    for (place, mut expected) in [
        level("0.00", "2.09", "10000.00", "10002.09", "0.00"),
        level("0.00", "1.615", "1000.00", "1001.615", "0.00"),
        level("0.00", "0.76", "250.00", "250.76", "0.00"),
        level("0.00", "0.475", "65.00", "65.475", "45.44"),
    ]
    .into_iter()
    .enumerate()
    {
        expected["level"] = json!(["grand", "major", "minor", "mini"][place]);
        assert_eq!(books["levels"][place], expected);
    }
    let sam = house.supervisor("sam").await;
    sam.settles("T1.2", 1).await;
    sam.settles(&dealers[1].named(dealers[1].next() - 1), 1)
        .await;
    for dealer in &dealers {
        drop(dealer.close().await.created());
    }
    house.end().await;
}

/// CONFORMANCE 57: how the amount of the level arose whose shares no column holds.
#[tokio::test]
async fn how_an_amount_arose() {
    let (house, _dealers) = playing().await;
    let first = report(&house, "/v1/hits/T1.2/payoff").await;
    let tables = json!([{"table": "T1", "wagers": 3, "amount": "0.06"},
        {"table": "T2", "wagers": 12, "amount": "0.24"}]);
    assert_eq!(first["contributions"], tables);
    for (member, expected) in [
        ("level", "mini"),
        ("opening", "25.00"),
        ("before", "25.26"),
        ("due", "25.26"),
        ("after", "20.065"),
        ("difference", "0.00"),
    ] {
        assert_eq!(first.text(member), expected, "{member}");
    }
    assert_eq!(first["entries"][0]["amount"], "-0.04");
    let second = report(&house, "/v1/hits/T2.8/payoff").await;
    let tables = json!([{"table": "T2", "wagers": 6, "amount": "0.12"}]);
    assert_eq!(second["contributions"], tables);
    for (member, expected) in [
        ("since_hit", "T1.2"),
        ("opening", "20.065"),
        ("before", "20.185"),
        ("due", "20.18"),
        ("difference", "0.00"),
    ] {
        assert_eq!(second.text(member), expected, "{member}");
    }
    house.end().await;
}

/// CONFORMANCE 60: each of eight shares is compared with the number of the wagers; one that a coin-in took too little of
/// shows, also where it stands in the record. The journal is read in pages: here there are more coin-ins than in one.
#[tokio::test]
async fn the_coin_in_test() {
    let (house, _dealers) = playing().await;
    let pools = async || {
        let variance = report(&house, "/v1/links/main/variance").await;
        let pools = variance["pools"].as_array().expect("pools").clone();
        let pools = pools.into_iter().map(|pool| {
            let text = |member: &str| pool[member].as_str().expect("a text").to_owned();
            [
                text("level"),
                text("share"),
                text("booked"),
                text("variance"),
            ]
            .join(" ")
        });
        pools.collect::<Vec<_>>()
    };
    let well = [
        "grand 0.09 1.89 0.00",
        "grand 0.02 0.42 0.00",
        "major 0.07 1.47 0.00",
        "major 0.015 0.315 0.00",
        "minor 0.03 0.63 0.00",
        "minor 0.01 0.21 0.00",
        "mini 0.02 0.42 0.00",
        "mini 0.005 0.105 0.00",
    ];
    assert_eq!(pools().await, well);
    let meters = report(&house, "/v1/links/main/lifetime").await;
    assert_eq!(
        meters["pools"][7],
        json!({"level": "mini", "account": "reserve", "contributed": "0.105", "voided": "0.01"})
    );
    // The first coin-in, of three wagers, 11,000 times more; and once more with a dollar of the last share missing.
    let again = "INSERT INTO event SELECT (jsonb_populate_record(e, jsonb_build_object('position', 1000 + n))).*
        FROM event AS e, generate_series(1, 11000) AS n WHERE kind = 1 AND table_no = 1";
    assert_eq!(house.database.tamper(again).await, 11_000);
    let more = pools().await;
    assert_eq!(more[0], "grand 0.09 2971.89 0.00");
    assert_eq!(more[7], "mini 0.005 165.105 0.00");
    // 15,000 micro-dollars of the mini's reserve, the last amount of the record, become none.
    let less = "UPDATE event SET record = overlay(record PLACING '\\x0000000000000000'::bytea FROM
            position('\\x0000000000003a98'::bytea IN record)) WHERE kind = 1 AND position = 12000";
    assert_eq!(house.database.tamper(less).await, 1);
    assert_eq!(pools().await[7], "mini 0.005 165.09 -0.015");
    house.server.stop().await;
}

/// The journal keeps four shares in columns and the others in the record, as it did for links that are open.
#[tokio::test]
async fn what_the_columns_hold() {
    let (house, _dealers) = playing().await;
    let asked = "SELECT concat_ws(' ', i1, i2, i3, i4, record IS NOT NULL) AS row FROM event
        WHERE kind = 1 ORDER BY batch, position LIMIT 1";
    let rows = house.database.rows(asked).await;
    let row: String = sqlx::Row::get(rows.first().expect("a coin-in"), "row");
    assert_eq!(row, "270000 60000 210000 45000 t");
    house.end().await;
}

/// The hands that take a percentage of each level, those that take all of it first; in the list as in one link.
#[tokio::test]
async fn the_hands_of_a_level() {
    let (house, _dealers) = playing().await;
    let (all, percents) = (json!(100), |level: &serde_json::Value| {
        let hands = level["hands"].as_array().expect("hands");
        hands
            .iter()
            .map(|hand| hand["percent"].clone())
            .collect::<Vec<_>>()
    });
    let link = house.nobody().get("/v1/links/main").await.is(200);
    let links = house.nobody().get("/v1/links").await.is(200);
    assert_eq!(links["links"][0]["levels"], link["levels"]);
    let levels = link["levels"].as_array().expect("levels");
    assert_eq!(
        levels[0]["hands"][0],
        json!({"hand": "royal-flush", "percent": 100})
    );
    for level in levels {
        assert_eq!(percents(level).first(), Some(&all), "{level}");
    }
    house.end().await;
}
