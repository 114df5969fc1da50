//! A statement, and the macros that write statements.

use crate::error::StoreError;

/// A statement and what it is called.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Statement {
    /// `module.verb`, the comment at its beginning.
    pub name: &'static str,
    /// Its text.
    pub sql: &'static str,
}

impl Statement {
    /// Says which statement failed.
    pub(crate) fn failed(self) -> impl FnOnce(sqlx::Error) -> StoreError {
        move |source| StoreError::Statement {
            name: self.name,
            source,
        }
    }
}

/// What a statement could not do, whichever it was.
pub(crate) trait Failed<T> {
    /// Names the statement.
    fn of(self, statement: Statement) -> Result<T, StoreError>;
}

impl<T> Failed<T> for Result<T, sqlx::Error> {
    fn of(self, statement: Statement) -> Result<T, StoreError> {
        self.map_err(statement.failed())
    }
}

/// Writes a module's statements: a constant each, and the list of them.
macro_rules! statements {
    ($($(#[$doc:meta])* $constant:ident = $name:literal, $sql:expr;)+) => {
        $(
            $(#[$doc])*
            pub(crate) const $constant: $crate::sql::statement::Statement = $crate::sql::statement::Statement {
                name: $name,
                sql: concat!("/* ", $name, " */ ", $sql),
            };
        )+
        /// All of this module.
        pub(crate) const LIST: &[$crate::sql::statement::Statement] = &[$($constant),+];
    };
}
pub(crate) use statements;

/// The periods of the batches from `$2` up to `$through`, for a `LATERAL` that reads each of them by itself: all from the
/// link's beginning where there is no batch `$2`, up to the head where there is no last one.
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

/// The moment `b.at` of each event `e`, looked up event by event: a plain join lets Postgres read every batch of the link
/// for a page of events.
macro_rules! moment_of_e {
    () => {
        "CROSS JOIN LATERAL (
  SELECT at FROM batch WHERE link_id = e.link_id AND batch = e.batch OFFSET 0
) AS b"
    };
}
pub(crate) use moment_of_e;
