//! `meterhouse verify`: the result names the compared events, and the way of comparison.

use meterhouse_domain::RULE_VERSION;
use meterhouse_tests::{Database, FIVE_CARD_A, House};
use sqlx::ConnectOptions as _;

use crate::program::{PROGRAM, ProgramOutput, command, run_to_end};

/// Runs `verify` on a database.
async fn verify(database: &Database, arguments: &[&str]) -> ProgramOutput {
    let url = database.application.to_url_lossy().to_string();
    let mut program = command(PROGRAM);
    program.arg("verify").args(arguments);
    program.env("DATABASE_URL", url);
    run_to_end(program).await
}

/// Starts a server with a link, a table and one round.
async fn played_house() -> House {
    let (house, dealers) = House::playing(FIVE_CARD_A, &["T1"]).await;
    for dealer in &dealers {
        dealer.rounds(1, &[1, 2]).await;
    }
    house
}

/// Every event of this rule version is decided again. With `--apply-only` no event is, and the result names the batches.
#[tokio::test]
async fn the_result_counts_decided_and_applied_events() {
    let house = played_house().await;
    let whole = verify(&house.database, &[]).await.with_code(0);
    let counted =
        "link main: 5 batches, 5 events (0 refusals, 5 decided again, 0 only applied), 0 hits";
    assert!(whole.stdout.contains(counted), "{}", whole.stdout);
    let applied = verify(&house.database, &["--apply-only"])
        .await
        .with_code(0);
    for part in [
        "(0 refusals, 0 decided again, 5 only applied)",
        "only applied: 5 events of batches 1 to 5, as --apply-only asks",
    ] {
        assert!(applied.stdout.contains(part), "{}", applied.stdout);
    }
    house.end().await;
}

/// Events of an older rule version are only applied, and the result names their batches.
#[tokio::test]
async fn an_older_rule_version_is_named() {
    let house = played_house().await;
    let older = RULE_VERSION - 1;
    // The chain covers the rule version, so the result also has a difference.
    let change = format!("UPDATE batch SET rule_version = {older} WHERE batch <= 3");
    assert_eq!(house.database.tamper(&change).await, 3);
    let found = verify(&house.database, &[]).await.with_code(1);
    let expected = format!(
        "only applied: 3 events of batches 1 to 3, decided by rule version {older}, and this program has {RULE_VERSION}"
    );
    assert!(found.stdout.contains(&expected), "{}", found.stdout);
    assert!(
        found.stdout.contains("2 decided again, 3 only applied"),
        "{}",
        found.stdout
    );
    house.server.stop().await;
}

/// Each of these fails: a link without batches, batches without a link, a link without a head, and a missing table.
#[tokio::test]
async fn a_missing_journal_fails() {
    let house = played_house().await;
    for (change, expected) in [
        (
            "DELETE FROM link_head",
            "DIFFERS link_head: its row is missing",
        ),
        (
            "DELETE FROM batch; DELETE FROM event",
            "DIFFERS the journal is empty",
        ),
    ] {
        house.database.tamper(change).await;
        let found = verify(&house.database, &[]).await.with_code(1);
        assert!(found.stdout.contains(expected), "{}", found.stdout);
    }
    house.server.stop().await;

    let house = played_house().await;
    house.database.tamper("DELETE FROM link").await;
    let found = verify(&house.database, &[]).await.with_code(1);
    let expected = "DIFFERS link: number 1 has a journal and no row that names it";
    assert!(found.stdout.contains(expected), "{}", found.stdout);
    house.database.tamper("DROP TABLE batch CASCADE").await;
    drop(
        verify(&house.database, &[])
            .await
            .with_code(4)
            .with_error("could not read the journal"),
    );
    house.server.stop().await;
}

/// A database without links has its own sentence and exit code.
#[tokio::test]
async fn without_links_nothing_was_verified() {
    let database = Database::new().await;
    drop(
        verify(&database, &[])
            .await
            .with_code(6)
            .with_error("this database has no links, so nothing was verified"),
    );
    drop(
        verify(&database, &["--link", "main"])
            .await
            .with_code(2)
            .with_error("there is no link main"),
    );
    let help = verify(&database, &["--help"]).await.with_code(0);
    assert!(
        help.stdout.contains("6 the database has no links"),
        "{}",
        help.stdout
    );
}
