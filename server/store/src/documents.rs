//! Documents of payouts: one number belongs to one hit.
//!
//! # Limits
//! A claim counts for [`DOCUMENT_CLAIM_WAIT`].
//!
//! # Order and locking
//! A hit claims the number before it is recorded, and looks for the number among payouts and claims afterwards, by one
//! statement. So it sees the claim of another hit, or the payout that ended it.

use std::time::Duration;

use meterhouse_domain::ids::{HitId, LinkId, Sequence, TableNo};
use sqlx::Postgres;
use sqlx::postgres::{PgArguments, PgRow};
use sqlx::query::Query;

use crate::error::StoreError;
use crate::numbers::to_bigint;
use crate::rows::RowReader;
use crate::sql::document::{CLAIM_DOCUMENT, HIT_OF_DOCUMENT, RELEASE_DOCUMENT};
use crate::sql::statement::Statement;
use crate::store::Store;

/// Longest time in which a claimed number may still be recorded: longer than any statement takes. A node that dies leaves
/// its claim for this long.
const DOCUMENT_CLAIM_WAIT: Duration = Duration::from_mins(1);

impl Store {
    /// Claims a document's number for a payout of a hit. Returns the hit that has it instead, with the name of its table.
    ///
    /// # Errors
    /// If a query fails.
    pub async fn claim_document(
        &self,
        document: &str,
        hit: (LinkId, HitId),
    ) -> Result<Option<(String, HitId)>, StoreError> {
        let claim = about(CLAIM_DOCUMENT, document, hit).bind(DOCUMENT_CLAIM_WAIT.as_secs_f64());
        let is_claimed = self.inner.run(CLAIM_DOCUMENT, claim).await? == 1;
        let find = about(HIT_OF_DOCUMENT, document, hit);
        let other = self.inner.row(HIT_OF_DOCUMENT, find).await?;
        let other = other.as_ref().map(named).transpose()?;
        match (is_claimed, &other) {
            (true, Some(_)) => self.release_document(document, hit).await?,
            // The other claim has ended without a payout.
            (false, None) => {
                return Err(StoreError::Contended {
                    name: CLAIM_DOCUMENT.name,
                    attempts: 1,
                });
            }
            (true, None) | (false, Some(_)) => {}
        }
        Ok(other)
    }

    /// Ends the claim of a hit, once its payout has the document or is refused.
    ///
    /// # Errors
    /// If the query fails.
    pub async fn release_document(
        &self,
        document: &str,
        hit: (LinkId, HitId),
    ) -> Result<(), StoreError> {
        let release = about(RELEASE_DOCUMENT, document, hit);
        self.inner.run(RELEASE_DOCUMENT, release).await.map(drop)
    }
}

/// Returns a statement about a document and a hit.
fn about(
    statement: Statement,
    document: &str,
    (link, hit): (LinkId, HitId),
) -> Query<'static, Postgres, PgArguments> {
    sqlx::query(statement.sql)
        .bind(document.to_owned())
        .bind(link.0)
        .bind(hit.table.0.cast_signed())
        .bind(to_bigint(hit.sequence.0))
        .bind(i16::from(hit.number))
}

fn named(row: &PgRow) -> Result<(String, HitId), StoreError> {
    let row = RowReader::new(HIT_OF_DOCUMENT, "payout", row);
    let hit = HitId {
        table: TableNo(row.number::<u32, i32>("table_no")?),
        sequence: Sequence(row.number::<u64, i64>("sequence")?),
        number: row.number::<u8, i16>("hit_number")?,
    };
    Ok((row.get("table_name")?, hit))
}
