//! The rows about logins and acts, as facts of the house's chain.

use meterhouse_domain::ids::{ActorId, Timestamp};
use meterhouse_journal::house::HouseFact;
use meterhouse_store::{ACTS_MAX, HOUSE_PAGE_MAX, LoginTable, Store, StoreError};

/// Reads the rows of a table about logins, each with the words that name it.
pub(super) async fn logins(
    store: &Store,
    table: LoginTable,
    rows: &mut Vec<(String, HouseFact)>,
) -> Result<(), StoreError> {
    let mut after = (ActorId(i32::MIN), Timestamp(i64::MIN));
    loop {
        let page = store.house_logins(table, after).await?;
        let is_last = page.len() < HOUSE_PAGE_MAX;
        for (place, fact) in page {
            after = place;
            rows.push((format!("{}: one of actor {}", table.name(), place.0), fact));
        }
        if is_last {
            return Ok(());
        }
    }
}

/// Reads the acts, and returns their number.
pub(super) async fn acts(
    store: &Store,
    rows: &mut Vec<(String, HouseFact)>,
) -> Result<u64, StoreError> {
    let (mut after, mut count) = (0, 0);
    loop {
        let page = store.house_acts(after).await?;
        let is_last = page.len() < ACTS_MAX;
        for (number, fact) in page {
            after = number;
            count += 1;
            rows.push((format!("act: {number}"), fact));
        }
        if is_last {
            return Ok(count);
        }
    }
}
