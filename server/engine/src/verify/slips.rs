//! The rows of slips and reprints, as facts that the house's chain has to have, and their numbers.

use meterhouse_journal::house::HouseFact;
use meterhouse_store::{SLIPS_MAX, Store, StoreError};

/// The rows of slips and reprints.
pub(super) struct SlipRows {
    /// Number of slips.
    pub(super) slips: u64,
    /// Rows, each with the words that name it.
    pub(super) rows: Vec<(String, HouseFact)>,
    /// Gaps of the numbers.
    pub(super) findings: Vec<String>,
}

/// Reads the slips with their reprints. Slips that are made meanwhile are entries of the chain's second part.
pub(super) async fn slip_rows(store: &Store) -> Result<SlipRows, StoreError> {
    let mut read = SlipRows {
        slips: 0,
        rows: Vec::new(),
        findings: Vec::new(),
    };
    // Read before the slips, so that it is not ahead of them.
    let counted = store.counted_slips().await?;
    let mut last = 0;
    loop {
        let page = store.slips(last, (None, None), SLIPS_MAX).await?;
        let is_last = page.len() < SLIPS_MAX;
        for slip in page {
            let missing = last + 1..slip.number;
            if missing.start < missing.end {
                read.findings.push(match missing.end - missing.start {
                    1 => format!("slip: number {} is missing", missing.start),
                    _ => format!(
                        "slip: the numbers {} to {} are missing",
                        missing.start,
                        missing.end - 1
                    ),
                });
            }
            last = slip.number;
            read.slips += 1;
            let place = format!("slip: {last}");
            read.rows.push((place, HouseFact::Slip(Box::new(slip))));
        }
        if is_last {
            break;
        }
    }
    if last < counted {
        read.findings.push(format!(
            "slip: the newest is {last}, and {counted} were counted"
        ));
    }
    let mut last = (0, 0);
    loop {
        let page = store.all_reprints(last).await?;
        let is_last = page.len() < SLIPS_MAX;
        for reprint in page {
            let (number, count) = (reprint.number, reprint.reprint);
            let expected = if number == last.0 { last.1 + 1 } else { 1 };
            if count != expected {
                read.findings.push(format!(
                    "slip: reprint {expected} of slip {number} is missing"
                ));
            }
            last = (number, count);
            let place = format!("slip_reprint: {count} of slip {number}");
            let fact = HouseFact::SlipReprint(Box::new(reprint));
            read.rows.push((place, fact));
        }
        if is_last {
            return Ok(read);
        }
    }
}
