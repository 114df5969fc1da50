//! The contributions of coin-ins in a range of the journal, summed by table and share.
//!
//! # Shape
//! The database sums the shares that have columns. On a link with more shares, the records of coin-ins contain the
//! remaining amounts, which are read in pages and added here.
//!
//! # Limits
//! One page of [`WIDE_COIN_INS_MAX`] records in memory at a time.

use meterhouse_domain::event::Event;
use meterhouse_domain::ids::{LinkId, TableNo};
use meterhouse_domain::link::SHARES_MAX;
use meterhouse_journal::batch::NUMBERS;
use meterhouse_journal::position::Position;
use meterhouse_store::{Store, TableContributions, WIDE_COIN_INS_MAX};

use crate::answer::{NotExecuted, damaged, unavailable};
use crate::reports::sums::too_much;
use crate::stored_rows::event_of;

/// The sums of one table.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Contributions {
    pub(crate) table: TableNo,
    /// The wagers of its coin-ins, on players' own hands and on the dealer's.
    pub(crate) wagers: u64,
    /// The sum of each share, in micro-dollars and in the link's order.
    pub(crate) added: [i64; SHARES_MAX],
}

/// Sums the coin-ins of a link with this number of shares, after one position up to another, by table number.
pub(crate) async fn contributions(
    store: &Store,
    link: LinkId,
    shares: usize,
    after: Position,
    through: Position,
) -> Result<Vec<Contributions>, NotExecuted> {
    let counted = store.contributions(link, after, through).await;
    let counted = counted.map_err(unavailable)?;
    let mut sums: Vec<Contributions> = counted.iter().map(of_columns).collect();
    if shares > NUMBERS {
        add_records(store, link, (after, through), &mut sums).await?;
    }
    Ok(sums)
}

/// Sums one share over all tables. Returns `None` if the sum leaves the range of money.
pub(crate) fn of_share(sums: &[Contributions], share: usize) -> Option<i64> {
    let mut amounts = sums.iter().filter_map(|table| table.added.get(share));
    amounts.try_fold(0, |sum: i64, amount| sum.checked_add(*amount))
}

fn of_columns(counted: &TableContributions) -> Contributions {
    let mut added = [0; SHARES_MAX];
    for (sum, column) in added.iter_mut().zip(counted.added) {
        *sum = column;
    }
    Contributions {
        table: counted.table,
        wagers: counted.own_wagers.saturating_add(counted.dealer_wagers),
        added,
    }
}

/// Adds the amounts that only the records contain.
async fn add_records(
    store: &Store,
    link: LinkId,
    (mut after, through): (Position, Position),
    sums: &mut [Contributions],
) -> Result<(), NotExecuted> {
    loop {
        let page = store.wide_coin_ins(link, after, through, WIDE_COIN_INS_MAX);
        let page = page.await.map_err(unavailable)?;
        for happening in &page {
            let Event::CoinInAccepted(coin_in) = event_of(happening)? else {
                continue;
            };
            let table = happening.event.table.map(TableNo);
            let sum = sums.iter_mut().find(|sum| Some(sum.table) == table);
            let sum = sum.ok_or_else(|| damaged("a coin-in of no table was counted"))?;
            let amounts = sum.added.iter_mut().zip(coin_in.added.amounts());
            for (total, amount) in amounts.skip(NUMBERS) {
                *total = total.checked_add(amount.micros()).ok_or_else(too_much)?;
            }
        }
        match page.last() {
            Some(last) if page.len() == WIDE_COIN_INS_MAX => after = last.position,
            Some(_) | None => return Ok(()),
        }
    }
}
