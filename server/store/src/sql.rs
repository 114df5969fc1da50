//! Every statement of the project, each a named constant, all of them in [`ALL`]. Two that take no parameter are put
//! together where they are sent, under names of their own: `admin.create_database` and `verify.same_moment`.
//!
//! # Shape
//! One module a topic. A statement's text begins with its name as a comment, so that
//! `pg_stat_activity` and the log of slow statements say who asks. A test prepares each of [`ALL`]
//! against the migrated schema.
//!
//! # What bounds it
//! Whatever may grow takes a `LIMIT` or a range from its caller, whose bound is a named constant.

pub(crate) mod admin;
pub(crate) mod attempt;
pub(crate) mod checkpoint;
pub(crate) mod commit;
pub(crate) mod contact;
pub(crate) mod feed;
pub(crate) mod hit;
pub(crate) mod house;
pub(crate) mod identity;
pub(crate) mod link;
pub(crate) mod people;
pub(crate) mod purpose;
pub(crate) mod range;
pub(crate) mod read;
pub(crate) mod readiness;
pub(crate) mod report;
pub(crate) mod verify;

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

/// Writes a module's statements: a constant each, and the list of them.
macro_rules! statements {
    ($($(#[$doc:meta])* $constant:ident = $name:literal, $sql:expr;)+) => {
        $(
            $(#[$doc])*
            pub(crate) const $constant: $crate::sql::Statement = $crate::sql::Statement {
                name: $name,
                sql: concat!("/* ", $name, " */ ", $sql),
            };
        )+
        /// All of this module.
        pub(crate) const LIST: &[$crate::sql::Statement] = &[$($constant),+];
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

const LISTS: &[&[Statement]] = &[
    admin::LIST,
    attempt::LIST,
    checkpoint::LIST,
    commit::LIST,
    contact::LIST,
    feed::LIST,
    hit::LIST,
    house::LIST,
    identity::LIST,
    link::LIST,
    people::LIST,
    purpose::LIST,
    range::LIST,
    read::LIST,
    readiness::LIST,
    report::LIST,
    verify::LIST,
];

const COUNT: usize = {
    let (mut count, mut list) = (0, 0);
    while list < LISTS.len() {
        count += LISTS[list].len();
        list += 1;
    }
    count
};

/// Every statement of the crate.
pub const ALL: &[Statement] = &{
    let mut all = [Statement { name: "", sql: "" }; COUNT];
    let (mut place, mut list) = (0, 0);
    while list < LISTS.len() {
        let mut index = 0;
        while index < LISTS[list].len() {
            all[place] = LISTS[list][index];
            place += 1;
            index += 1;
        }
        list += 1;
    }
    all
};
