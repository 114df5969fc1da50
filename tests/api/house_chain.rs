//! The house's hash chain: `verify` compares the rows of people, tokens and paytables with it.

use meterhouse_engine::verify::{HouseReport, verify_house};
use meterhouse_tests::{FIVE_CARD_C, House};
use sqlx::Row as _;

async fn verified(house: &House) -> HouseReport {
    let report = verify_house(&house.server.store).await;
    report.expect("the chain can be read")
}

/// Does it, looks whether `verify` names `place`, undoes it.
async fn is_found(house: &House, place: &str, change: &str, back: &str) {
    assert!(
        house.database.tamper(change).await > 0,
        "nothing changed: {change}"
    );
    let findings = verified(house).await.findings;
    assert!(
        findings.iter().any(|what| what.contains(place)),
        "{change}: {findings:?}"
    );
    house.database.tamper(back).await;
    assert_eq!(
        verified(house).await.findings,
        Vec::<String>::new(),
        "after {back}"
    );
}

/// CONFORMANCE 57: who people are, what their tokens are and what a link was opened with can't be changed unnoticed.
#[tokio::test]
async fn changed_people_tokens_and_paytables_are_named() {
    let (house, _dealers) = House::playing(FIVE_CARD_C, &["T1"]).await;
    drop(house.of_department("pat", "manager", "tables").await);
    drop(house.of_department("gil", "supervisor", "security").await);
    let gil = house
        .server
        .store
        .revoke_tokens("gil", meterhouse_engine::clock::now())
        .await;
    assert_eq!(gil.expect("it is written"), 1);
    let report = verified(&house).await;
    assert_eq!(report.findings, Vec::<String>::new());
    // The server itself, the manager with two tokens, the controller, pat and gil, whose token is ended.
    assert_eq!((report.actors, report.tokens, report.paytables), (5, 5, 1));
    // Five tokens were made, and three requests of the manager: the link, its first values, the table.
    assert_eq!(report.acts, 5 + 3);
    assert_eq!(report.entries, 5 + 5 + 1 + 1 + report.acts);
    let swap = |column: &str, one: &str, other: &str| {
        let set = |to: &str, from: &str| {
            format!("UPDATE actor SET {column} = '{to}' WHERE name = 'gil' AND {column} = '{from}'")
        };
        (set(other, one), set(one, other))
    };
    for (column, one, other) in [
        ("role", "supervisor", "manager"),
        ("department", "security", "tables"),
    ] {
        let (change, back) = swap(column, one, other);
        is_found(&house, "actor: gil", &change, &back).await;
    }
    let change = "UPDATE actor SET name = 'gal' WHERE name = 'gil'";
    is_found(
        &house,
        "actor: gal",
        change,
        "UPDATE actor SET name = 'gil' WHERE name = 'gal'",
    )
    .await;
    let change = "CREATE TABLE kept AS SELECT token_hash, revoked_at FROM token WHERE revoked_at IS NOT NULL;
                  UPDATE token SET revoked_at = NULL WHERE revoked_at IS NOT NULL";
    let back = "UPDATE token SET revoked_at = kept.revoked_at FROM kept WHERE token.token_hash = kept.token_hash";
    is_found(&house, "has no such row", change, back).await;
    let change = "CREATE TABLE owners AS SELECT token_hash, actor_id FROM token; UPDATE token SET actor_id = 1";
    let back = "UPDATE token SET actor_id = owners.actor_id FROM owners WHERE token.token_hash = owners.token_hash";
    is_found(&house, "token: ", change, back).await;
    let bit = "UPDATE paytable SET document = set_byte(document, 5, get_byte(document, 5) # 1)";
    is_found(&house, "paytable: ", bit, bit).await;
    let bit =
        "UPDATE house_chain SET body = set_byte(body, 9, get_byte(body, 9) # 1) WHERE number = 2";
    is_found(&house, "entry 2", bit, bit).await;
    let add = "INSERT INTO actor (name, role, created_at) VALUES ('eve', 'manager', 1)";
    is_found(
        &house,
        "actor: eve",
        add,
        "DELETE FROM actor WHERE name = 'eve'",
    )
    .await;
    let cut = "CREATE TABLE cut AS SELECT * FROM house_chain WHERE number = 4; DELETE FROM house_chain WHERE number = 4";
    is_found(
        &house,
        "entry 4 is missing",
        cut,
        "INSERT INTO house_chain SELECT * FROM cut",
    )
    .await;
    house.end().await;
}

/// The rights of a person who has fewer than the role are chained: rights that are taken away, added or left out show.
#[tokio::test]
async fn changed_rights_are_named() {
    let (house, _dealers) = House::playing(FIVE_CARD_C, &["T1"]).await;
    drop(house.with_rights("cash", "supervisor", "pay").await);
    assert_eq!(verified(&house).await.findings, Vec::<String>::new());
    let back = "UPDATE actor SET rights = 'pay' WHERE name = 'cash'";
    for rights in ["NULL", "'validate,pay'", "'validate'"] {
        let change = format!("UPDATE actor SET rights = {rights} WHERE name = 'cash'");
        is_found(&house, "actor: cash", &change, back).await;
    }
    let change = "UPDATE actor SET rights = 'run' WHERE name = 'ana'";
    let back = "UPDATE actor SET rights = NULL WHERE name = 'ana'";
    is_found(&house, "actor: ana", change, back).await;
    house.end().await;
}

/// Nobody but a superuser changes the chain, and what was there before it is marked.
#[tokio::test]
async fn the_chain_is_append_only() {
    let house = House::open().await;
    for change in [
        "UPDATE house_chain SET at = 1",
        "DELETE FROM house_chain",
        "TRUNCATE house_chain",
    ] {
        drop(
            house
                .database
                .run_as_application(change)
                .await
                .expect_err("it has no right"),
        );
        let refused = house.database.run_as_superuser(change).await;
        let refused = refused.expect_err("the triggers refuse").to_string();
        assert!(refused.contains("append-only"), "{change}: {refused}");
    }
    let rows = house
        .database
        .rows("SELECT get_byte(body, 0), kind FROM house_chain")
        .await;
    let found: Vec<(i32, i16)> = rows.iter().map(|row| (row.get(0), row.get(1))).collect();
    assert_eq!(
        found,
        [(1, 1)],
        "the server itself, from the migration before"
    );
    house.end().await;
}

/// Tokens made at once stand one after another in the chain.
#[tokio::test]
async fn tokens_made_at_once_are_all_chained() {
    let house = House::open().await;
    let names: Vec<String> = (0..16).map(|number| format!("p{number}")).collect();
    let made = names
        .iter()
        .map(|name| house.token(name, "auditor", None, None));
    drop(futures_util::future::join_all(made).await);
    let report = verified(&house).await;
    assert_eq!(report.findings, Vec::<String>::new());
    assert_eq!((report.actors, report.tokens, report.acts), (17, 16, 16));
    assert_eq!(report.entries, 17 + 16 + 16);
    house.end().await;
}

/// A database that is older than the chain: the migration chains what is there, each entry marked, and the chain goes on.
#[tokio::test]
async fn what_was_there_before_is_chained_and_marked() {
    let (house, _dealers) = House::playing(FIVE_CARD_C, &["T1"]).await;
    drop(house.token("d-1", "display", None, Some("main")).await);
    let now = meterhouse_engine::clock::now();
    let ended = house.server.store.revoke_tokens("d-1", now).await;
    assert_eq!(ended.expect("it is written"), 1);
    let whole = verified(&house).await;
    let before = whole.entries - whole.acts;
    let back =
        "DROP TABLE house_chain; DELETE FROM act; DELETE FROM _sqlx_migrations WHERE version = 20261123124500;
                UPDATE token SET expires_at = 1 WHERE revoked_at IS NOT NULL";
    assert!(house.database.tamper(back).await > 0);
    let migrated = meterhouse_store::migrate(&house.database.superuser).await;
    assert_eq!(migrated.expect("it migrates").applied, [20_261_123_124_500]);
    let report = verified(&house).await;
    assert_eq!(report.findings, Vec::<String>::new());
    assert_eq!(report.entries, before);
    drop(house.token("d-2", "display", None, Some("main")).await);
    assert_eq!(verified(&house).await.findings, Vec::<String>::new());
    let marked = "SELECT number FROM house_chain WHERE get_byte(body, 0) = 1";
    let marked = house.database.rows(marked).await.len();
    assert_eq!(u64::try_from(marked), Ok(before));
    house.end().await;
}
