//! `meterhouse verify`: the result tells what was compared, and how.

use meterhouse_domain::RULE_VERSION;
use meterhouse_tests::{Database, FIVE_CARD_A, House};
use sqlx::ConnectOptions as _;

use crate::program::{Ended, PROGRAM, command, ended};

/// Verifies the database of a house.
async fn verified(database: &Database, arguments: &[&str]) -> Ended {
    let url = database.application.to_url_lossy().to_string();
    let mut program = command(PROGRAM);
    program.arg("verify").args(arguments);
    program.env("DATABASE_URL", url);
    ended(program).await
}

/// A house with one round: a link that opened, a table that joined, a coin-in and a GAME OVER, in four batches.
async fn house() -> House {
    let (house, dealers) = House::playing(FIVE_CARD_A, &["T1"]).await;
    for dealer in &dealers {
        dealer.rounds(1, &[1, 2]).await;
    }
    house
}

/// Every event of this program's rules is decided again; with `--apply-only` none is, and the result says so.
#[tokio::test]
async fn the_result_counts_both_ways() {
    let house = house().await;
    let whole = verified(&house.database, &[]).await.with(0);
    let counted =
        "link main: 5 batches, 5 events (0 refusals, 5 decided again, 0 only applied), 0 hits";
    assert!(whole.stdout.contains(counted), "{}", whole.stdout);
    let applied = verified(&house.database, &["--apply-only"]).await.with(0);
    for told in [
        "(0 refusals, 0 decided again, 5 only applied)",
        "only applied: 5 events of batches 1 to 5, as --apply-only asks",
    ] {
        assert!(applied.stdout.contains(told), "{}", applied.stdout);
    }
    house.end().await;
}

/// Events of an older rule version are only applied: their batches are named.
#[tokio::test]
async fn an_older_rule_version_is_named() {
    let house = house().await;
    let older = RULE_VERSION - 1;
    // The chain covers the version: this is a journal that differs, and one that tells what was done about it.
    let change = format!("UPDATE batch SET rule_version = {older} WHERE batch <= 3");
    assert_eq!(house.database.tamper(&change).await, 3);
    let found = verified(&house.database, &[]).await.with(1);
    let told = format!(
        "only applied: 3 events of batches 1 to 3, decided by rule version {older}, and this program has {RULE_VERSION}"
    );
    assert!(found.stdout.contains(&told), "{}", found.stdout);
    assert!(
        found.stdout.contains("2 decided again, 3 only applied"),
        "{}",
        found.stdout
    );
    house.server.stop().await;
}

/// A link without its batches, batches without their link, a link without its head, and a journal without its table: each
/// fails.
#[tokio::test]
async fn a_missing_journal_fails() {
    let house = house().await;
    for (change, told) in [
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
        let found = verified(&house.database, &[]).await.with(1);
        assert!(found.stdout.contains(told), "{}", found.stdout);
    }
    house.server.stop().await;

    let house = self::house().await;
    house.database.tamper("DELETE FROM link").await;
    let found = verified(&house.database, &[]).await.with(1);
    let told = "DIFFERS link: number 1 has a journal and no row that names it";
    assert!(found.stdout.contains(told), "{}", found.stdout);
    house.database.tamper("DROP TABLE batch CASCADE").await;
    drop(
        verified(&house.database, &[])
            .await
            .with(4)
            .saying("could not read the journal"),
    );
    house.server.stop().await;
}

/// A database with a schema and without links agrees with nothing: it has a sentence and an exit code of its own.
#[tokio::test]
async fn without_links_nothing_was_verified() {
    let database = Database::new().await;
    drop(
        verified(&database, &[])
            .await
            .with(6)
            .saying("this database has no links, so nothing was verified"),
    );
    drop(
        verified(&database, &["--link", "main"])
            .await
            .with(2)
            .saying("there is no link main"),
    );
    let help = verified(&database, &["--help"]).await.with(0);
    assert!(
        help.stdout.contains("6 the database has no links"),
        "{}",
        help.stdout
    );
}
