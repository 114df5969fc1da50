//! A statement, and the macros that write statements.

use sqlx::postgres::{PgArguments, Postgres};
use sqlx::query::Query;

use crate::error::StoreError;

/// A statement with its arguments. Each argument is encoded when it is bound.
pub(crate) type Bound<'q> = Query<'q, Postgres, PgArguments>;

/// A statement with its name.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Statement {
    /// Name, `module.verb`, which is also the comment at the start of the text.
    pub name: &'static str,
    /// Text of the statement.
    pub sql: &'static str,
}

impl Statement {
    /// Returns a function that names the failed statement in an error.
    pub(crate) fn failed(self) -> impl FnOnce(sqlx::Error) -> StoreError {
        move |source| StoreError::Statement {
            name: self.name,
            source,
        }
    }
}

/// An extension of driver results that names the failed statement.
pub(crate) trait ResultExt<T> {
    /// Names the statement in the error.
    fn in_statement(self, statement: Statement) -> Result<T, StoreError>;
}

impl<T> ResultExt<T> for Result<T, sqlx::Error> {
    fn in_statement(self, statement: Statement) -> Result<T, StoreError> {
        self.map_err(statement.failed())
    }
}

/// Defines a module's statements: a constant each, and their list.
macro_rules! statements {
    ($($(#[$doc:meta])* $constant:ident = $name:literal, $sql:expr;)+) => {
        $(
            $(#[$doc])*
            pub(crate) const $constant: $crate::sql::statement::Statement = $crate::sql::statement::Statement {
                name: $name,
                sql: concat!("/* ", $name, " */ ", $sql),
            };
        )+
        /// All statements of this module.
        pub(crate) const LIST: &[$crate::sql::statement::Statement] = &[$($constant),+];
    };
}
pub(crate) use statements;

/// Returns the periods of the batches from `$2` up to `$through`, for a `LATERAL` that reads each
/// period by itself. The range begins at the link's first batch if there is no batch `$2`, and ends
/// at the head if there is no last batch.
macro_rules! periods_from_2_to {
    ($through:literal) => {
        concat!(
            "generate_series(
    COALESCE((SELECT period FROM batch WHERE link_id = $1 AND batch = $2),
             (SELECT period FROM batch WHERE link_id = $1 ORDER BY batch LIMIT 1)),
    COALESCE((SELECT period FROM batch WHERE link_id = $1 AND batch = ",
            $through,
            "),
             (SELECT period FROM link_head WHERE link_id = $1))) AS stretch(period)"
        )
    };
}
pub(crate) use periods_from_2_to;

/// Returns the balances of a `head`, whose batch is `last`. A compact head has none of its own.
macro_rules! balances_of_head {
    () => {
        "array_replace((COALESCE(NULLIF(head.balances, '{}'), last.after, '{}'))[:], NULL, 0) AS balances"
    };
}
pub(crate) use balances_of_head;

/// Joins the time `b.at` to each event `e`, one lookup per event: with a plain join, Postgres reads
/// every batch of the link for a page of events.
macro_rules! time_of_e {
    () => {
        "CROSS JOIN LATERAL (
  SELECT at FROM batch WHERE link_id = e.link_id AND batch = e.batch OFFSET 0
) AS b"
    };
}
pub(crate) use time_of_e;
