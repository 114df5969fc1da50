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
pub(crate) mod statement;
pub(crate) mod verify;

pub use statement::Statement;

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
