//! What `meterhouse archive` refuses: other roles, months that are not over, in another order, or with open hits.

use meterhouse_store::Month;

use super::{Played, archive_as};

/// The server's role may look, and archive nothing.
#[tokio::test]
async fn the_servers_role_archives_nothing() {
    let played = Played::begin().await;
    let application = &played.house.database.application;
    drop(archive_as(application, &["list"]).await.with_code(0));
    let (month, files) = (
        played.month.to_string(),
        played.files.path().display().to_string(),
    );
    for step in [
        ["write", "--month", &month, "--to", &files],
        ["detach", "--month", &month, "--from", &files],
        ["drop", "--month", &month, "--from", &files],
    ] {
        let refused = archive_as(application, &step).await.with_code(4);
        drop(refused.with_error("may not become meterhouse_owner"));
    }
    for sql in [
        "INSERT INTO archived_period VALUES (24000, 1, sha256(''), 1, 1, 1, 1)",
        "DELETE FROM archived_state",
    ] {
        played
            .house
            .database
            .run_as_application(sql)
            .await
            .unwrap_err();
    }
    let owner = "DELETE FROM archived_period";
    drop(played.write().await.with_code(0));
    let refused = played
        .house
        .database
        .run_as_superuser(owner)
        .await
        .unwrap_err();
    assert!(refused.to_string().contains("append-only"), "{refused}");
    assert!(!played.files.path().join("x").exists());
    played.end().await;
}

/// A month that is not over, one without events, one before its predecessor, and steps in another order.
#[tokio::test]
async fn months_that_may_not_leave_stay() {
    let played = Played::begin().await;
    let files = played.files.path().display().to_string();
    let write = async |month: Month| {
        let month = month.to_string();
        played
            .archive(&["write", "--month", &month, "--to", &files])
            .await
            .with_code(3)
    };
    let current = write(Month(played.month.0 + 1)).await;
    drop(current.with_error("events may still be written into"));
    let empty = write(Month(played.month.0 - 1)).await;
    drop(empty.with_error("has no events"));
    let usage = played
        .archive(&["write", "--month", "2026-8", "--to", &files])
        .await;
    drop(usage.with_code(2));
    for (step, sentence) in [("detach", "is not archived"), ("drop", "is not archived")] {
        drop(
            played
                .step(step, "--from")
                .await
                .with_code(3)
                .with_error(sentence),
        );
    }
    let nowhere = [
        "write",
        "--month",
        &played.month.to_string(),
        "--to",
        "/nowhere/at/all",
    ];
    drop(played.archive(&nowhere).await.with_code(3));
    played.end().await;
}

/// The second of two months is written and detached after the first.
#[tokio::test]
async fn two_months_leave_in_their_order() {
    let played = Played::begin().await;
    let files = played.files.path().display().to_string();
    played.dealers[0].rounds(1, &[1]).await;
    played.next_month(2).await;
    let month = Month(played.month.0 + 1).to_string();
    let write = ["write", "--month", &month, "--to", &files];
    let early = played.archive(&write).await.with_code(3);
    drop(early.with_error("months are archived in their order"));
    drop(played.write().await.with_code(0));
    drop(
        played
            .step("drop", "--from")
            .await
            .with_code(3)
            .with_error("is not detached"),
    );
    drop(played.archive(&write).await.with_code(0));
    let early = played
        .archive(&["detach", "--month", &month, "--from", &files])
        .await;
    drop(
        early
            .with_code(3)
            .with_error("months are detached in their order"),
    );
    drop(played.detach().await.with_code(0));
    let done = played
        .archive(&["detach", "--month", &month, "--from", &files])
        .await;
    drop(done.with_code(0));
    let agrees = played.verify_all().await.with_code(0);
    let both = format!("from the files of {}, {month}", played.month);
    assert!(agrees.stdout.contains(&both), "{}", agrees.stdout);
    played.dealers[0].rounds(1, &[1]).await;
    played.end().await;
}

/// A hit of the month that is still open is decided and paid first.
#[tokio::test]
async fn a_month_with_an_open_hit_stays() {
    let played = Played::begin().await;
    let open = "UPDATE hit SET state = 3 WHERE sequence = 142";
    assert_eq!(played.house.database.tamper(open).await, 1);
    let refused = played.write().await.with_code(3);
    drop(refused.with_error("hit T1.142 of"));
    assert!(!played.file().exists());
    played.end().await;
}
