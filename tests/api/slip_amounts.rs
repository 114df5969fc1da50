//! Slips of payouts whose amount changes.

use meterhouse_tests::eventually;
use serde_json::json;
use sqlx::postgres::PgConnection;
use sqlx::{Connection as _, Row as _};

use crate::slips::{number, with_hits};

/// A payout that got another amount gets another slip, which says which one it replaces.
#[tokio::test]
async fn another_amount_is_another_slip() {
    let (house, _dealers, sam, hits) = with_hits(&["T1", "T2"]).await;
    let both = house.two_people().await;
    let first = sam.make_slip(&hits[1], 1).await.created();
    drop(both.correct("main", &hits[0]).await);
    let told = sam.make_slip(&hits[1], 1).await;
    drop(told.problem(422, "not_validated"));
    drop(sam.approve(&hits[1]).await.created());
    let second = sam.make_slip(&hits[1], 1).await.created();
    assert_eq!((number(&second), &second["replaces"]), (2, &json!(1)));
    assert_ne!(first["amount"], second["amount"]);
    let replaced = sam.caller.get("/v1/slips/1").await.is(200);
    assert_eq!(replaced["replaced_by"], 2);
    // The slip of the withdrawn hit is not made.
    let told = sam.make_slip(&hits[0], 1).await;
    drop(told.problem(422, "not_validated"));
    house.end().await;
}

/// A slip that waits for its number while two people correct the amount says the new one, or none at all.
#[tokio::test]
async fn a_slip_that_waits_says_the_newest_amount() {
    let (house, _dealers, sam, hits) = with_hits(&["T1", "T2"]).await;
    let both = house.two_people().await;
    let first = sam.make_slip(&hits[1], 1).await.created();
    let as_owner = &house.database.superuser;
    let mut other = PgConnection::connect_with(as_owner)
        .await
        .expect("connects");
    let lock = "BEGIN; SELECT FROM slip_counter FOR UPDATE";
    sqlx::raw_sql(lock)
        .execute(&mut other)
        .await
        .expect("locks");
    let waits = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()
                 AND wait_event_type = 'Lock' AND query LIKE '%slip_counter%'";
    let waiting = async |count: i64| {
        eventually("requests wait for a slip's number", async || {
            let row = &house.database.rows(waits).await[0];
            (row.get::<i64, _>(0) == count).then_some(())
        })
        .await;
    };
    let (told, ()) = tokio::join!(sam.make_slip(&hits[1], 1), async {
        waiting(1).await;
        drop(both.correct("main", &hits[0]).await);
        sqlx::raw_sql("COMMIT")
            .execute(&mut other)
            .await
            .expect("ends");
    });
    // It was validated with the old amount, and waits for a validation of the new one.
    drop(told.problem(422, "not_validated"));
    drop(sam.approve(&hits[1]).await.created());
    let second = sam.make_slip(&hits[1], 1).await.created();
    assert_eq!((number(&second), &second["replaces"]), (2, &json!(1)));
    assert_ne!(first["amount"], second["amount"]);
    house.end().await;
}
